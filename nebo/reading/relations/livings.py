"""What somebody lives by is over where they have retired, or learn another trade: "Jo's retraining as a plumber" of Jo
the postman, „Mein Vater ist in Rente“ of "my dad is a watchmaker".

The pair alone reads like two things that hold beside each other. So code asks who they are, whether what is known is a
living, and whether a sentence says that it is given up.
"""

from __future__ import annotations

import re

from nebo.reading.meaning.antecedents import Antecedent, find_antecedent
from nebo.reading.meaning.reader import Sentence, read_sentence, trade_nearness
from nebo.reading.meaning.trades import MAYBE, SURELY
from nebo.reading.relations.births_and_deaths import name_relative
from nebo.reading.relations.new_work import is_own_work
from nebo.reading.relations.own_words import own_words
from nebo.reading.relations.plans import tells_ahead
from nebo.reading.relations.restatement import stems
from nebo.reading.relations.same_fact import denies
from nebo.reading.times.past_clauses import tells_past
from nebo.reading.wording.adding import is_on_the_side
from nebo.reading.wording.vocabulary import kin_of
from nebo.reading.words.pauses import split_at_pauses

WORKS = 0.4  # chance of telling of work, from which what is known is a living
DOUBT = 0.5  # chance of supposing, asking, quoting or joking, from which nothing is told
UNSURE = ("question", "quoted", "supposed", "joking")
_WORD = r"[^\W\d_][\w'’-]*"
_AN = r"(?:(?:an?|the|eine?[rn]?|una?|une|l['’]|il|la|el|le|ein) ?)?"
_IS = re.compile(
    r"(?:\b(?:am|is|bin|ist|soy|es|suis|est|sono|è)|['’][ms]) "
    rf"(?:(?:still|noch|von Beruf|todavía|encore|ancora) )?{_AN}(?P<what>{_WORD}(?: {_WORD})?)"
)
_SINCE = (
    r"(?:(?:now|finally|officially|just|already|properly|fully|long|also|jetzt|nun|endlich|schon|auch|ja|ya|por fin"
    r"|enfin|maintenant|adesso|ora|ormai|finalmente|(?:seit|desde|depuis|da) (?:\w+ )?\w+) )*"
)
_RETIRED = re.compile(
    rf"(?:\b(?:is|am|has|have)|['’](?:s|m|ve)|^(?:{_WORD} ){{0,3}}?{_WORD}) {_SINCE}"
    r"(?:retired\b(?! (?:from (?:football|rugby|racing|running)|greyhound))|taken (?:early )?retirement)"
    rf"|\b(?:bin|ist|ging|geht) {_SINCE}(?:in (?:den )?(?:Alters|Früh)?(?:rente|pension|ruhestand)"
    r"|im (?:\w+ )?ruhestand|(?:alters|früh)?rentner(?:in)?|pensioniert|pensionär(?:in)?|verrentet)\b"
    rf"|\b(?:estoy|está|se ha|me he) {_SINCE}jubilad[oa]\b|\bse jubiló\b"
    rf"|\b(?:suis|est) {_SINCE}(?:à la retraite|(?:en )?retraitée?)\b"
    rf"|\b(?:sono|è) {_SINCE}(?:andat[oa] )?(?:in pensione|pensionat[oa])\b",
    re.IGNORECASE,
)
# Another trade that is learned since the one before is given up.
_ANEW = re.compile(
    r"\b(?:retrain(?:s|ing|ed)?|umschulung|(?:schule?n?|schult) (?:\w+ )?um|umgeschult"
    r"|se (?:está )?recicl\w+|(?:se )?reconver\w+|reconversion|si (?:sta )?riqualific\w+|riconver\w+)\b",
    re.IGNORECASE,
)
_LEARNS = re.compile(
    rf"\b(?:(?:re)?train(?:s|ing)? (?:(?:now|up) )?(?:to be|to become|as)|learn(?:s|ing) to (?:be|become)"
    rf"|studying to (?:be|become)) {_AN}(?P<en>{_WORD}(?: {_WORD})?)"
    rf"|\b(?:ausbildung|lehre|umschulung) (?:zu[mr]|als) (?P<de>{_WORD})"
    rf"|\b(?:lernt|lerne) (?:jetzt |nun )?(?P<lernt>{_WORD})"
    rf"|\b(?:form(?:a|o|ándo|ando)\w*|prepar\w+) (?:\w+ )?(?:como|para ser) {_AN}(?P<es>{_WORD})"
    rf"|\bestudi(?:a|o|ando) para (?:ser )?{_AN}(?P<para>{_WORD})"
    rf"|\b(?:se forme|formation|études) (?:\w+ )?(?:comme|de|d['’]|pour (?:être|devenir)) ?{_AN}(?P<fr>{_WORD})"
    rf"|\b(?:studi(?:a|o|ando)|corso) (?:\w+ )?(?:da|come|per diventare) {_AN}(?P<it>{_WORD})",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"\b(?:sold|closed|shut|left|quit|gave up|given up|packed (?:it )?in|jacked (?:it )?in|handed in"
    r"|lost (?:his|her|the)|come off|done with|verkauft|geschlossen|zugemacht|dichtgemacht|aufgegeben|gekündigt"
    r"|aufgehört|geschmissen"
    r"|vendido|vendió|cerrado|cerró|dejado|dejó|vendu|fermé|quitté|arrêté|venduto|chiuso|lasciato|smesso)\b",
    re.IGNORECASE,
)
# What a living isn't given up by: "the old car's retired now".
_THING = re.compile(
    r"(?:(?:and|und|y) )?(?:the|that|our old|der|die|das|el|la|los|las|le|les|il|lo) [^\W\d_]", re.IGNORECASE
)
_OF_SPEAKER = re.compile(
    r"(?:(?:and|so|also|und|ja|ach|y|et|e) )*(?:i\b|ich\b|yo\b|je\b|j['’]|io\b|soy\b|estoy\b|me\b|sono\b|bin\b)",
    re.IGNORECASE,
)
_WHOSE = re.compile(
    r"(?:my|our|meine?|unsere?|mi|nuestr[oa]|mon|ma|notre|(?:il mio|la mia)) (?P<who>[^\W\d_]+)",
    re.IGNORECASE,
)
_NOW = re.compile(r"\b(?:now|jetzt|nun|neuerdings|ahora|maintenant|adesso|ora)\b", re.IGNORECASE)


