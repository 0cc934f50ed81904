"""What ranking knows of each chunk that was found: its own signals, its place, and what the question names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from uuid import UUID

from search.candidates import FoundChunk
from search.fusion import TURN_WEIGHTS, find_mentioned, rank
from search.types import Candidate, Ranked, Weights

WEIGHTS: Mapping[str, Weights] = {
    "default": TURN_WEIGHTS,
    "dense": Weights(content={"vector": 1.0}),
    "lexical": Weights(content={"lexical": 1.0}),
}


def rank_chunks(
    found: Sequence[FoundChunk], *, text: str, ranking: str
) -> Iterator[tuple[FoundChunk, Ranked]]:
    """Chunks best first; of each memory and of each message only the best: a long text is one result."""
    chunks = {chunk.id: chunk for chunk in found}
    seen: set[tuple[UUID | None, int | None]] = set()
    for item in rank(_candidates(found, text), WEIGHTS[ranking]):
        chunk = chunks[item.candidate.id]
        about = (chunk.memory_id or chunk.session_id, chunk.seq_from)
        if about not in seen:
            seen.add(about)
            yield chunk, item


def _candidates(found: Sequence[FoundChunk], text: str) -> list[Candidate]:
    """Chunks as ranking takes them: a turn stands in its session, a memory is a place of its own."""
    named = find_mentioned(text, {chunk.about for chunk in found if chunk.about})
    places: dict[UUID | None, int] = {}  # small numbers are quicker to look up by than UUIDs
    return [
        Candidate(
            chunk.id,
            _signals(chunk, named),
            places.setdefault(chunk.memory_id or chunk.session_id, len(places)),
            chunk.seq_from,
            chunk.seq_to,
        )
        for chunk in found
    ]


def _signals(chunk: FoundChunk, named: frozenset[str]) -> dict[str, float]:
    signals = {"speaker": 1.0 if chunk.about in named else 0.0}
    if chunk.lexical is not None:
        signals["lexical"] = chunk.lexical
    if chunk.vector is not None:
        signals["vector"] = chunk.vector
    return signals
