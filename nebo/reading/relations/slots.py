"""How a stated fact relates to a known one: the question that each answers, and whether both answers can hold.

Facts are worded by models, agents and rules, mostly in third person ("Lives in Porto", "Lena lives in Porto."). The
reader knows people's own words, so a fact about the speaker is read as they would say it ("I live in Porto.").
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Literal

from nebo.reading.facts.values import VALUED, find_employer, find_job, find_value
from nebo.reading.meaning.one_sentence import Meaning
from nebo.reading.meaning.reader import read_sentence, relation
from nebo.reading.relations.judging import BEYOND_DOUBT, CLEAR
from nebo.reading.relations.own_words import find_subject, own_words, starts_with_verb
from nebo.reading.relations.pair_chances import ABOUT_FACTS
from nebo.reading.relations.plans import tells_ahead
from nebo.reading.relations.same_fact import denies, may_be_same
from nebo.reading.wording.adding import adds_one_more
from nebo.reading.wording.covering import content_words, find_uncovered, language_of, list_words
from nebo.reading.wording.names import names_of
from nebo.reading.wording.polarity import is_denied, is_past
from nebo.reading.wording.vocabulary import LIGHT, kin_of
from nebo.reading.words.languages import is_english

if TYPE_CHECKING:
    from nebo.encoders.loading import Encoder
    from nebo.encoders.weights import Array

Verdict = Literal["same", "changes", "ends", "beside"]

ONE_OF_OWN = ("name", "age", "birthday", "home", "timezone", "contact", "work", "partner")  # at a time
LASTING = ("home", "work", "partner")  # of these, which hold until what is planned comes true
CERTAIN = 0.5  # chance of a slot from which a fact is taken to answer that question
DOUBT = 0.5
LEANING = 0.3  # of being over, where two answers to one settled question differ in a word
SYNONYMS = (
    0.8  # cosine of MiniLM: kids and children have 0.87, doctor and physician 0.84, third and fourth 0.79
)
SURE_ENOUGH = 0.6  # of being the same, where one says nothing that the other doesn't
NEARLY_SURE = 0.9  # of being over, where no word is shared
MOSTLY, SOME = 0.5, 0.3  # share of the shorter fact's words that both have

_PLACED = re.compile(r"\bat (?:the |my |their )?(home|work|school|night|noon|weekends?)\b")
# "lived", not "moved": a state that is told as over, in the five languages whose forms tell it.
_STATE_OVER = re.compile(
    r"\b(?:(?:worked|lived|resided|studied|had) |(?:was|were) (?!(?!married)\w+ed\b|cut\b|put\b|sold\b)|used to"
    r"|(?:wohnte|lebte|arbeitete|war|studierte|hatte)[nst]{0,2}\b"
    r"|(?:habe|hat|haben) .*\b(?:gewohnt|gelebt|gearbeitet|studiert)\b"
    r"|(?:viv(?:í|ió|ía|ieron|ían)|trabaj(?:é|ó|aba|aron)|estudi(?:é|ó|aba)|er[ao]n?|fu(?:i|e)|estuv[eo])\b"
    r"|(?:ai|a|ont) (?:habité|vécu|travaillé|étudié|été)\b|(?:habitai|vivai|travaillai|étai)(?:s|t)\b"
    r"|(?:ho|ha|hanno) (?:abitato|vissuto|lavorato|studiato)\b|(?:abitav|vivev|lavorav)[aoi]\b|(?:era|ero|erano)\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Stated:
    """A fact as it stands in a memory: whom it is about, by references (none: the person themselves), the names that
    say only that, and the person's own.
    """

    value: str
    about: frozenset[str] = frozenset()
    names: tuple[str, ...] = ()
    speaker: tuple[str, ...] = ()
    is_person: bool = True
    settled: bool = False  # it is a decision

    @property
    def words(self) -> str:
        """As the person whom it is about would say it."""
        return own_words(self.value, self.names) if self.is_person else self.value


def slot_of(stated: Stated) -> str:
    """The question that a fact about the person answers; empty for one about another, or where nobody can tell."""
    meaning = read_sentence(stated.words)
    if not stated.is_person or _is_of_another(meaning):
        return ""
    certain = meaning.slot_chance >= CERTAIN or (
        meaning.slot in VALUED and find_value(meaning.slot, stated.words)
    )
    return meaning.slot if certain else ""


def compare(known: Stated, statement: Stated) -> tuple[Verdict, float]:
    """What a newer fact is to a known one, and how likely; to be acted on from CLEAR on.

    What differs in a number, a name, a day, a word or a "not" is never the same.
    """
    if not _about_the_same(known, statement):
        return "beside", 1.0
    if known.about and not (content_words(known.value) or content_words(statement.value)):
        return ("same", 1.0) if known.value == statement.value else ("changes", 1.0)  # a bare day, a bare sum
    if _is_only_planned(known, statement):
        return "beside", 1.0
    chances = _chances(known, statement)
    if is_over(known.value) or is_over(statement.value):
        return _compare_past(known, statement, chances)
    compare_rest = _compare_different if differs(known, statement) else _compare_alike
    return compare_rest(known, statement, chances)


def _is_only_planned(known: Stated, statement: Stated) -> bool:
    """Whether one tells what is yet to come, and the other what holds until then."""
    ahead = tells_ahead(statement.value) and not tells_ahead(known.value)
    return ahead and not known.settled and slot_of(known) in LASTING


def _compare_alike(known: Stated, statement: Stated, chances: Mapping[str, float]) -> tuple[Verdict, float]:
    """What one says, the other says too, as far as code can see, and perhaps more."""
    over = chances["changes"] + chances["ends"]
    says_more = bool(_missing(known, statement) or _missing(statement, known))
    if _answer_two_questions(known, statement) and (says_more or chances["same"] < BEYOND_DOUBT):
        return "beside", 1.0
    if chances["same"] < over:
        return _verdict(chances, over)
    if says_more:
        return "beside", 1.0  # one says more: neither may be lost
    return "same", max(CLEAR if chances["same"] >= SURE_ENOUGH else 0.0, chances["same"])


def _compare_different(
    known: Stated, statement: Stated, chances: Mapping[str, float]
) -> tuple[Verdict, float]:
    """Each says something that the other doesn't."""
    over = chances["changes"] + chances["ends"]
    if adds_one_more(statement.value):
        return "beside", 1.0
    if over >= CLEAR and _may_close(known, statement, chances):
        return _verdict(chances, over)
    if _contradicts(known, statement) or _answers_the_same(known, statement, chances):
        return "changes", max(CLEAR, over)
    return "beside", 1.0 - over


