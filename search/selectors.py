"""Searching what is known of one person: two statements, one fused score, every part explainable."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection
from pgvector import HalfVector

from nebo.tenants.models import Tenant
from nebo.tenants.scoping import tenant_id_of
from nebo.tenants.selectors import get_shared_profile
from search.candidates import CandidateQuery, FoundChunk, find_candidates
from search.fusion import SESSION_CHUNK_DAMPENING, TURN_WEIGHTS, adaptive_weights, find_mentioned, rank
from search.language import DEFAULT_LANGUAGE, UNSURE, choose_configuration, segment_for_query
from search.serving import get_serving_model
from search.types import Candidate, Ranked, Weights

SOURCES = ("memory", "session")
RANKINGS = ("default", "seed", "dense", "lexical")
QUERY_CHARS = 8_000


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """A question about one person. Empty filters let everything through; `min_score` is 0..1."""

    text: str
    profile_id: UUID
    limit: int = 10
    sources: Sequence[str] = SOURCES
    namespace: str = ""
    layer: str = ""
    types: Sequence[str] = ()
    persona_id: UUID | None = None
    session_id: UUID | None = None
    min_score: float | None = None
    explain: bool = False
    ranking: str = "default"


@dataclass(frozen=True, slots=True)
class MessageRef:
    """A message a result is about."""

    id: UUID
    external_id: str | None


@dataclass(frozen=True, slots=True)
class Hit:
    """One result; `score` is 0..1 within this answer, `vector_score` a cosine, `text_score` a BM25 score."""

    source: str
    memory_id: UUID | None
    namespace: str
    key: str
    session_id: UUID | None
    messages: tuple[MessageRef, ...]
    text: str
    score: float
    vector_score: float | None
    text_score: float | None
    created_at: datetime
    speaker: str = ""
    parts: dict[str, dict[str, float]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """Results best first, and how long it took in the process; milliseconds."""

    results: tuple[Hit, ...]
    took_ms: float


@dataclass(frozen=True, slots=True)
class Nearest:
    """A memory and its cosine to a vector."""

    memory_id: UUID
    similarity: float


def search(*, tenant: Tenant | UUID, query: SearchQuery, vector: list[float] | None) -> SearchAnswer:
    """Hybrid search in the open scope; without a vector it goes by words alone."""
    started = time.perf_counter()
    found = find_candidates(_candidate_query(tenant, query, vector)) if query.text.strip() else []
    ranked = _best_of_each(rank(_candidates(found, query), _weights(query)), found)
    chosen = [item for item in ranked if query.min_score is None or item.score >= query.min_score]
    hits = _as_hits(tenant, chosen[: query.limit], found, query)
    return SearchAnswer(hits, round((time.perf_counter() - started) * 1000, 3))


def _candidate_query(tenant: Tenant | UUID, query: SearchQuery, vector: list[float] | None) -> CandidateQuery:
    text = query.text[:QUERY_CHARS]
    languages = dict.fromkeys(
        (choose_configuration(text, default=DEFAULT_LANGUAGE), DEFAULT_LANGUAGE, UNSURE)
    )
    return CandidateQuery(
        tenant_id=tenant_id_of(tenant),
        profile_ids=[query.profile_id, get_shared_profile(tenant=tenant).pk],
        text=segment_for_query(text),
        languages=list(languages),
        model_id=get_serving_model().id,
        vector=None if query.ranking == "lexical" else vector,
        sources=query.sources,
        namespace=query.namespace,
        layer=query.layer,
        types=query.types,
        persona_id=query.persona_id,
        session_id=query.session_id,
    )


def _candidates(found: Sequence[FoundChunk], query: SearchQuery) -> list[Candidate]:
    """Chunks as ranking takes them: a memory is a place of its own, a turn stands in its session."""
    named = find_mentioned(query.text, {chunk.speaker for chunk in found if chunk.speaker})
    return [
        Candidate(
            id=chunk.id,
            signals=_signals(chunk, named, query),
            session=str(chunk.memory_id or chunk.session_id),
            seq_from=chunk.seq_from,
            seq_to=chunk.seq_to,
        )
        for chunk in found
    ]


def _signals(chunk: FoundChunk, named: frozenset[str], query: SearchQuery) -> dict[str, float]:
    signals = {
        "speaker": float(chunk.speaker in named),
        "memory": float(chunk.source == "memory"),
    }
    if chunk.lexical is not None:
        dampened = query.ranking == "seed" and chunk.source == "session"
        signals["lexical"] = chunk.lexical * (SESSION_CHUNK_DAMPENING if dampened else 1.0)
    if chunk.vector is not None:
        signals["vector"] = chunk.vector
    return signals


def _weights(query: SearchQuery) -> Weights:
    """`default` knows the situation; `seed` is seed 000 §6; the others are one leg alone."""
    fixed: Mapping[str, Weights] = {
        "default": TURN_WEIGHTS,
        "dense": Weights(content={"vector": 1.0}),
        "lexical": Weights(content={"lexical": 1.0}),
    }
    return fixed.get(query.ranking) or Weights(content=adaptive_weights(query.text))


def _best_of_each(ranked: Iterable[Ranked], found: Iterable[FoundChunk]) -> list[Ranked]:
    """The best chunk of each memory and of each message: a long text is one result."""
    chunks = {chunk.id: chunk for chunk in found}
    seen: set[tuple[UUID | None, int | None]] = set()
    best = []
    for item in ranked:
        chunk = chunks[item.candidate.id]
        about = (chunk.memory_id or chunk.session_id, chunk.seq_from)
        if about not in seen:
            seen.add(about)
            best.append(item)
    return best


def _as_hits(
    tenant: Tenant | UUID, ranked: Sequence[Ranked], found: Sequence[FoundChunk], query: SearchQuery
) -> tuple[Hit, ...]:
    chunks = {chunk.id: chunk for chunk in found}
    chosen = [chunks[item.candidate.id] for item in ranked]
    messages = _find_messages(tenant, [chunk for chunk in chosen if chunk.source == "session"])
    return tuple(
        Hit(
            source=chunk.source,
            memory_id=chunk.memory_id,
            namespace=chunk.namespace,
            key=chunk.key,
            session_id=chunk.session_id if chunk.source == "session" else None,
            messages=messages.get(chunk.id, ()),
            text=chunk.text,
            score=round(item.score, 6),
            vector_score=chunk.vector,
            text_score=chunk.lexical,
            created_at=chunk.occurred_at if chunk.source == "session" else chunk.created_at,
            speaker=chunk.speaker,
            parts=item.explain() if query.explain else {},
        )
        for item, chunk in zip(ranked, chosen, strict=True)
    )


# Messages belong to a package above this one, so they are read by name.
FIND_MESSAGES = """
SELECT c.id, m.id, m.external_id FROM search_chunk c
JOIN agent_sessions_message m ON m.tenant_id = c.tenant_id AND m.session_id = c.session_id
 AND m.seq BETWEEN c.seq_from AND c.seq_to
