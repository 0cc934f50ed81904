"""Which facts may be folded into one. Careful on purpose: what could contradict each other is left apart.

Two facts are the *same* when one says all that the other says, in the same order, and their vectors agree. They are
*scattered* when they are about the same subject and near in meaning or words, and neither can be the other's
contradiction: no differing number, day or name, no denial of just one, and not two values of one thing ("lives in
Lisbon", "lives in Porto"; "is a vegan", "is a baker" too, since nobody can tell).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Literal
from uuid import UUID

from nebo.reading.relations.same_fact import is_same_text, may_be_same
from nebo.reading.times.calendar_words import MONTHS, WEEKDAY_NAMES, WEEKDAYS
from nebo.reading.wording.vocabulary import kin_of
from search.questions.names import bare

# Cosines, measured with all-MiniLM-L6-v2: "lives in Seattle" and "lives in Seattle with dogs" 0.88, "has a dog" and
# "has a dog allergy" 0.77; "handles backend" and "owns the backend deploys" 0.81, two unlike facts about one 0.55.
SAYS_ALL_SIMILARITY = 0.85  # the same, where one has all the words of the other
RELATED_SIMILARITY = 0.65  # facts about one subject that belong together
SCATTERED_MIN = 3  # facts; two stand well beside each other
CACHED = 2_048  # facts whose words are kept at hand while they are compared
FOLD_CHARS = 400  # characters of a fold: a line that is still read at once

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_NUMBER = re.compile(r"\d+(?:[.:,/]\d+)*")
_CAPITAL = re.compile(r"(?<!^)(?<![.!?:;]\s)\b[A-ZÀ-Þ][\w'’-]*")
_FILLERS = frozenset(
    _WORD.findall(
        "a an the is are am be it its this that he she they his her hers their theirs my mine i me user"
    )
)
_COPULAS = frozenset(_WORD.findall("is are am was were be"))
_DAYS = frozenset(
    _WORD.findall("|".join((*MONTHS, *WEEKDAYS, *(f"{name}s" for name in WEEKDAY_NAMES))).casefold())
    + _WORD.findall(
        """today tomorrow yesterday tonight next last spring summer autumn fall winter morning mornings evening evenings
    night nights noon weekend weekends one two three four five six seven eight nine ten eleven twelve first second
    third"""
    )
)
_ENDINGS = re.compile(r"(?:['’]s|ies|es|s|ing|ed)$")

Kind = Literal["same", "scattered"]


@dataclass(frozen=True, slots=True)
class Fact:
    """A memory as it is compared: `subject` are the words of the name of whom it is about."""

    id: UUID
    value: str
    subject: frozenset[str] = frozenset()
    has_entity: bool = False
    is_tie: bool = False  # what somebody is to the person


@dataclass(frozen=True, slots=True)
class FoldCandidate:
    """Facts to fold, the one that leads first."""

    kind: Kind
    facts: tuple[Fact, ...]


Near = Mapping[frozenset[UUID], float]


def find_fold_candidates(
    facts: Sequence[Fact], near: Near, *, apart: Collection[frozenset[UUID]] = ()
) -> list[FoldCandidate]:
    """What of one group can be folded; each fact in one cluster at most. `apart` are pairs a person took apart."""
    same = _find_same(facts, near, apart)
    taken = {fact.id for candidate in same for fact in candidate.facts}
    left = [fact for fact in facts if fact.id not in taken and fact.has_entity]
    return [*same, *_find_scattered(left, near, apart)]


def says_all(longer: Fact, shorter: Fact) -> bool:
    """Whether every word of `shorter` stands in `longer`, in the same order."""
    wanted = iter(_content(longer))
    return all(word in wanted for word in _content(shorter))


def list_covered(facts: Sequence[Fact]) -> list[Fact]:
    """Those that no other says as well: what a line about all of them has to tell."""
    return [
        fact
        for place, fact in enumerate(facts)
        if not any(
            says_all(other, fact) and (not says_all(fact, other) or other_place < place)
            for other_place, other in enumerate(facts)
            if other is not fact
        )
    ]


def contradicts(one: Fact, other: Fact) -> bool:
    """Whether two facts could be two answers to one question; rather yes than no."""
    ours, theirs = set(_content(one)), set(_content(other))
    if ours - theirs and theirs - ours and (_predicate(one) == _predicate(other) or len(ours & theirs) >= 2):
        return True
    if not may_be_same(one.value, other.value) or _differ(one, other, _NUMBER):
        return True
    return _differ(one, other, _CAPITAL) or _days_differ(one, other)


def is_faithful(text: str, facts: Sequence[Fact]) -> bool:
    """Whether a wording by a model keeps to the facts: one line, every number and name, none that is new, and of
    each fact at least half the words."""
    line = text.strip()
    if not line or "\n" in line or len(line) > FOLD_CHARS:
        return False
    joined = " ".join(fact.value for fact in facts)
    if set(_NUMBER.findall(line)) != set(_NUMBER.findall(joined)):
        return False
    known, kept = _words(joined), _words(line)
    names = {name.casefold() for name in _CAPITAL.findall(line)}
    needed = {name.casefold() for fact in facts for name in _CAPITAL.findall(fact.value)}
    if not (names <= known and needed <= kept and may_be_same(line, joined)):
        return False
    stems = set(_content(Fact(facts[0].id, line, facts[0].subject)))
    return all(_share(_content(fact), stems) >= 0.5 for fact in facts)


def _find_same(facts: Sequence[Fact], near: Near, apart: Collection[frozenset[UUID]]) -> list[FoldCandidate]:
    """Around the fact that says most, those it says as well."""
    candidates: list[FoldCandidate] = []
    left = sorted(facts, key=lambda fact: (len(_content(fact)), len(fact.value)), reverse=True)
    while left:
        centre, *rest = left
        within = [
            fact for fact in rest if _is_same(centre, fact, near) and not _is_apart(centre, fact, apart)
        ]
        if within:
            candidates.append(FoldCandidate("same", (centre, *within)))
        taken = {fact.id for fact in within}
        left = [fact for fact in rest if fact.id not in taken]
    return candidates


def _find_scattered(
    facts: Sequence[Fact], near: Near, apart: Collection[frozenset[UUID]]
) -> list[FoldCandidate]:
    """Groups in which no two facts clash, in the order of the facts."""
    groups: list[list[Fact]] = []
    for fact in facts:
        fits = (group for group in groups if _fits(fact, group, near, apart))
        found = next(fits, None)
        if found is None:
            groups.append([fact])
        else:
            found.append(fact)
    return [FoldCandidate("scattered", tuple(group)) for group in groups if len(group) >= SCATTERED_MIN]


def _fits(fact: Fact, group: Sequence[Fact], near: Near, apart: Collection[frozenset[UUID]]) -> bool:
    if sum(len(other.value) + 2 for other in group) + len(fact.value) > FOLD_CHARS:
        return False
    if not any(_is_related(fact, other, near) for other in group):
        return False
    return not any(_is_apart(fact, other, apart) or contradicts(fact, other) for other in group)


def _is_same(centre: Fact, fact: Fact, near: Near) -> bool:
    if is_same_text(centre.value, fact.value):
        return True
    if not says_all(centre, fact) or contradicts(centre, fact):
        return False
    if len(_content(centre)) == len(_content(fact)) or (centre.is_tie and fact.is_tie):
        return True
    return near.get(frozenset((centre.id, fact.id)), 0.0) >= SAYS_ALL_SIMILARITY


def _is_related(one: Fact, other: Fact, near: Near) -> bool:
    shared = set(_content(one)) & set(_content(other))
    return bool(shared) or near.get(frozenset((one.id, other.id)), 0.0) >= RELATED_SIMILARITY


def _is_apart(one: Fact, other: Fact, apart: Collection[frozenset[UUID]]) -> bool:
    return frozenset((one.id, other.id)) in apart


def _differ(one: Fact, other: Fact, pattern: re.Pattern[str]) -> bool:
    """Whether each side has one that the other lacks, the subject's own name aside."""
    ours, theirs = (
        {found.casefold() for found in pattern.findall(fact.value)} - one.subject for fact in (one, other)
    )
    return bool(ours - theirs) and bool(theirs - ours)


