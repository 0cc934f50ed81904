"""Near-identical results: the best of them stands, the others make room for what says something else."""

from __future__ import annotations

from collections.abc import Sequence

from search.language import segment_for_query
from search.names import WORD

SAME = 0.8  # share of all words that two texts have in common, from which they say the same
PENALTY = 0.5  # of its score, for a text that repeats one above it word for word
LOOK_AHEAD = 5  # results beyond those asked for that may move up


def repetitions(texts: Sequence[str]) -> list[float]:
    """How much each text repeats one before it, 0 or 0.8..1: the words in common of all they have (Jaccard)."""
    words = [words_of(text) for text in texts]
    return [
        max((overlap(own, other) for other in words[:number]), default=0.0)
        for number, own in enumerate(words)
    ]


def words_of(text: str) -> frozenset[str]:
    """Its words in small letters; pairs of characters where a script has no spaces."""
    return frozenset(word.casefold() for word in WORD.findall(segment_for_query(text)))


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """Words in common as a share of all, or 0 where they differ by more than a few."""
    if not one or min(len(one), len(other)) < SAME * max(len(one), len(other)):
        return 0.0
    common = len(one & other)
    share = common / (len(one) + len(other) - common)
    return share if share >= SAME else 0.0