def differs(one: Stated, other: Stated) -> bool:
    """Whether code can see that two facts are not the same one: each has a word, number or name that the other lacks,
    or just one of them denies.
    """
    if not may_be_same(one.value, other.value) or _letters(one.value) != _letters(other.value):
        return True
    if _elsewhere(one.value, other.value):
        return True
    return bool(_missing(one, other)) and bool(_missing(other, one))


def is_over(text: str) -> bool:
    """Whether a fact tells of a state that was."""
    return is_past(text) or bool(_STATE_OVER.search(text))


def _verdict(chances: Mapping[str, float], over: float) -> tuple[Verdict, float]:
    return ("changes" if chances["changes"] >= chances["ends"] else "ends"), over


def _compare_past(known: Stated, statement: Stated, chances: Mapping[str, float]) -> tuple[Verdict, float]:
    """What was, stays beside what is; "no longer lives in Porto" alone ends "lives in Porto"."""
    if is_over(known.value) and is_over(statement.value) and not differs(known, statement):
        return "same", chances["same"]
    is_ended = is_over(statement.value) and not is_over(known.value) and not _missing(known, statement)
    return ("ends", max(CLEAR, chances["ends"])) if is_ended and chances["other"] < DOUBT else ("beside", 1.0)


def _about_the_same(known: Stated, statement: Stated) -> bool:
    if known.about or statement.about:
        return bool(known.about & statement.about) or bool(_shared_names(known, statement))
    if known.settled and statement.settled:
        return True
    return _is_of_another(read_sentence(known.words)) == _is_of_another(read_sentence(statement.words))


def _shared_names(known: Stated, statement: Stated) -> set[str]:
    """Names in both of whom or what just one of them refers to."""
    if known.about and statement.about:
        return set()
    return set(map(str.lower, names_of(f"… {known.value}"))) & set(
        map(str.lower, names_of(f"… {statement.value}"))
    )


def _may_close(known: Stated, statement: Stated, chances: Mapping[str, float]) -> bool:
    """Whether what the reader takes for over may be closed: one thing is spoken of, or one question answered."""
    over = chances["changes"] + chances["ends"]
    if known.about & statement.about:
        return chances["changes"] >= chances["ends"] or _says_it_ended(statement)
    if (known.settled and statement.settled) or _share(known, statement) >= SOME:
        return True
    slot = slot_of(statement)
    return slot in (*ONE_OF_OWN, "decision") and (over >= NEARLY_SURE or slot_of(known) == slot)


def _says_it_ended(statement: Stated) -> bool:
    return is_denied(statement.value) or read_sentence(statement.value).may_be("ended")


def _contradicts(known: Stated, statement: Stated) -> bool:
    """Whether both say the same but for a "not"."""
    return denies(known.value) != denies(statement.value) and not (
        _missing(known, statement) or _missing(statement, known)
    )


def _answer_two_questions(known: Stated, statement: Stated) -> bool:
    """Whether the same words answer two questions: who lives in Porto needn't be from there."""
    slots = slot_of(known), slot_of(statement)
    return all(slots) and slots[0] != slots[1] and not set(slots).isdisjoint(ONE_OF_OWN)


