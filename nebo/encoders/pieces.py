"""SentencePiece's unigram tokenizer over sorted hashes: 250,000 pieces take 4 MB, as a dict 37."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np

from nebo.encoders.weights import Array

MARK = "\u2581"  # what a space becomes, so that pieces know where a word begins
ENCODING = "utf-32-le"  # what is hashed: as strings, “ab” and “扡” have the same
LONGEST = 16  # characters of a piece, as SentencePiece trains them
UNKNOWN_COST = 10.0  # by which an unknown character scores worse than the worst piece, as in SentencePiece
MAX_TOKENS = 512  # places that multilingual-e5-small knows, begin and end included
CACHED_WORDS = 10_000  # some 300 bytes each
CACHED_CHARS = 24  # of such a word: without spaces a whole sentence is one, and doesn't come again

Part: TypeAlias = tuple[int, int, int, float]  # of a word: from, to, number and score of its piece

_SPACES = re.compile(" {2,}")


@dataclass(frozen=True, slots=True)
class Pieces:
    """A vocabulary: hash, number and score (log probability) of each piece, in the order of the hashes.

    A hash has 64 bits, others in every process. That two pieces share theirs has a chance of 10⁻⁹, that a part of a
    text has some piece's by accident one of 10⁻¹⁴.
    """

    hashes: Array
    numbers: Array
    scores: Array
    unknown_score: float
    unknown: int
    begin: int
    end: int
    characters: dict[int, str]  # what characters are exchanged for

    def list_parts(self, word: str) -> Iterator[Part]:
        """The parts of a word that are pieces, and its characters that are none as unknown; by where they begin."""
        size, raw = len(word), word.encode(ENCODING)
        spans = [(a, b) for a in range(size) for b in range(a + 1, min(size, a + LONGEST) + 1)]
        hashes = np.array([hash(raw[4 * a : 4 * b]) for a, b in spans], np.int64)
        at = np.minimum(np.searchsorted(self.hashes, hashes), len(self.hashes) - 1)
        columns = self.hashes[at] == hashes, self.numbers[at], self.scores[at]
        found = zip(*(column.tolist() for column in columns), strict=True)
        for (start, stop), (is_piece, number, score) in zip(spans, found, strict=True):
            if is_piece:
                yield start, stop, number, score
            elif stop == start + 1:
                yield start, stop, self.unknown, self.unknown_score


def sort_pieces(
    names: Iterable[str], scores: Array, *, unknown: int, begin: int, end: int, characters: dict[int, str]
) -> Pieces:
    """Of pieces in the order of their numbers."""
    hashes = np.fromiter((hash(name.encode(ENCODING)) for name in names), np.int64, len(scores))
    order = np.argsort(hashes)
    return Pieces(
        hashes=hashes[order],
        numbers=order.astype(np.int32),
        scores=scores[order],
        unknown_score=float(scores.min()) - UNKNOWN_COST,
        unknown=unknown,
        begin=begin,
        end=end,
        characters=characters,
    )


class PieceTokenizer:
    """Cuts each word into the pieces of the highest total score (Kudo, ACL 2018)."""

    def __init__(self, pieces: Pieces) -> None:
        self._pieces = pieces
        self._cut_cached = lru_cache(CACHED_WORDS)(self._cut_word)

    def encode(self, text: str) -> list[int]:
        """Numbers of the pieces between those of begin and end, at most 512."""
        exchanged = unicodedata.normalize("NFC", text).translate(self._pieces.characters)
        plain = _SPACES.sub(" ", exchanged).removeprefix(" ")[: MAX_TOKENS * LONGEST]
        found = [number for word in plain.split(" ") for number in self._cut(MARK + word)]
        return [self._pieces.begin, *found[: MAX_TOKENS - 2], self._pieces.end]

    def _cut(self, word: str) -> tuple[int, ...]:
        return self._cut_cached(word) if len(word) <= CACHED_CHARS else self._cut_word(word)

    def _cut_word(self, word: str) -> tuple[int, ...]:
        """Viterbi: the best way to every place, then back from the end."""
        best = [0.0] + [float("-inf")] * len(word)
        came: list[tuple[int, int]] = [(0, 0)] * len(best)
        for start, stop, number, score in self._pieces.list_parts(word):
            if best[start] + score > best[stop]:
                best[stop] = best[start] + score
                came[stop] = (start, number)
        found: list[int] = []
        at = len(word)
        while at:
            at, number = came[at]
            found.append(number)
        return tuple(reversed(found))
