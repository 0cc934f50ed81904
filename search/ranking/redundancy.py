"""Near-identical results: the best of them stands, the others make room for what says something else."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import ceil

from search.language import segment_for_query
from search.questions.names import WORD

SAME = 0.8  # share of all words that two texts have in common, from which they say the same
PENALTY = 0.5  # of its score, for a text that repeats one above it word for word
ROUNDING = 1e-9  # 0.8 · 35 is a little more than 28
LOOK_AHEAD = 5  # results beyond those asked for that may move up


def repetitions(texts: Sequence[str]) -> list[float]:
    """How much each text repeats one before it, 0 or 0.8..1: the words in common of all they have (Jaccard)."""
    by_word: dict[str, list[frozenset[str]]] = {}
    return [_repeated(own, first, by_word) for own, first in map(_words_and_first, texts)]


@lru_cache(1_000)  # some 3 kB each; a chunk has 1,600 characters at most
def _words_and_first(text: str) -> tuple[frozenset[str], tuple[str, ...]]:
    """Its words, and those by which another that shares most of them is found.

    Two texts that share so many words have in common one of the first in any order, if no more than a fifth and
    one of them are left out (prefix filter; Chaudhuri, Ganti and Kaushik, 2006).
    """
    own = words_of(text)
    rarest_first = sorted(sorted(own), key=len, reverse=True)  # long words are rarer
    return own, tuple(rarest_first[: len(own) - ceil(SAME * len(own) - ROUNDING) + 1])


def _repeated(own: frozenset[str], first: Sequence[str], by_word: dict[str, list[frozenset[str]]]) -> float:
    """The greatest overlap with a text before this one; `by_word` holds those, by a few of their words."""
    share = max((overlap(own, other) for word in first for other in by_word.get(word, ())), default=0.0)
    for word in first:
        by_word.setdefault(word, []).append(own)
    return share


def words_of(text: str) -> frozenset[str]:
    """Its words in small letters; pairs of characters where a script has no spaces."""
    return frozenset(WORD.findall(segment_for_query(text).casefold()))


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """Words in common as a share of all, or 0 where they differ by more than a few."""
    if not one or min(len(one), len(other)) < SAME * max(len(one), len(other)):
        return 0.0
    common = len(one & other)
    share = common / (len(one) + len(other) - common)
    return share if share >= SAME else 0.0