def _answers_the_same(known: Stated, statement: Stated, chances: Mapping[str, float]) -> bool:
    """Whether two different facts are two answers to one question that has one answer at a time."""
    over = chances["changes"] + chances["ends"]
    if known.settled and statement.settled:
        is_near = over >= LEANING or chances["same"] + over >= DOUBT
        return is_near and _share(known, statement) >= MOSTLY
    if known.about & statement.about and not (_missing(known, statement) or _missing(statement, known)):
        return chances["same"] + over >= DOUBT  # another number, another day
    slot = slot_of(statement)
    if slot not in ONE_OF_OWN or slot_of(known) != slot:
        return False
    near = chances["same"] + over
    if slot == "work" and not _answer_as_workers(known.words, statement.words):
        return False
    if slot in VALUED:
        return bool(find_value(slot, known.words) and find_value(slot, statement.words))
    if slot == "partner":
        return near >= DOUBT and bool(names_of(known.words) and names_of(statement.words))
    return (slot == "age" and near >= DOUBT) or not (_missing(known, statement) or _missing(statement, known))


def _answer_as_workers(known: str, stated: str) -> bool:
    """Whether both say what somebody is, or both for whom they work: the one holds beside the other."""
    return any(find(known) and find(stated) for find in (find_job, find_employer))


def _chances(known: Stated, statement: Stated) -> dict[str, float]:
    """The chances of what one fact can be to another, adding up to one."""
    pairs = {(_named(known), _named(statement))} | (
        {(known.value, statement.words)} if not known.about else set()
    )
    read = [relation(old, new) for old, new in sorted(pairs)]
    if not read[0]:
        return {**dict.fromkeys(ABOUT_FACTS, 0.0), "other": 1.0}
    summed = {name: sum(one[name] for one in read) for name in ABOUT_FACTS}
    summed["changes"] += sum(one["put_off"] for one in read)  # a date of a project is no todo
    total = sum(summed.values())
    return {name: chance / total for name, chance in summed.items()}


def _named(stated: Stated) -> str:
    """A fact with its subject, for what came without one."""
    text = " ".join(stated.value.split())
    if stated.about:
        return _of_user(stated.speaker).sub("my", text)
    if find_subject(stated.names).match(text) or not is_english(text) or not starts_with_verb(text):
        return text
    return f"The user {text[:1].lower()}{text[1:]}"


def _missing(one: Stated, other: Stated) -> list[str]:
    """Words of one fact that nothing in the other means."""
    words = list_words(other.value)
    own = {word for name in (*one.names, *other.names, *one.speaker) for word in list_words(name)}
    left = [word for word in find_uncovered(content_words(one.value), words) if word not in own]
    if not left or not (is_english(one.value) and is_english(other.value)):
        return left
    return [
        word
        for word in left
        if not any(are_synonyms(word, statement) for statement in content_words(other.value))
    ]


def _letters(text: str) -> set[str]:
    """Single letters that name something: room B, plan C."""
    light = LIGHT[language_of(text)]
    return {word for word in list_words(text) if len(word) == 1 and not word.isdigit() and word not in light}


def _elsewhere(one: str, other: str) -> bool:
    """Whether each names a place that the other doesn't, in small words too: at work, at home."""
    ours, theirs = set(_PLACED.findall(one.lower())), set(_PLACED.findall(other.lower()))
    return bool(ours - theirs) and bool(theirs - ours)


def _share(known: Stated, statement: Stated) -> float:
    """The share of the shorter fact's words that both have, 0 to 1."""
    counts = [len(content_words(one.value)) for one in (known, statement)]
    common = min(counts[0] - len(_missing(known, statement)), counts[1] - len(_missing(statement, known)))
    return max(common, 0) / max(min(counts), 1)


@lru_cache(20_000)
def are_synonyms(one: str, other: str) -> bool:
    """Whether two English words mean the same; kin is told apart by name."""
    if kin_of(one) or kin_of(other):
        return False
    return float(_vector(one) @ _vector(other)) >= SYNONYMS


@lru_cache(20_000)
def _vector(word: str) -> Array:
    encoder: Encoder = import_module("nebo.encoders.loading").load_plain_minilm()
    return encoder.encode(word)


def _is_of_another(meaning: Meaning) -> bool:
    chances = meaning.chances
    return max(chances["relative"], chances["other"]) >= DOUBT and chances["lasting"] < DOUBT


@lru_cache(256)
def _of_user(names: tuple[str, ...]) -> re.Pattern[str]:
    """The person's possessive, as it stands in a fact about somebody else: "the user's", "Lena's"."""
    return re.compile(
        rf"\b(?:the user|{'|'.join(map(re.escape, names)) or 'the user'})['’]s\b", re.IGNORECASE
    )