def _days_differ(one: Fact, other: Fact) -> bool:
    ours, theirs = _words(one.value) & _DAYS, _words(other.value) & _DAYS
    return bool(ours) and bool(theirs) and ours != theirs


@lru_cache(maxsize=CACHED)
def _content(fact: Fact) -> tuple[str, ...]:
    """What a fact says: its words without the subject's name and the little ones, without their endings."""
    words = [bare(word) for word in _WORD.findall(fact.value)]
    return tuple(_meant(word) for word in words if word not in _FILLERS and word not in fact.subject)


@lru_cache(maxsize=CACHED)
def _predicate(fact: Fact) -> str:
    """The first word that says something: the verb, as a rule; every form of "to be" is one."""
    words = [word.casefold() for word in _WORD.findall(fact.value)]
    rest = [word for word in words if word not in fact.subject]
    first = next((word for word in rest if word in _COPULAS or word not in _FILLERS), "")
    return "be" if first in _COPULAS else _stem(first)


def _meant(word: str) -> str:
    """A word without its ending; those for one relative are one word: mum, mother."""
    return min(kin_of(word), default="") or _stem(word)


def _stem(word: str) -> str:
    stem = _ENDINGS.sub("", word)
    return stem if len(stem) > 2 else word


def _words(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text)}


def _share(words: Sequence[str], among: set[str]) -> float:
    """The share of `words` that stands in `among`; 1 for none."""
    return sum(word in among for word in words) / len(words) if words else 1.0


def pairs_of(ids: Sequence[UUID]) -> list[frozenset[UUID]]:
    """Every two of them."""
    return [frozenset(pair) for pair in combinations(ids, 2)]
