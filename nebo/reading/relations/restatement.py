"""Whether a sentence only rewords what was read in the same words of a message."""

from __future__ import annotations

import re
from dataclasses import dataclass

from nebo.reading.relations.same_fact import may_be_same
from nebo.reading.wording.covering import language_of
from nebo.reading.words.kept import kept
from nebo.reading.words.pauses import split_at_pauses
from nebo.reading.words.stop_words import FRENCH, GERMAN, ITALIAN, SPANISH, STOPWORDS

SHORT_WORD = 3  # letters; too short to have an ending
DETAIL_SHARE = 2 / 3  # of the words of the bare value ("tabs over spaces") that the other wording must have

OF_LANGUAGE = {"de": GERMAN, "es": SPANISH, "fr": FRENCH, "it": ITALIAN}
NONE = frozenset[str]()
_WORD = re.compile(r"\w{2,}")
_ENDING = re.compile(r"(?:(?<!^.)(?<!^[^aeiouy]{2})(?<!^[^aeiouy]{3})ing|ed|es|e|s)$")  # not of "sing"
_DATE = re.compile(r"\s\([^()]*\d[^()]*\)")  # what a reading makes of "last week": no word of the person's


@dataclass(frozen=True, slots=True)
class SourcedStatement:
    """What was made of some words: a sentence, the bare value in it (if a rule found one), whom it is about, and the
    words themselves.
    """

    value: str
    detail: str
    entity: str
    quote: str


@kept
def stems(text: str) -> frozenset[str]:
    """The words that carry meaning, without their commonest endings: "plays" and "play" are one."""
    words = {word.lower() for word in _WORD.findall(text)} - STOPWORDS
    return frozenset(_ENDING.sub("", word) if len(word) > SHORT_WORD else word for word in words)


def telling_stems(text: str) -> frozenset[str]:
    """The same without the grammar of its language: "mon père est là" tells of a father alone."""
    grammar = OF_LANGUAGE.get(language_of(text), NONE)
    return stems(" ".join(word for word in _WORD.findall(text) if word.lower() not in grammar))


def restates(stated: SourcedStatement, value: str, *, quote: str) -> bool:
    """Whether `value`, read in `quote`, adds nothing to what was told.

    It must name whom that is about, contradict no number, name or “not”, and use no word of the person's that isn't in
    what was told. The reader's own words ("a pet named …") don't count while they are no more than half: they come from
    no message. Where a bare value was found, it must be said: another value takes the place of the whole one day, and
    "two cats" must outlive the home that was told in the same breath.
    """
    ours, theirs = stems(stated.value), stems(value)
    same = any(
        may_be_same(_DATE.sub("", text), value) for text in (stated.value, _part_saying(stated.value, value))
    )
    if not theirs or not stems(stated.entity) <= theirs or not same:
        return False
    if (theirs & stems(f"{stated.quote} {quote}")) - ours or len(theirs & ours) * 2 < len(theirs):
        return False
    detail = stems(stated.detail)
    return len(detail & theirs) >= len(detail) * DETAIL_SHARE


def _part_saying(fuller: str, value: str) -> str:
    """The part of a sentence that says most of it: "cycles to work" of what goes on with "haven't taken the train"."""
    parts, words = split_at_pauses(fuller), stems(value)
    return max(parts, key=lambda part: len(words & stems(part))) if parts else fuller


def says_all(fuller: str, value: str) -> bool:
    """Whether a sentence has every word that tells something in the other one."""
    return stems(value) <= stems(_DATE.sub("", fuller))


def says_more_than(fuller: str, value: str) -> bool:
    """Whether it has words beside them."""
    return bool(stems(_DATE.sub("", fuller)) - stems(value))


def likeness(stated: SourcedStatement, value: str) -> float:
    """The share of their words that both have, 0 to 1 (Jaccard)."""
    ours, theirs = stems(stated.value), stems(value)
    return len(ours & theirs) / max(len(ours | theirs), 1)
