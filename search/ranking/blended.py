"""`ranking=blended`: the vector search of an app for personas, with its numbers (docs/search.md#rankings).

The 50 nearest to the question are ordered anew by 40 % similarity, 30 % recency (a half after each 14 days) and
30 % frequency: how often an entity of theirs occurs among the 50. It was made for memories alone; a turn, where
turns are asked for, names no entities. Types, persona and status are filtered by the statement, before the 50.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from uuid import UUID

import numpy as np

from search.ranking.fusion import recency
from search.ranking.types import Column, Ranked
from search.retrieval.candidates import CandidateQuery, FoundChunk, find_candidates

CANDIDATES = 50  # docs/design.md#search-numbers
SIMILARITY, RECENCY, FREQUENCY = 0.4, 0.3, 0.3


def rank_blended(query: CandidateQuery) -> Iterator[tuple[FoundChunk, Ranked]]:
    """Search and rank; best first. Where no vector could be made, BM25 as a share of the best stands for it."""
    return rank_nearest(_nearest(find_candidates(replace(query, leg=CANDIDATES))))


def rank_nearest(found: Sequence[FoundChunk]) -> Iterator[tuple[FoundChunk, Ranked]]:
    """The candidates by the blend of the three; pure."""
    ages = np.array([chunk.age_days for chunk in found])
    closeness = np.array([_closeness(chunk) for chunk in found])
    counts, shares = frequencies(found)
    columns = (
        Column("similarity", closeness, np.array(similarities(found)), SIMILARITY),
        Column("recency", ages, recency(ages), RECENCY),
        Column("frequency", np.array(counts), np.array(shares), FREQUENCY),
    )
    ranked = [
        (chunk, Ranked(position, sum(column.part(position).points for column in columns), columns))
        for position, chunk in enumerate(found)
    ]
    return iter(sorted(ranked, key=lambda pair: (-pair[1].score, pair[0].id)))


def similarities(found: Sequence[FoundChunk]) -> list[float]:
    """The cosine, not below 0; of candidates without any vector their BM25 as a share of the highest."""
    if any(chunk.vector is not None for chunk in found):
        return [min(max(chunk.vector or 0.0, 0.0), 1.0) for chunk in found]
    most = max((chunk.lexical or 0.0 for chunk in found), default=0.0) or 1.0
    return [(chunk.lexical or 0.0) / most for chunk in found]


def frequencies(found: Sequence[FoundChunk]) -> tuple[list[float], list[float]]:
    """How many candidates share each one's commonest entity, and that as a share of the highest."""
    refs = [entity_refs(chunk) for chunk in found]
    counts = Counter(ref for own in refs for ref in own)
    raw = [max((counts[ref] for ref in own), default=0) for own in refs]
    most = max(raw, default=0) or 1
    return [float(count) for count in raw], [count / most for count in raw]


def entity_refs(chunk: FoundChunk) -> frozenset[str]:
    """The `type:slug` keys of a memory; a turn has none."""
    lines = chunk.about.split("\n") if chunk.memory_id else ()
    return frozenset(line for line in lines if ":" in line and " " not in line)


def _nearest(found: Iterable[FoundChunk]) -> list[FoundChunk]:
    """Of each memory or message its nearest chunk, of those the 50 nearest."""
    best: dict[tuple[UUID | None, int | None], FoundChunk] = {}
    for chunk in sorted(found, key=lambda chunk: (-_closeness(chunk), -(chunk.lexical or 0.0), chunk.id)):
        best.setdefault((chunk.memory_id or chunk.session_id, chunk.seq_from), chunk)
    return list(best.values())[:CANDIDATES]


def _closeness(chunk: FoundChunk) -> float:
    return -1.0 if chunk.vector is None else chunk.vector
