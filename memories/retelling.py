"""Whether a sentence says again, in other words, what was read by rule in the same words of a message."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memories.same_fact import may_be_same

SHORT_WORD = 3  # letters; too short to have an ending
DETAIL_SHARE = 2 / 3  # of the words of the bare value ("tabs over spaces") that the other wording must have

_WORD = re.compile(r"\w{2,}")
_ENDING = re.compile(r"(?:ing|ed|es|e|s)$")
_DATE = re.compile(r"\s\([^()]*\)$")  # what the rules make of "last week": no word of the person's
_EMPTY_WORDS = frozenset(
    {
        "about", "all", "and", "are", "been", "did", "does", "everything", "for", "from", "had", "has", "have", "her",
        "him", "his", "like", "likes", "our", "said", "she", "so", "that", "the", "their", "them", "they", "this",
        "those", "to", "told", "us", "user", "was", "we", "what", "when", "which", "who", "with", "you", "your",
        "an", "at", "be", "by", "do", "he", "in", "is", "it", "its", "me", "my", "of", "on", "or", "called",
        "named", "name",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Told:
    """What a rule made of some words: a sentence, the bare value in it, whom it is about, and the words themselves."""

    value: str
    detail: str
    entity: str
    quote: str


def stems(text: str) -> set[str]:
    """The words that carry meaning, without their commonest endings: "plays" and "play" are one."""
    words = {word.lower() for word in _WORD.findall(text)} - _EMPTY_WORDS
    return {_ENDING.sub("", word) if len(word) > SHORT_WORD else word for word in words}


def tells_again(told: Told, value: str, *, quote: str) -> bool:
    """Whether `value`, read in `quote`, adds nothing to what was told.

    It must name whom that is about, say its bare value (or nothing but words of it), contradict no number, name or
    “not”, and use no word of the person's that the rule didn't. The reader's own words ("a pet named …") don't count
    while they are no more than half: they come from no message.
    """
    ours, theirs = stems(told.value), stems(value)
    same = may_be_same(_DATE.sub("", told.value), value)
    if not theirs or not stems(told.entity) <= theirs or not same:
        return False
    if (theirs & stems(f"{told.quote} {quote}")) - ours or len(theirs & ours) * 2 < len(theirs):
        return False
    detail = stems(told.detail) or ours
    return theirs <= ours or len(detail & theirs) >= len(detail) * DETAIL_SHARE


def likeness(told: Told, value: str) -> float:
    """The share of their words that both have, 0 to 1 (Jaccard)."""
    ours, theirs = stems(told.value), stems(value)
    return len(ours & theirs) / max(len(ours | theirs), 1)
