"""What must stand in a sentence for it to close what is known: that something has changed, is over, or was wrong; the
other answer to a question that has one; or the same matter with another number or a "not".

A pair that reads like a change is no change by that alone. "I use pandas" leaves "uses Flask" as it is, "writing has
been a blessing" ends no hobby, and what one of two speakers tells of themselves says nothing of the other.
"""

from __future__ import annotations

import re

from nebo.reading.facts.values import find_person, find_value
from nebo.reading.meaning.kinds import Kind
from nebo.reading.meaning.one_sentence import Meaning
from nebo.reading.meaning.put_right import count_one_thing, find_other_places, is_other_version, put_right
from nebo.reading.meaning.reader import Sentence, read_sentence
from nebo.reading.relations.endings import part_about, says_otherwise_now, shared_names
from nebo.reading.relations.own_words import own_words
from nebo.reading.relations.plans import holds_now, tells_ahead
from nebo.reading.relations.restatement import stems
from nebo.reading.relations.same_fact import denies, differs_in_number
from nebo.reading.relations.same_question import OWN_ANSWER
from nebo.reading.times.calendar_words import COUNTS
from nebo.reading.times.dates import names_time
from nebo.reading.times.past_clauses import tells_past
from nebo.reading.wording.polarity import is_averse

SETTLING: tuple[Kind, ...] = ("ended", "correction", "dropped", "wish_back")
INTENDED = ("plan", "commitment", "event", "travel")  # slots of what may be put off
HAPPENED, LASTS = 0.6, 0.5  # chance of an event, and of something lasting, that tell what happened once
LIKELY = 0.3  # chance of one of these from which a sentence says that something is over or was wrong
ONE_AT_A_TIME = (*OWN_ANSWER, "partner")
CHOSEN = {"tool", "decision", "format", "taste", "hobby", "habit"}  # slots of what is taken up for another
MADE = (
    "project",
    "tool",
    "decision",
    "event",
)  # slots of what goes on: "I have 400 tests now" ends nothing of it
SHARED = 0.5  # of the words of what is known, that name the same matter with another number
# That something is new, or has come to be: what was before it may be over.
_CHANGED = re.compile(
    r"\b(?:switch\w*|swapp\w*|replac\w*|migrat\w*|chang\w*|left|leaving|quit\w*|sold|stopp\w*"
    r"|gave up|given up|finished|became|become|turned (?:into|out)|turns out|went over|going with|went with|scrap\w*"
    r"|got (?:rid|married|divorced|engaged)|broke up|split up|now that"
    r"|back (?:to|from|home)|cancel\w*|call(?:ed|ing) off|done with|is over|gone|lost|passed|promoted"
    r"|retired|hired|fired|converted|upgraded|downgraded|raised|lowered|upped|cut|discharged"
    r"|put (?:me|us|it|them) (?:up|down)|deleted|binned|in the bin|rewrote|rewritten|grew out|handed (?:in|back|over)"
    r"|dropped"
    r"|no more|out of work|enough (?:of|with)|nah|nope|rausgeworfen|hochgesetzt|runtergesetzt|Schluss mit"
    r"|bajado|subido|entreg\w+|devuel\w+|devolv\w+|jubil\w+|plus de|rendu|rends|niente più|basta"
    r"|wechsel\w*|gewechselt|umge\w+|ersetz\w*|verkauft|gekündigt|aufge\w+|beendet|geworden"
    r"|abgesagt|vorbei|verloren|bestanden|befördert|zurück|entlassen"
    r"|cambi\w+|mud\w+|dej\w+|vend\w+|acab\w+|cancel\w+|perd\w+"
    r"|ascend\w+|vuelto|changé\w*|déménag\w+|quitt\w+|arrêt\w+|annul\w+|perdu\w*|rentrée?"
    r"|trasfer\w+|lasci\w+|smess\w+|finit\w+|annullat\w+|pers[oa]|tornat[oa])\b",
    re.IGNORECASE,
)
# What may be said of somebody or something by the name alone.
_BY_NAME = re.compile(
    r"\b(?:sold|left|quit|scrap\w*|ditch\w*|dropp?\w*|replac\w*|switch\w*|gone|died|lost|cancel\w*|split|broke up"
    r"|sacked|fired|verkauft|weg|gestorben|getrennt|gekündigt|vend\w+|dej\w+|muri\w+|muert\w+|quitt\w+"
    r"|mort\w*|lasci\w+)\b",
    re.IGNORECASE,
)
_NOW = re.compile(
    r"(?<!for )(?<!right )(?<!by )(?<!but )(?<!and )\b(?:now|jetzt|nun|inzwischen|mittlerweile|ahora|maintenant"
    r"|désormais|adesso|ora)\b",
    re.IGNORECASE,
)
# What somebody uses or does in the place of another thing, which isn't named.
_TAKEN_UP = re.compile(
    r"\b(?:switched|swapped|went over|gone over|moved over|migrated|converted|umgestiegen|gewechselt|umgestellt"
    r"|(?:me he|nos hemos) (?:pasado|cambiado)|me (?:pasé|cambié)|je suis passée?|sono passat[oa]) (?:\w+ )?"
    r"(?:to|for|auf|zu[mr]?|a|al|à|au)\b|\b(?:auf|zu[mr]?) [^,.;!?]{2,30} (?:umgestiegen|gewechselt|umgestellt)\b",
    re.IGNORECASE,
)
# Who isn't sure of something doesn't say that it isn't so, and who only wonders about it says nothing of it.
_UNSURE = re.compile(
    r"\b(?:not (?:so |really |entirely |quite )?(?:sure|certain)|(?:don['’]t|do not) know|no idea"
    r"|nicht (?:ganz )?sicher"
    r"|weiß (?:\w+ )?nicht|keine ahnung|no (?:estoy|estamos) segur[oa]s?|no sé|ni idea|(?:ne )?sais pas|pas sûre?s?"
    r"|non so|non sono sicur[oa])\b",
    re.IGNORECASE,
)
_WONDERS = re.compile(
    rf"(?:{_UNSURE.pattern}|\bwonder\w*) (?:yet )?(?:if|whether|how|when|where|which|who|ob|wie|wann|si|cómo|cuándo"
    r"|comment|se|come|quando)\b[^;.!?]*",
    re.IGNORECASE,
)


