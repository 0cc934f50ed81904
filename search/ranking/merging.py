"""Candidates as a reader knows them: all that was found of one message, or of one memory, counts together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from search.ranking.types import Weights
from search.retrieval.candidates import FoundChunk


class Whole(NamedTuple):
    """A message or a memory: its chunks as one, the cosine of its beginning, and the chunk that a result shows."""

    merged: FoundChunk
    opening: float | None
    shown: FoundChunk


def merge_chunks(found: Sequence[FoundChunk], weights: Weights) -> list[Whole]:
    """One for each message and each memory. Each word, and the meaning, count by the chunk that has most of it.

    So a long answer is one candidate, as likely as a short one, and not a dozen; and what it says in its second
    paragraph counts beside what it says in its fifth.
    """
    chunks_of: dict[tuple[int, int | None], list[FoundChunk]] = {}
    for chunk in found:
        about = chunk.memory_id or chunk.session_id
        key = (
            about.int if about else chunk.id,
            chunk.seq_from,
        )  # numbers are quicker to tell apart than UUIDs are
        if key in chunks_of:
            chunks_of[key].append(chunk)
        else:
            chunks_of[key] = [chunk]
    highest = max([chunk.lexical or 0.0 for chunk in found], default=0.0) or 1.0
    by_words, by_meaning = weights.content.get("lexical", 0.0) / highest, weights.content.get("vector", 0.0)
    return [
        Whole(chunks[0], chunks[0].vector, chunks[0])
        if len(chunks) == 1
        else _merge(chunks, by_words, by_meaning)
        for chunks in chunks_of.values()
    ]


def _merge(chunks: Sequence[FoundChunk], by_words: float, by_meaning: float) -> Whole:
    """Chunks of one text have their ids in its order."""
    first, last = min(chunks), max(chunks)
    points = _best_points(chunks)
    merged = first._replace(
        lexical=max([chunk.lexical for chunk in chunks if chunk.lexical is not None], default=None),
        vector=max([chunk.vector for chunk in chunks if chunk.vector is not None], default=None),
        length=max([chunk.length for chunk in chunks if chunk.length is not None], default=None),
        asks=last.asks,
        terms=list(points),
        points=list(points.values()),
        names_time=any(chunk.names_time for chunk in chunks),
    )
    worth = [by_words * (chunk.lexical or 0.0) + by_meaning * (chunk.vector or 0.0) for chunk in chunks]
    return Whole(merged, first.vector, chunks[worth.index(max(worth))])


def _best_points(chunks: Iterable[FoundChunk]) -> dict[int, float]:
    """What each word of the question adds, by its number, where it adds most."""
    best: dict[int, float] = {}
    for chunk in chunks:
        for term, points in zip(chunk.terms or (), chunk.points or (), strict=True):
            best[term] = max(points, best.get(term, 0.0))
    return best
