"""What begins because something else is over, where a sentence names only the one: a new home, a new job, another age.

The reader is asked about plainer words for what is known ("Lives in Cádiz" for "I live in Cádiz when I'm not at sea"),
and code checks whose it is, what both name, and that nothing is only added.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date

from nebo.reading.facts.values import find_job, find_known, find_person, find_value
from nebo.reading.meaning.antecedents import find_antecedent
from nebo.reading.meaning.one_sentence import Meaning
from nebo.reading.meaning.reader import Sentence, read_sentence, relation
from nebo.reading.relations.ages import ages_differ
from nebo.reading.relations.births_and_deaths import has_been_born, has_died
from nebo.reading.relations.diets import eats_otherwise
from nebo.reading.relations.endings import (
    gives_up,
    is_in_vain,
    says_otherwise_now,
    share_of,
    shared_names,
    taken_from_list,
)
from nebo.reading.relations.moves import has_joined, has_moved_to_another
from nebo.reading.relations.own_words import own_words
from nebo.reading.relations.plans import holds_now, tells_ahead
from nebo.reading.relations.quarrels import made_up, made_up_with
from nebo.reading.relations.restatement import stems
from nebo.reading.relations.same_fact import denies
from nebo.reading.relations.stays import is_back
from nebo.reading.relations.told_ends import is_told_over
from nebo.reading.relations.untouched import is_of_other_kin, shares_only_kin
from nebo.reading.times.dates import find_when, names_time, without_times
from nebo.reading.wording.adding import is_at_times, is_on_the_side, lives_there_now
from nebo.reading.wording.covering import is_light
from nebo.reading.wording.names import names_of
from nebo.reading.words.bare_verbs import has_bare_verb
from nebo.reading.words.plain_words import in_plain_words

DOUBT = 0.5  # chance from which something is said of somebody else
SURE_HOME = 0.85  # chance that a sentence says where somebody lives
PLAIN_HOME = 0.7  # the same, where it names a place
MOVED = 0.62  # chance of being over, by the plain ways to say where somebody lived, on average
SURE_WORK = 0.7  # chance that a sentence says what somebody does for a living
OCCUPIED = 0.5  # the same of somebody else, what they study too
LEFT = 0.75  # chance of being over of what somebody else did, on average
LEFT_ELSEWHERE = 0.2  # the same, where both name a place, and it is another
STARTED = (
    0.03  # the same of what the speaker did, where both name for whom they work, and one tells of a beginning
)
WORKS_NOW = 0.5  # the same, where it only says "now": "my office is at the library now"
NEVER = 1.01
ONE_MORE = 0.3  # chance of holding beside, from which a second job may be meant
OCCUPATION = ("work", "education")
AWAITED = ("plan", "commitment", "event")
HAPPENED = 0.8  # chance of telling what happened
OTHER_SHIFTS = 0.4  # the same of the shifts that somebody works, where others are named
A_FEW = 8  # words that may settle something without a word of it: "got the keys!!"
SETTLED = 0.85  # chance of being over of what somebody waits for
NO_MORE = (
    0.8  # the same of what the speaker did, where a word of it is named and something is said to be over
)
ANY_DAY = date(2000, 1, 1)  # where only the words of a day count, not which it is
# What there is one of at a time, whatever it is called: a wedding, a concert, an operation, an exam, an interview.
_OCCASIONS = tuple(
    re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
    for words in (
        r"wedding|get(?:ting)? married|marry\w*|tie the knot|hochzeit|heirat\w*|boda|(?:nos|me) cas\w+|mariage"
        r"|(?:nous|on) (?:se )?mari\w+|matrimonio|ci sposiamo|mi sposo",
        r"gig|concert|(?:we['’]re|i['’]m|we are|i am|is) playing (?:on|at)|konzert|auftritt|(?:wir|ich) spielen? am"
        r"|concierto|bolo|tocamos|(?:on|nous) jou(?:e|ons)|concerto|suoniamo",
        r"surgery|operation|op|operiert|operación|me operan|opération|opérée?|operazione|mi operano|intervento",
        r"(?:driving|theory) test|exam|prüfung|fahrprüfung|klausur|examen|concours|esame",
        r"interview|vorstellungsgespräch|entrevista|entretien|colloquio",
    )
)
_ENGAGED = re.compile(r"\b(?:engaged|verlobt|prometid[oa]s?|fianc[ée]+s?|fidanzat[oaie])\b", re.IGNORECASE)
_MARRIED = re.compile(
    r"\b(?:(?:we['’]re|we are) (?:now |finally |officially )*married(?! to)"
    r"|(?:we|and I)(?:['’]ve| have)? (?:just |finally )*(?:got )?married"
    r"|wir (?:sind (?:jetzt |nun )*verheiratet|haben geheiratet)|nos hemos casado|estamos casad[oa]s"
    r"|(?:on|nous) (?:s['’]est|nous sommes) mariée?s|ci siamo sposat[ie]|siamo sposat[ie])\b",
    re.IGNORECASE,
)
_PUT_OFF = re.compile(
    r"\b(?:moved|postponed|put off|put back|brought forward|pushed|changed|verlegt|verschoben|vorgezogen|aplaz\w+"
    r"|cambiad\w+|pas(?:a|ad[oa]|ó) al?|repouss\w+|reporté\w*|décal\w+|avanc\w+|déplac\w+|spostat\w+|slittat\w+"
    r"|anticipat\w+|rimandat\w+|rinviat\w+)\b",
    re.IGNORECASE,
)
_CHANGED_JOBS = re.compile(
    r"\b(?:changed|switched) jobs?\b|\bhat (?:\w+ )?(?:den job|die (?:stelle|arbeit)|den arbeitgeber) gewechselt\b"
    r"|\b(?:cambió|ha cambiado) de (?:trabajo|laburo|curro)\b|\ba changé de (?:travail|boulot|poste)\b"
    r"|\bha cambiato lavoro\b",
    re.IGNORECASE,
)
_PART_TIME = re.compile(
    r"\b(?:part[- ]time|halbtags|teilzeit|media jornada|(?:jornada|tiempo) parcial|mi-temps|temps partiel"
    r"|mezza giornata)\b",
    re.IGNORECASE,
)
_FULL_TIME = re.compile(
    r"\b(?:full[- ]time|ganztags|vollzeit|jornada completa|tiempo completo|temps plein|plein temps|tempo pieno)\b",
    re.IGNORECASE,
)
_SHIFTS = re.compile(
    r"\b(?:lates?|nights?|earlies|early|weekends)(?: shifts?)?\b|\b(?:spät|nacht|früh)(?:schicht|dienst)\w*"
    r"|\b(?:turno )?de (?:noches?|tardes?)\b|\bturnos? de mañana\b"
    r"|\bhac(?:e|emos|en|ía) (?:noches|tardes)\b|\bde nuit\b|\bdi notte\b",
    re.IGNORECASE,
)
_OTHER_SHIFTS = re.compile(
    r"\bno more (?:lates?|nights?|earlies|weekends|(?:late|night|early|weekend) shifts?)\b|\bnine[- ]to[- ]five\b"
    r"|\bon (?:days|nights|earlies|lates) (?:now|from now on)\b"
    r"|\bkeine (?:nacht|spät|früh)(?:schicht|dienst)\w* mehr\b|\bnur noch (?:früh|tag)(?:schicht|dienst)\w*"
    r"|\bya no (?:hago|trabajo)(?: de)? (?:noches?|tardes?)\b|\bplus de nuits?\b|\bniente più notti\b",
    re.IGNORECASE,
)
# What holds from a day on, or comes again and again, awaits nothing.
_HOLDS_SINCE = re.compile(
    r"\b(?:since|daily|weekly|monthly|yearly|every|each|per|seit|täglich|wöchentlich|monatlich|jährlich|jede[nrsm]?"
    r"|desde|cada|todos los|mensual\w*|semanal\w*|depuis|chaque|tous les|toutes les|da quando|ogni)\b",
    re.IGNORECASE,
)
_INTERVIEW = _OCCASIONS[-1]
_HEARD_BACK = re.compile(
    r"\bgot the (?:[\w'’-]+ ){0,3}(?:job|post|position|role)\b|\bthey(?:['’]ve| have)? (?:took|taken|hired"
    r"|turned) me\b"
    r"|\bdidn['’]t get (?:it|the (?:[\w'’-]+ )?job)\b|\b(?:den job|die stelle)(?: nicht)? (?:bekommen|gekriegt)\b"
    r"|\bme han (?:cogido|contratado|dado el (?:trabajo|puesto|curro))\b|\bj['’]ai (?:eu le (?:poste|job)"
    r"|été prise?)\b"
    r"|\bmi hanno (?:pres[oa]|assunt[oa])\b",
    re.IGNORECASE,
)
_SMALL_PLACE = re.compile(
    r"\b(?:lives?|living|flat|apartment|house|room|bedsit|wohn\w*|wohnung|wg|vivo|vive|piso|casa)\b[^.,;!?]{0,30}?"
    r"\b(?:in|en|near|bei) (?P<place>[a-zß-ÿ]{4,})\b"
)
# What is behind somebody: "the surgery went fine", „die Prüfung lief gut“.
_TOOK_PLACE = re.compile(
    r"\b(?:went (?:really |very )?(?:fine|well|ok(?:ay)?|great|smoothly|badly|to plan)|(?:is|was) (?:over"
    r"|behind (?:me|us))"
    r"|(?:lief|verlief|ist) (?:\w+ )?(?:gut|super|prima|schlecht) ?(?:gelaufen|gegangen|verlaufen)?|(?:ist"
    r"|sind) (?:rum|vorbei|überstanden)"
    r"|(?:salió|ha salido|fue|ha ido|me fue) (?:muy |súper )?(?:bien|mal|genial)|s['’]est (?:très )?(?:bien"
    r"|mal) passée?"
    r"|(?:è )?andat[oa] (?:molto )?(?:bene|male))\b",
    re.IGNORECASE,
)
# What somebody learns beside whatever they do.
_COURSE = re.compile(
    r"\b(?:(?:evening|night|language|first[- ]aid|dance|dancing|cooking|driving|\w+ing) (?:class(?:es)?|course"
    r"|lessons?)"
    r"|lessons|\w*(?:kurse?|unterricht|stunden)|(?:un )?curso|clases? de|(?:un )?cours (?:de|d['’])|(?:un )?corso"
    r"|lezioni)\b",
    re.IGNORECASE,
)
# Behind a name.
_LEFT_WORK = re.compile(
    r"(?:['’]s| has| was| got)?(?: now| just| already| finally)* (?:been )?(?:retired|resigned|sacked|fired|laid off"
    r"|let go|made redundant|(?:quit|left)(?: (?:his|her|their|the) job| us)?(?=[,.;!]|$"
    r"| (?:now|to|though|on|last|for)\b))",
    re.IGNORECASE,
)
_BEGUN = re.compile(
    r"\b(?:started|joined|switched|began|hired|got (?:the|a) job|new job|angefangen|gewechselt|empecé|empezó|empezado"
    r"|comenzado|commencé|iniziato|cominciato)\b",
    re.IGNORECASE,
)
_WORKPLACE = re.compile(
    r"\b(?:at|for|with|bei|beim|für|en|para|chez|presso|per)\s+(?:(?:the|an?|my|der|dem|den|die|einer|einem|el|la|los"
    r"|las|una?|un"
    r"|le|une|il|lo) )?(?P<name>[^\W\d_][\w'’-]*)",
    re.IGNORECASE,
)
_AS_WHAT = re.compile(r"\b(?:as|als|como|comme|come)\b", re.IGNORECASE)
_PLACE = re.compile(
    r"\b(?:in|at|from|near|im|aus|bei|nach|von|en|de|desde|à|chez|presso|a|da|di) (?P<name>[A-ZÀ-ÖØ-Þ][\w'’-]+)"
)


def takes_its_place(known: str, sentence: Sentence) -> bool:
    """Whether what a sentence tells leaves no room for what is known, though it says nothing of it."""
    stated = sentence.text
    if ages_differ(known, stated):
        return True
    if _is_on_another_day(known, sentence) or _is_married(known, sentence) or is_in_vain(known, stated):
        return True
    over = is_back(known, stated) or has_died(known, stated) or has_been_born(known, stated)
    over = over or gives_up(known, stated)
    if over or eats_otherwise(known, sentence):
        return True
    if taken_from_list(known, stated):
        return True
    if tells_ahead(stated):
        return False
    if _lives_elsewhere(known, sentence) or has_joined(known, sentence) or made_up_with(known, sentence):
        return True
    if denies(known) or tells_ahead(known):
        return not denies(known) and _is_settled(known, sentence)
    return (
        _is_settled(known, sentence)
        or _works_elsewhere(known, sentence)
        or _works_other_hours(known, sentence)
        or _is_occupied(known, sentence)
        or _is_no_more(known, sentence)
        or made_up(known, sentence)
        or _has_left_work(known, sentence)
        or is_told_over(known, sentence)
    )


def _is_on_another_day(known: str, sentence: Sentence) -> bool:
    """Whether a wedding, or another such occasion, is on another day now, whatever it is called, in any language."""
    stated, meaning = sentence.text, sentence.meaning
    if (
        not is_same_occasion(known, stated)
        or meaning.chances["relative"] >= DOUBT
        or read_sentence(known).is_of_another()
    ):
        return False
    ours, theirs = (find_when(text, ANY_DAY) for text in (known, stated))
    moved = holds_now(stated) or _PUT_OFF.search(stated) is not None
    return bool(moved and ours and theirs and ours.label != theirs.label)


def is_same_occasion(known: str, stated: str) -> bool:
    """Whether both speak of what there is one of at a time, in whatever words: a wedding, a concert, an exam."""
    return any(words.search(stated) and words.search(known) for words in _OCCASIONS)


def _works_other_hours(known: str, sentence: Sentence) -> bool:
    """Whether the speaker works full time who worked half of it, or the other way round, in whatever language; or in
    other shifts than they did, or somebody by name does.
    """
    stated, meaning = sentence.text, sentence.meaning
    if says_otherwise_now(stated) and _SHIFTS.search(known) and _SHIFTS.search(stated):
        return bool(shared_names(known, stated)) or bool(find_known([find_person(known)], stated))
    if _OTHER_SHIFTS.search(stated) and _SHIFTS.search(known):
        own = find_antecedent(known) is None and find_antecedent(stated) is None and not denies(known)
        return own and min(_chances_of_end((known,), stated)) >= OTHER_SHIFTS
    one_of_each = (_PART_TIME.search(known) and _FULL_TIME.search(stated)) or (
        _FULL_TIME.search(known) and _PART_TIME.search(stated)
    )
    of_work = bool(one_of_each) and meaning.slot == "work" and not denies(stated)
    return of_work and not meaning.is_of_another() and not read_sentence(known).is_of_another()


def _is_married(known: str, sentence: Sentence) -> bool:
    """Whether the speaker, who was engaged, is married now."""
    stated = sentence.text
    own = find_antecedent(known) is None and not denies(known) and not denies(stated)
    return bool(own and _ENGAGED.search(known) and _MARRIED.search(stated)) and not tells_ahead(stated)


def names_only_workplace(known: str, stated: str) -> bool:
    """Whether one says what somebody works as, and the other only for whom: both hold."""
    only = _WORKPLACE.search(stated) and not _AS_WHAT.search(stated)
    return bool(only and _AS_WHAT.search(known) and not _WORKPLACE.search(known))


def _is_settled(known: str, sentence: Sentence) -> bool:
    """Whether what somebody waits for has come, by another word: "got the job!!" after "has a job interview"."""
    old, chances = read_sentence(known), sentence.meaning.chances
    if _INTERVIEW.search(known) and _HEARD_BACK.search(sentence.text):
        return not old.is_of_another() and not sentence.meaning.is_of_another()
    holds = _HOLDS_SINCE.search(known) is not None
    awaited = old.slot in AWAITED or tells_ahead(known) or (names_time(known) and not holds)
    if awaited and is_same_occasion(known, sentence.text) and _TOOK_PLACE.search(sentence.text):
        return not old.is_of_another() and not sentence.meaning.is_of_another()
    if not awaited or max(chances["event"], chances["ended"]) < HAPPENED or sentence.meaning.is_of_another():
        return False
    if len(sentence.text.split()) > A_FEW and not stems(without_times(known)) & stems(
        without_times(sentence.text)
    ):
        return False
    return min(_chances_of_end((known, own_words(known)), sentence.text)) >= SETTLED


def _has_left_work(known: str, sentence: Sentence) -> bool:
    """Whether somebody whom both name has given up the work that is known of them: "Petra's handed her notice in"."""
    stated, name = sentence.text, find_whom(known, sentence.text)
    left = _LEFT_WORK.match(in_plain_words(stated[len(name) :])) if name else None
    return left is not None and not denies(stated) and read_sentence(known).slot == "work"


def _is_no_more(known: str, sentence: Sentence) -> bool:
    """Whether the speaker says that what they did is over, and names a part of it: "no more nights"."""
    if sentence.meaning.chances["ended"] < DOUBT or not share_of(known, sentence):
        return False
    if shares_only_kin(known, sentence.text) or is_of_other_kin(known, sentence.text):
        return False
    return _mean(_chances_of_end((known, own_words(known)), sentence.text)) >= NO_MORE


def _lives_elsewhere(known: str, sentence: Sentence) -> bool:
    """Whether the speaker has moved: "We're in Vigo now, third floor"."""
    place, meaning, old = _find_home(known), sentence.meaning, read_sentence(known)
    if not place or place in sentence.text or not meaning.slot == old.slot == "home":
        return False
    if denies(known.partition(place)[0]) or tells_ahead(known):
        return False
    if place[:1].islower() and not holds_now(
        sentence.text
    ):  # it may be no place, nor "I'm moving out" a new home
        return False
    least = PLAIN_HOME if find_value("home", sentence.text) else SURE_HOME
    if (
        meaning.slot_chance < least
        or meaning.is_of_another()
        or (old.is_of_another() and not has_bare_verb(known))
    ):
        return False  # but "vivo con mi hermana" is told of oneself
    plain = (f"Lives in {place}.", f"I live in {place}.")
    said = lives_there_now(sentence.text)
    return _mean(_chances_of_end(plain, said)) >= MOVED or has_moved_to_another(said)


def _find_home(known: str) -> str:
    """Where somebody lives, also in small letters: "in a flat in leeds with their brother"."""
    if place := find_value("home", known):
        return place
    found = _SMALL_PLACE.search(known)
    return found["place"] if found and not is_light(found["place"]) else ""


def _works_elsewhere(known: str, sentence: Sentence) -> bool:
    """Whether the speaker has begun to work for another, and for them alone: "I started at the library on Monday"."""
    meaning, old, stated = sentence.meaning, read_sentence(known), sentence.text
    if (
        old.slot != "work"
        or meaning.slots["work"] < SURE_WORK
        or meaning.is_of_another()
        or old.is_of_another()
    ):
        return False
    if is_on_the_side(stated) or is_at_times(known):
        return False
    least = STARTED if _BEGUN.search(stated) else WORKS_NOW if holds_now(stated) else NEVER
    places = [_WORKPLACE.search(text) for text in (known, stated)]
    if not (places[0] and places[1]) or places[0]["name"].lower() in stated.lower():
        return False
    if _AS_WHAT.search(known) and not _AS_WHAT.search(stated):  # who works elsewhere may do the same there
        return False
    plain = (known, f"I work at {places[0]['name']}.")
    beside = [relation(one, stated).get("beside", 0.0) for one in plain]
    return _mean(_chances_of_end(plain, stated)) >= least and _mean(beside) < ONE_MORE


def _is_occupied(known: str, sentence: Sentence) -> bool:
    """Whether somebody whom both name does something else for a living now: "Tom started at Siemens"."""
    stated, name = sentence.text, find_whom(known, sentence.text)
    only_times = is_at_times(known) and not (_WORKPLACE.search(known) or _AS_WHAT.search(known))
    if not name or is_on_the_side(stated) or only_times or _COURSE.search(stated):
        return False
    plain = (known, f"{name}{known.partition(name)[2]}")
    if _CHANGED_JOBS.search(stated) and find_job(plain[1]):
        return True
    if max(_occupies(read_sentence(one)) for one in (*plain, own_words(plain[1], (name,)))) < OCCUPIED:
        return False
    over = _mean(_chances_of_end(plain, stated))
    if over >= LEFT and _occupies(sentence.meaning) >= OCCUPIED:
        return True
    return over >= LEFT_ELSEWHERE and holds_now(stated) and _are_elsewhere(known, stated)


def _occupies(meaning: Meaning) -> float:
    return sum(meaning.slots[slot] for slot in OCCUPATION)


def find_whom(known: str, stated: str) -> str:
    """The name of whom both speak, with which the sentence begins."""
    first = known.partition(" ")[
        0
    ]  # "Davide fa il rappresentante" and "Davide ha cambiato lavoro" begin with the same
    opens = [first] if first[:1].isupper() and not is_light(first.lower()) else []
    names = [find_person(known), *names_of(f"… {known}"), *opens]
    return next((name for name in names if name and re.match(rf"{re.escape(name)}(?:['’]s)?\s", stated)), "")


def _are_elsewhere(known: str, stated: str) -> bool:
    ours, theirs = ({found["name"] for found in _PLACE.finditer(text)} for text in (known, stated))
    return bool(ours and theirs) and ours.isdisjoint(theirs)


def _chances_of_end(known: Iterable[str], stated: str) -> list[float]:
    read = [relation(one, stated) for one in known]
    return [chances.get("changes", 0.0) + chances.get("ends", 0.0) for chances in read]


def _mean(chances: list[float]) -> float:
    return sum(chances) / len(chances)