# What is not to happen hasn't: "don't let me let the season ticket expire", „lass das Abo bloß nicht auslaufen“.
_PREVENTS = re.compile(
    r"\b(?:(?:don['’]?t|do not|never|must ?n['’]?t|must not|can['’]?t|cannot|shouldn['’]?t) let"
    r"|lass(?:en)? (?:mich |uns |[^,;.!?]{1,25} )?(?:bloß |bitte |ja )?nicht"
    r"|(?:darf|dürfen|soll|sollen) (?:[^,;.!?]{1,25} )?nicht [^,;.!?]{0,25}(?:auslaufen|ablaufen|verfallen)"
    r"|no (?:dejes|dejar|me dejes|debo dejar)|ne (?:me )?laisse[sz]?|non (?:lasciar(?:mi)?|devo lasciar))\b",
    re.IGNORECASE,
)
_SOME_OF = re.compile(
    rf"\b(?:\d+|one|some|half|most|several|a few|{'|'.join(COUNTS[2:])}|eine[rs]?|einige|una?|uno|algun[oa]s|une?"
    r"|quelques) (?:of (?:my|our|the|them|his|her|their)|(?:von )?(?:meine[nr]|unsere[nr]|den|ihnen)"
    r"|de (?:mis|nuestr[oa]s|l[oa]s|ell[oa]s|mes|nos)|d['’]entre (?:eux|elles)"
    r"|de(?:i miei|lle mie|i nostri|lle nostre))\b",
    re.IGNORECASE,
)


def may_close(known: str, sentence: Sentence) -> bool:
    """Whether a sentence has any ground to close what is known, however alike the pair reads."""
    if _only_wonders(known, sentence.text) or _PREVENTS.search(sentence.text):
        return False
    if any(sentence.meaning.chances[kind] >= LIKELY for kind in SETTLING) or _puts_off(known, sentence):
        return True
    if stays_true(known, sentence) or _tells_of_some(sentence.text):
        return False
    return _answers_the_same(known, sentence) or _tells_of_a_change(known, sentence.text)


def _tells_of_some(stated: str) -> bool:
    """Whether it tells of some of those that there are, and nothing of how many: "two of my students passed"."""
    return _SOME_OF.search(stated) is not None


def _only_wonders(known: str, stated: str) -> bool:
    """Whether it names what is known only where it asks itself something: "not sure if I should change my diet"."""
    plain = _WONDERS.sub("", stated)
    return plain != stated and bool(stems(known) & stems(stated)) and not stems(known) & stems(plain)


def _puts_off(known: str, sentence: Sentence) -> bool:
    """Whether it says of what is known, and yet to come, that it is at another time."""
    if sentence.meaning.chances["put_off"] < LIKELY or not stems(known) & stems(sentence.text):
        return False
    has_a_day = names_time(known) and not tells_past(known)
    return tells_ahead(known) or has_a_day or read_sentence(known).slot in INTENDED


def _answers_the_same(known: str, sentence: Sentence) -> bool:
    """Whether it gives the other answer to a question that has one: a home, a job, a version, what is used."""
    stated, slot, other = sentence.text, sentence.meaning.slot, read_sentence(known).slot
    if slot == other and (slot in ONE_AT_A_TIME or _both_tell_the_job(slot, known, stated)):
        return True
    if {slot, other} <= CHOSEN and _TAKEN_UP.search(stated):
        return True
    if _NOW.search(stated) and (other not in MADE or find_other_places(known, stated)):
        return slot == other or bool(stems(known) & stems(stated))
    return is_other_version(known, stated)


def _tells_of_a_change(known: str, stated: str) -> bool:
    """Whether it says of what is known, more than by its name, that it has changed or is over, or gives another number
    or a "not".
    """
    shared = stems(known) & stems(stated)
    if not shared - shared_names(known, stated) - stems(find_person(known)):
        return bool(shared) and _BY_NAME.search(stated) is not None
    about = _UNSURE.sub("", part_about(known, stated))
    turned = denies(part_about(stated, known)) != denies(about) or is_averse(known) != is_averse(about)
    if turned or says_otherwise_now(stated) or _CHANGED.search(stated):
        return True
    counts_anew = differs_in_number(known, stated) and _share(known, stated) >= SHARED
    return counts_anew and count_one_thing(known, stated) and put_right(known, stated) != ""


def _both_tell_the_job(slot: str, known: str, stated: str) -> bool:
    both = bool(find_value("work", known)) and bool(find_value("work", stated))
    return slot == "work" and (both or holds_now(stated))


def stays_true(known: str, sentence: Sentence) -> bool:
    """Whether both tell what happened once: who won a second time has won the first time, too."""
    old = read_sentence(own_words(known))
    return _has_happened(old, known) and _has_happened(sentence.meaning, sentence.text)


def _has_happened(meaning: Meaning, text: str) -> bool:
    happened = meaning.chances["event"] >= HAPPENED and meaning.chances["lasting"] < LASTS
    return happened and tells_past(text) and not tells_ahead(text)


def _share(known: str, stated: str) -> float:
    words = {word for word in stems(known) if not word.isdigit()}
    return len(words & stems(stated)) / len(words) if words else 0.0