WHERE c.tenant_id = %s AND c.id = ANY(%s) ORDER BY c.id, m.seq
"""


def _find_messages(tenant: Tenant | UUID, chunks: Sequence[FoundChunk]) -> dict[int, tuple[MessageRef, ...]]:
    if not chunks:
        return {}
    found: dict[int, tuple[MessageRef, ...]] = {}
    for chunk_id, message_id, external_id in _rows(
        FIND_MESSAGES, [tenant_id_of(tenant), [c.id for c in chunks]]
    ):
        found[chunk_id] = (*found.get(chunk_id, ()), MessageRef(message_id, external_id))
    return found


# The owner's memories by cosine; an exact scan of the narrow table. Global ones are everyone's.
NEAREST_MEMORIES = """
SELECT m.id, max(1 - (e.vector <=> %(vector)s::halfvec)) AS similarity
FROM search_embedding e
JOIN search_chunk c ON c.tenant_id = e.tenant_id AND c.id = e.chunk_id AND c.source = 'memory'
JOIN memories_memory m ON m.tenant_id = c.tenant_id AND m.id = c.memory_id AND m.status = 'active'
WHERE e.tenant_id = %(tenant_id)s AND e.profile_id = ANY(%(profile_ids)s) AND e.model_id = %(model_id)s
  AND (c.persona_id IS NULL OR c.persona_id = %(persona_id)s)
  AND (m.scope <> 'session' OR m.session_id = %(session_id)s)
  AND (m.expires_at IS NULL OR m.expires_at > now())
GROUP BY m.id ORDER BY similarity DESC, m.id LIMIT %(limit)s
"""


def list_nearest_memories(
    *,
    tenant: Tenant | UUID,
    profile_id: UUID,
    vector: list[float],
    limit: int = 5,
    persona_id: UUID | None = None,
    session_id: UUID | None = None,
) -> list[Nearest]:
    """Live memories a person, persona and session may see, nearest first by cosine (−1..1)."""
    parameters: dict[str, Any] = {
        "tenant_id": tenant_id_of(tenant),
        "profile_ids": [profile_id, get_shared_profile(tenant=tenant).pk],
        "model_id": get_serving_model().id,
        "vector": HalfVector(vector).to_text(),
        "persona_id": persona_id,
        "session_id": session_id,
        "limit": limit,
    }
    return [Nearest(*row) for row in _rows(NEAREST_MEMORIES, parameters)]


def _rows(statement: str, parameters: Any) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return cursor.fetchall()
