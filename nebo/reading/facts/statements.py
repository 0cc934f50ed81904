"""Which sentences are worth keeping as memories, and in what words.

A memory is the person's own sentence with its subject named and its relative dates resolved beside the words; it
says what its quote says, by construction. Meaning chooses (kind and worth), rules see what code can see: stumps,
pronouns without their noun, questions.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from math import prod

from nebo.reading.facts.day_labels import with_day
from nebo.reading.facts.intolerances import cannot_have
from nebo.reading.facts.leads import open_with, without_lead
from nebo.reading.facts.steps import is_step, is_surely_step
from nebo.reading.facts.stumps import does_it, is_stump
from nebo.reading.facts.subjects import NOBODY_KNOWN, Named, Subject, find_subject, is_of_another, name_first
from nebo.reading.facts.third_person import name_subject
from nebo.reading.facts.topics import is_bare_phase, name_project
from nebo.reading.facts.values import VALUED, find_employer, find_job, find_value, gives_name, write_known
from nebo.reading.facts.verdicts import is_musing, is_settled, is_verdict
from nebo.reading.meaning.cutting import LINK, OWN_SUBJECT, cut_before_question, is_inside
from nebo.reading.meaning.one_sentence import Meaning
from nebo.reading.meaning.reader import Sentence, read_sentence, trade_nearness
from nebo.reading.meaning.remarks import asks_to_keep_quiet, is_remark, says_name
from nebo.reading.meaning.sentences import Span
from nebo.reading.meaning.trades import FAR
from nebo.reading.wording.adding import is_on_the_side
from nebo.reading.wording.covering import language_of
from nebo.reading.wording.elided import with_home
from nebo.reading.wording.names import names_of
from nebo.reading.words.forget_words import begins_to_forget
from nebo.reading.words.languages import is_english
from nebo.reading.words.openers import without_opener

WORTH_KEEPING = 0.85  # chance of being good from which a sentence is kept; measured in docs/reading.md
PLAIN = 0.90  # chance of telling something, or of what is told, from which less worth is enough
PLAINLY_WORTH = 0.75  # that is
SURE_WORTH = 0.95  # from which it counts as told outright
CLEAR_SLOT = 0.8  # chance of the question that it answers, with which that worth is enough by itself
OUTRIGHT, STATED, LIKELY = 0.9, 0.8, 0.7  # confidence, by how clear the evidence is
ANNOUNCING = 2  # words at least that announce something; one alone may begin a list
TELLING = ("lasting", "relative", "other", "event")
NOT_STATED = ("question", "quoted", "supposed", "joking", "wish", "wish_back", "forget", "asks_back")
DOUBT = 0.5  # chance of one of those from which a sentence tells nothing
SURELY_JOKING = 0.7  # the same of a joke that would be well worth keeping
SINGLE = {
    "name": "name",
    "home": "location",
    "work": "occupation",
    "timezone": "timezone",
    "birthday": "birthday",
}
EMPLOYER = "employer"  # the key of whom somebody works for, where a sentence doesn't say as what
PROFILE = ("name", "location", "timezone", "occupation")  # keys that fill a field of the person's profile
CORE = 3  # importance of what fills one
HARMFUL = ("allergy", "health", "diet")  # slots of what somebody may come to harm by
VITAL = ("allergy", "health", "name")  # slots of the highest importance
NEAR = ("family", "partner", "friend", "pet", "home", "work", "diet", "language", "birthday", "age", "belief")
# Slots in which "we" do at home what each of us does: at work it is a team.
HOUSEHOLD = (
    "home", "possession", "pet", "family", "partner", "diet", "plan", "travel", "habit", "origin", "taste", "event",
    "health", "hobby", "birthday", "trait",
)  # fmt: skip
FRIEND = {"en": "my friend", "de": "mein Freund", "es": "mi amigo", "fr": "mon ami", "it": "il mio amico"}
_PREFERENCES = ("taste", "diet", "tool", "hobby", "belief")

_LAUGHS = re.compile(
    r"(?:\b(?:a*(?:ha){2,}h?|lo+l|lmao|rofl|xd|(?:ja){2,}|mdr|ptdr)\b"
    r"|[\U0001F600-\U0001F606\U0001F61C\U0001F923])[\s.!)]*$",
    re.IGNORECASE,
)
_SMILES = re.compile(r"(?:\s+[:;]['’]?-?[()DP|/]+)+(?=[\s.!]*$)")
_PAUSE = re.compile(r"\s*;\s+|(?<!, (?:19|20)\d\d)\s*,\s+(?!(?:19|20)\d\d\b)|\s+[-–—]+\s+")
# What was told wrongly, beside what is so: "te dije Funes pero mi madre vive en Roldán, me confundí".
_TOLD_WRONG = re.compile(
    r"(?:te (?:había )?dij[eo]|te había dicho|i (?:told you|said)|ich (?:sagte|habe? (?:dir )?gesagt)"
    r"|je t['’](?:ai|avais) dit|ti (?:ho|avevo) detto) (?:[^\s,]+ ){1,3}?,? ?(?:pero|but|aber|mais|ma) ",
    re.IGNORECASE,
)
_SLIP = re.compile(
    r"[,;.–—-]+ ?(?:me (?:confundí|equivoqué)|my (?:mistake|bad)|i mixed (?:it|that|them) up"
    r"|(?:ich )?habe? (?:ich )?mich vertan|mein fehler|je me suis trompée?|mi sono (?:sbagliat|confus)[oa])\W*$",
    re.IGNORECASE,
)
_HOLDS = re.compile(r"\b(?:now|instead|these days)\b", re.IGNORECASE)  # "I box now" is no step
# A remark that is what is said of the part before it: "Making videos for others - that's great".
_DOING, _OF_THAT = (
    re.compile(r"[A-Z][a-z]+ing\b"),
    re.compile(r"(?:that|it|this)(?:['’]s| is| was)\b", re.IGNORECASE),
)
_SLIP_FIRST = re.compile(
    r"(?:me (?:confundí|equivoqué)|i (?:was wrong|got (?:it|that) wrong)"
    r"|(?:da )?(?:ich )?habe? (?:ich )?mich (?:da )?(?:vertan|geirrt)"
    r"|je me suis (?:trompé|planté)e?|mi sono (?:sbagliat|confus)[oa])"
    r"(?: (?:antes|before|earlier|vorhin|tout à l['’]heure|prima|übrigens))?[,;:.–—-]+\s+(?=\S+ \S)",
    re.IGNORECASE,
)
_ANNOUNCED = re.compile(
    r"^[^\W\d_][\w'’]*(?: [^\W\d_][\w'’]*){0,3} ?:\s+"
)  # „Es ist raus: …“, "It's official: …"


@dataclass(frozen=True, slots=True)
class Fact:
    """A sentence worth keeping: `value` to be stored, `detail` the bare value where a rule found it, and its slot.

    `key` is the slot's own where it has one answer and is the speaker's; `person` names whom it is about, if another,
    `project` which project, `beside` what else that is known it names.
    """

    value: str
    key: str
    slot: str
    detail: str
    person: str
    project: str
    beside: tuple[str, ...]
    type: str
    fact_type: str
    importance: int
    confidence: float
    start: int
    end: int


def find_fact(
    sentence: Sentence,
    *,
    speaker: str,
    on: date | None,
    matters: bool = False,
    shared: bool = False,
    project: str = "",
    known: Named = NOBODY_KNOWN,
) -> Fact | None:
    """The fact a sentence tells, or None. One that `matters`, since it answers anew what is known, need not be worth
    it by itself.

    `shared`: several people speak under names, so that keys must say whose they are. `project` is the one that the
    sentence is about and doesn't name, `known` whom and what the person has told of by name.
    """
    if begins_to_forget(sentence.text) or sentence.text.rstrip().endswith((":", "：")):  # which only leads on
        return None
    if not matters and not is_worth_keeping(sentence) and not _is_of_known(sentence, known):
        return None
    if _laughs_it_off(sentence):
        return None
    text = without_lead(sentence.text) if sentence.meaning.is_sure("remember") else sentence.text
    text = write_known([name for name in known if known[name] == "project"], text)
    text = _SLIP.sub("", _TOLD_WRONG.sub("", text, count=1) if _TOLD_WRONG.match(text) else text)
    text = _SLIP_FIRST.sub("", text, count=1) if _SLIP_FIRST.match(text) else text
    clause = _without_aside(_SMILES.sub("", _LAUGHS.sub("", without_opener(text))).strip(" ,;:-–—"))
    clause = open_with(clause)
    if sentence.meaning.slot == "home":
        clause = with_home(clause)
    if (is_stump(clause) and not _says_a_name(sentence, clause)) or (not project and is_bare_phase(clause)):
        return None
    lasts = matters or sentence.meaning.is_sure("remember")
    if not lasts and (is_verdict(clause) or (_is_on_the_way(clause) and not _is_near(sentence.meaning))):
        return None
    subject = find_subject(sentence.meaning, clause, project=project, known=known)
    return _shape(sentence, clause, subject, speaker=speaker, on=on, shared=shared)


def _is_on_the_way(clause: str) -> bool:
    return is_musing(clause) or is_step(clause)


def _is_near(meaning: Meaning) -> bool:
    """Whether it plainly tells of the body, the home or somebody near, which no step of any work does."""
    return meaning.slot in (*NEAR, *VITAL) and meaning.slot_chance >= DOUBT


def _says_a_name(sentence: Sentence, clause: str) -> bool:
    """Whether two words are enough, since they give a name: "Oskar here"."""
    meaning = sentence.meaning
    return (
        meaning.slot == "name" and meaning.slot_chance >= DOUBT and gives_name(clause) and not does_it(clause)
    )


def _without_aside(clause: str) -> str:
    """A clause without what only who was there understands, where the rest is plain: "Noor is a biologist, she works
    at the university here"; and without what is only said about it: "…, dead chuffed".
    """
    if told := cut_before_question(Span(clause, 0, len(clause))):  # who asks tells nothing by that
        clause = told[0].text
    if not is_stump(clause):
        return _without_announcement(_without_remark(clause))
    heads = (clause[: pause.start()] for pause in reversed(list(_PAUSE.finditer(clause))))
    parts = (*heads, _ANNOUNCED.sub("", clause))
    return next((part for part in parts if not is_stump(part) and _is_good(read_sentence(part))), clause)


def _without_announcement(clause: str) -> str:
    """A clause without a first part that only says that something is told: "bit of background, I'm Ruth"."""
    pause = _PAUSE.search(clause)
    head = clause[: pause.start()] if pause else ""
    announces = len(head.split()) >= ANNOUNCING and not gives_name(head)
    if pause is None or not announces or not is_remark(head, read_sentence):
        return clause
    rest = clause[pause.end() :]
    return without_opener(rest) if not is_stump(rest) and _is_good(read_sentence(rest)) else clause


def _without_remark(clause: str) -> str:
    """A clause without a last part that names nothing and tells nothing, where the rest is as good without it."""
    pauses = list(_PAUSE.finditer(clause))
    if not pauses:
        return clause
    head, tail = clause[: pauses[-1].start()], clause[pauses[-1].end() :]
    remarked = (is_remark(tail, read_sentence) or _is_doubt(head, tail)) and _is_good(read_sentence(head))
    led = without_opener(head, call=False) != head  # "As I look for a flat, I'm …"
    if (
        led
        or says_name(tail)
        or is_stump(head)
        or is_inside(head, tail)
        or (_DOING.match(head) and _OF_THAT.match(tail))
        or not (remarked or asks_to_keep_quiet(tail, read_sentence))
    ):
        return clause
    return _without_remark(head)


def _is_doubt(head: str, tail: str) -> bool:
    """Whether a last part tells of a step, or of what is not yet clear: "…, but I'm not sure how to fit it in"."""
    beside = LINK.match(tail) or OWN_SUBJECT.match(head)  # "As of 5 October, I'm …" has but one clause
    tells_own = OWN_SUBJECT.match(tail) is not None and not _HOLDS.search(tail)
    return beside is not None and tells_own and is_surely_step(LINK.sub("", tail, count=1))


def is_worth_keeping(sentence: Sentence) -> bool:
    """By its meaning alone: good, of the speaker's world, and said in earnest.

    What leads up to it ("by the way, …") is no part of what is kept, so the rest may be worth it by itself.
    """
    if cannot_have(sentence):
        return True
    if _is_unmeant(sentence.meaning) or sentence.meaning.is_sure("request"):
        return False
    return not _laughs_it_off(sentence) and _is_worth(sentence)


def _laughs_it_off(sentence: Sentence) -> bool:
    """Whether somebody laughs and says nothing plain, nor what they may come to harm by."""
    meaning = sentence.meaning
    harms = meaning.slot in HARMFUL and meaning.chances["lasting"] >= SURE_WORTH
    return _LAUGHS.search(sentence.text) is not None and meaning.slot_chance < DOUBT and not harms


def _is_worth(sentence: Sentence) -> bool:
    if _is_good(sentence.meaning) or _is_good_without_opener(sentence.text) or _names_a_project(sentence):
        return True
    if is_settled(sentence.text) and sentence.meaning.slots["decision"] >= PLAIN:
        return sentence.meaning.worth["good"] >= PLAINLY_WORTH
    return _is_good_by_a_part(sentence)


def _is_good_by_a_part(sentence: Sentence) -> bool:
    """Whether the second of two clauses tells something of somebody by name, and all of it is surely worth it: "I'm
    learning to climb, Jo's brother Luka takes me every Sunday".
    """
    *before, last = _PAUSE.split(sentence.text)
    if len(before) != 1 or sentence.meaning.worth["good"] < SURE_WORTH or is_stump(last):
        return False
    named = OWN_SUBJECT.match(before[0]) is not None and names_of(f"… {last}")
    return bool(named) and _is_good(read_sentence(last))


def _is_of_known(sentence: Sentence, known: Named) -> bool:
    """Whether it is worth keeping of somebody whom the person told of: "Malte is a vegetarian" of a friend.

    A bare name may be anybody's. So it is read as said of a friend.
    """
    text = without_opener(sentence.text, call=False)
    name = next((one for one in known if known[one] == "person" and _begins_with(text, one)), "")
    if not name or _is_unmeant(sentence.meaning):
        return False
    of_friend = read_sentence(f"{FRIEND[language_of(text)]} {text.rstrip(' !')}")
    return not _is_unmeant(of_friend) and of_friend.chances["relative"] >= PLAIN and _is_good(of_friend)


def _begins_with(text: str, name: str) -> bool:
    return text.startswith(name) and text[len(name) : len(name) + 1] in (" ", "'", "’")


def _is_unmeant(meaning: Meaning) -> bool:
    """Whether it asks, quotes, supposes or jokes; what is well worth keeping is a joke only if it is surely one."""
    chances = meaning.chances
    plain = meaning.worth["good"] >= WORTH_KEEPING
    return any(
        chances[kind] >= (SURELY_JOKING if kind == "joking" and plain else DOUBT) for kind in NOT_STATED
    )


def _names_a_project(sentence: Sentence) -> bool:
    """Whether it is rather worth it than not, and names a project, of which more may be told."""
    return sentence.meaning.worth["good"] >= DOUBT and name_project(sentence.meaning, sentence.text) != ""


def _is_good(meaning: Meaning) -> bool:
    chances = meaning.chances
    tells = max(chances[kind] for kind in TELLING)
    ended = chances["ended"] >= SURE_WORTH  # "I quit smoking two years ago" lasts
    if meaning.worth["good"] >= SURE_WORTH and meaning.slot_chance >= (DOUBT if ended else CLEAR_SLOT):
        return True
    if 1 - prod(1 - chances[kind] for kind in TELLING) < DOUBT:  # a day to remember is half an event
        return False
    plain = tells >= PLAIN or (tells >= DOUBT and meaning.slot_chance >= PLAIN)
    return meaning.worth["good"] >= (PLAINLY_WORTH if plain else WORTH_KEEPING)


def _is_good_without_opener(text: str) -> bool:
    clause = without_opener(text)
    return clause != text and _is_good(read_sentence(clause))


def _shape(
    sentence: Sentence, clause: str, subject: Subject, *, speaker: str, on: date | None, shared: bool
) -> Fact:
    chances, slot = sentence.meaning.chances, sentence.meaning.slot
    theirs, named = is_of_another(sentence.meaning), subject.person or subject.project
    of_another = theirs or bool(subject.person)
    has_value = slot in VALUED and not theirs and chances["other"] < DOUBT and not name_first(slot, clause)
    detail, key = find_answer(slot, clause, chance=sentence.meaning.slot_chance) if has_value else ("", "")
    key = "" if subject.project else key
    return Fact(
        value=_worded(with_day(clause, on), subject, slot, speaker=speaker),
        key=f"{speaker}/{key}" if key and shared and speaker else key,
        slot=slot,
        detail=detail,
        person=subject.person,
        project=subject.project,
        beside=subject.beside,
        type="people" if of_another else "project" if named or slot in ("project", "decision") else "profile",
        fact_type=_fact_type("project" if subject.project else slot, theirs=of_another),
        importance=CORE if key in PROFILE else _importance(slot, subject),
        confidence=_confidence(sentence),
        start=sentence.start,
        end=sentence.end,
    )


def find_answer(slot: str, text: str, *, chance: float = 1.0) -> tuple[str, str]:
    """The bare answer that a text gives to a question of one answer at a time, and the key under which that is kept.

    Of work that is what somebody does, or else for whom; a second job has no key, and puts none out of its place.
    """
    if slot != "work":
        value = find_value(slot, text)
        return value, SINGLE[slot] if value else ""
    job = find_job(text)
    if job and chance < DOUBT and trade_nearness(job) < FAR:
        return "", ""
    value = job or find_employer(text)
    if not value or is_on_the_side(text):
        return "", ""
    return value, SINGLE[slot] if job else EMPLOYER


def _importance(slot: str, subject: Subject) -> int:
    if slot in VITAL and not subject.project:
        return 3
    return 2 if subject.person or subject.project or slot in NEAR else 1


def _worded(clause: str, subject: Subject, slot: str, *, speaker: str) -> str:
    """The clause with its subject named: the speaker, or before it the project that it doesn't name."""
    if not subject.unnamed:
        ours = not subject.project and slot in HOUSEHOLD
        return name_subject(clause, speaker=speaker, english=is_english(clause), ours=ours)
    return f"{subject.project}: {name_subject(clause, speaker='', english=is_english(clause))}"


def _fact_type(slot: str, *, theirs: bool) -> str:
    if theirs:
        return "relationship"
    return "habit" if slot == "habit" else "preference" if slot in _PREFERENCES else "fact"


def _confidence(sentence: Sentence) -> float:
    good, chances = sentence.meaning.worth["good"], sentence.meaning.chances
    clear = max(chances[kind] for kind in TELLING)
    if good >= SURE_WORTH and clear >= SURE_WORTH:
        return OUTRIGHT
    return STATED if good >= SURE_WORTH else LIKELY