def lives_otherwise(known: str, sentence: Sentence, before: str = "") -> bool:
    """Whether what somebody lives by is over, by a sentence about the same person; `before` is what was said of them
    right before it.
    """
    text = _find_news(sentence.text)
    if (
        not text
        or denies(text)
        or tells_ahead(text)
        or any(sentence.meaning.chances[kind] >= DOUBT for kind in UNSURE)
    ):
        return False
    learned = _find_learned(text, f"{before}; {sentence.text}")
    if not (learned or _RETIRED.search(text)) or is_on_the_side(text):
        return False
    if learned and stems(learned) & stems(known):  # a nurse who trains as a children's nurse
        return False
    return any(tell_of_one_person(known, told) for told in (text, sentence.text)) and _is_living(known)


def who_goes_on(known: str, sentence: Sentence) -> str:
    """Who somebody is to the speaker, of a fact that tells it beside what they lived by, which is over."""
    return name_relative(known) if tells_of_living(sentence.text) else ""


def tells_of_living(text: str) -> bool:
    """Whether a text says that somebody has retired, or learns a trade."""
    return any(words.search(text) for words in (_RETIRED, _ANEW, _LEARNS))


def _find_news(text: str) -> str:
    """The part that tells of it; empty where that is of a thing."""
    parts = split_at_pauses(text) or [text]
    news = [part for part in parts if tells_of_living(part)]
    return news[0] if news and not _THING.match(news[0]) else ""


def _find_learned(text: str, before: str) -> str:
    """The trade that somebody learns in the place of theirs."""
    found = _LEARNS.search(text)
    what = next(filter(None, found.groups()), "") if found else ""
    if _ANEW.search(text):
        return what or "another"
    instead = _NOW.search(text) or (_BEFORE.search(before) and not denies(before))
    return what if what and instead and trade_nearness(what) >= SURELY else ""


def _is_living(known: str) -> bool:
    """Whether what is known tells what somebody does for a living, and still does."""
    if denies(known) or tells_ahead(known) or tells_past(known) or is_on_the_side(known):
        return False
    if tells_of_living(known):
        return False
    own = own_words(known)
    meaning = read_sentence(own)
    if _OF_SPEAKER.match(own):
        return is_own_work(own, meaning.slot, all_of_it=True)
    being = _IS.search(known)
    if being and trade_nearness(being["what"]) >= MAYBE:
        return True
    return being is None and meaning.slots["work"] >= WORKS and meaning.slot == "work"


def tell_of_one_person(known: str, stated: str) -> bool:
    """Whether both tell of the speaker, or of the same person: by the name; by the word for a relative, in whatever
    language, unless both have another name.
    """
    own = own_words(known)
    ours, theirs = find_antecedent(own), find_antecedent(stated)
    if ours is None and theirs is None and _OF_SPEAKER.match(own):
        return _OF_SPEAKER.match(stated) is not None
    names = [_name_of(one) for one in (ours, theirs)]
    if all(names):
        return names[0] == names[1]
    whose = [found["who"].lower() for one in (own, stated) if (found := _WHOSE.match(one))]
    if len(whose) > 1 and whose[0] == whose[1]:
        return True
    if names[0] and re.match(rf"(?:[^\W\d_]+ )?{re.escape(names[0])}\b", stated, re.IGNORECASE):
        return True
    return ours is not None and theirs is not None and not ours.kin.isdisjoint(theirs.kin)


def _name_of(who: Antecedent | None) -> str:
    last = who.who.split()[-1] if who else ""
    return last.lower() if last[:1].isupper() and not kin_of(last.lower()) else ""
