"""Whether two wordings that a model finds alike can be the same fact: a vector barely sees a number or a “not”."""

from __future__ import annotations

import re

SAME_FACT_SIMILARITY = 0.90  # cosine; from here on two wordings are one fact (seed 003)

_NUMBER = re.compile(r"\d+(?:[.:,]\d+)*")
_NAME = re.compile(r"(?<![.!?:]\s)(?<!^)\b[A-ZÀ-Þ][\w'’-]*", re.MULTILINE)
_WORD = re.compile(r"[\w'’]+")
_NEGATIONS = frozenset(
    {
        "no", "not", "never", "none", "nobody", "nothing", "without", "cannot", "can't", "cant", "don't", "dont",
        "doesn't", "doesnt", "didn't", "didnt", "isn't", "isnt", "aren't", "arent", "wasn't", "won't", "wont",
        "stopped", "quit", "hates", "hate", "dislikes", "dislike", "former", "ex",
    }
)  # fmt: skip


def is_same_text(one: str, other: str) -> bool:
    """Whether two texts differ in nothing but case and spacing."""
    return " ".join(one.split()).casefold() == " ".join(other.split()).casefold()


def may_be_same(one: str, other: str) -> bool:
    """False where each side has a number or a name the other lacks, or just one of them denies."""
    if _denies(one) != _denies(other):
        return False
    return not (_both_differ(_NUMBER, one, other) or _both_differ(_NAME, one, other))


def _denies(text: str) -> bool:
    words = (word.replace("’", "'").lower() for word in _WORD.findall(text))
    return sum(word in _NEGATIONS for word in words) % 2 == 1


def _both_differ(pattern: re.Pattern[str], one: str, other: str) -> bool:
    ours, theirs = set(pattern.findall(one)), set(pattern.findall(other))
    return bool(ours - theirs) and bool(theirs - ours)
