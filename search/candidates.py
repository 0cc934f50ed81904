"""One statement that finds what may answer a question: by words, by vector, and what stands next to it.

Entered by the owner's B-trees, which serve under row-level security; a GIN or HNSW index would not, or would
starve a large owner (DESIGN §6).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection
from pgvector import HalfVector

BM25_K1 = 1.2  # Robertson & Zaragoza, The Probabilistic Relevance Framework, 2009
BM25_B = 0.75  # the same
NEIGHBOUR_GAP = 2  # messages to either side that are drawn in
LEG = 150  # candidates each leg brings


@dataclass(frozen=True, slots=True)
class CandidateQuery:
    """What is asked, of whom, and what the caller may see."""

    tenant_id: UUID
    profile_ids: Sequence[UUID]
    text: str
    languages: Sequence[str]
    model_id: int
    vector: list[float] | None
    sources: Sequence[str]
    namespace: str
    layer: str
    types: Sequence[str]
    persona_id: UUID | None
    session_id: UUID | None
    leg: int = LEG

    @property
    def is_filtered(self) -> bool:
        """Whether filters could starve the legs if they were applied after them."""
        return len(self.sources) == 1 or bool(self.namespace or self.layer or self.types)


@dataclass(frozen=True, slots=True)
class FoundChunk:
    """A chunk with its raw scores; `lexical` and `vector` are None where a leg has nothing for it."""

    id: int
    source: str
    memory_id: UUID | None
    session_id: UUID | None
    seq_from: int | None
    seq_to: int | None
    speaker: str
    text: str
    occurred_at: datetime
    created_at: datetime
    namespace: str
    key: str
    importance: int
    lexical: float | None
    vector: float | None


# BM25 over the owner's own corpus: df comes with the postings, N and the mean length from the counters.
WORDS = """
terms AS (
    SELECT DISTINCT lexeme FROM unnest(%(languages)s::text[]) AS language,
           unnest(to_tsvector(language::regconfig, %(text)s))
), corpus AS (
    SELECT greatest(sum(chunks), 1)::float8 AS n, greatest(sum(length) / greatest(sum(chunks), 1), 1)::float8 AS mean
    FROM search_corpus WHERE tenant_id = %(tenant_id)s AND profile_id = ANY(%(profile_ids)s)
), hits AS (
    SELECT p.chunk_id, p.tf, p.length, count(*) OVER (PARTITION BY p.lexeme) AS df
    FROM terms t JOIN search_posting p
      ON p.tenant_id = %(tenant_id)s AND p.profile_id = ANY(%(profile_ids)s) AND p.lexeme = t.lexeme
), scored AS (
    SELECT h.chunk_id, sum(ln(1 + (greatest(c.n, h.df) - h.df + 0.5) / (h.df + 0.5))
           * h.tf * (%(k1)s + 1) / (h.tf + %(k1)s * (1 - %(b)s + %(b)s * h.length / c.mean))) AS score
    FROM hits h CROSS JOIN corpus c GROUP BY h.chunk_id
), by_words AS (
    SELECT s.chunk_id FROM scored s {visible} ORDER BY s.score DESC, s.chunk_id LIMIT %(leg)s
)"""

# An exact scan of the owner's vectors, which stand in a narrow table of their own.
VECTORS = """
by_vector AS (
    SELECT s.chunk_id FROM search_embedding s {visible}
    WHERE s.tenant_id = %(tenant_id)s AND s.profile_id = ANY(%(profile_ids)s) AND s.model_id = %(model_id)s
    ORDER BY s.vector <=> %(vector)s::halfvec LIMIT %(leg)s
)"""
NO_VECTORS = "by_vector AS (SELECT NULL::bigint AS chunk_id WHERE false)"

VISIBLE = """JOIN search_chunk v ON v.tenant_id = %(tenant_id)s AND v.id = s.chunk_id AND v.source = ANY(%(sources)s)
    LEFT JOIN memories_memory w ON w.tenant_id = v.tenant_id AND w.id = v.memory_id {filters}"""

FINAL = """
SELECT c.id, c.source, c.memory_id, c.session_id, c.seq_from, c.seq_to, c.speaker, c.text, c.occurred_at,
       coalesce(m.created_at, c.created_at), coalesce(m.namespace, ''), coalesce(m.key, ''),
       coalesce(m.importance, 1), s.score, {similarity}
FROM search_chunk c
     LEFT JOIN memories_memory m ON m.tenant_id = c.tenant_id AND m.id = c.memory_id
     LEFT JOIN scored s ON s.chunk_id = c.id
     {embedding}
WHERE c.tenant_id = %(tenant_id)s AND c.id = ANY(ARRAY(SELECT chunk_id FROM near))
  AND c.profile_id = ANY(%(profile_ids)s) AND c.source = ANY(%(sources)s)
  AND (c.persona_id IS NULL OR c.persona_id = %(persona_id)s)
  AND (c.source = 'session' OR (m.status = 'active'
       AND (m.scope <> 'session' OR m.session_id = %(session_id)s)
       AND (m.expires_at IS NULL OR m.expires_at > now())
       AND (%(layer)s = '' OR m.layer = %(layer)s)
       AND (%(namespace)s = '' OR m.namespace = %(namespace)s OR m.namespace LIKE %(namespace)s || '/%%')
       AND (%(types)s::text[] = '{{}}' OR m.type = ANY(%(types)s))))
"""

# What the legs brought, and the messages next to it in the same transcript. Materialised, and entered by arrays
# of ids: before a new database has statistics the planner would nest scans of the whole table four deep.
NEAR = """
found AS (SELECT chunk_id FROM by_words UNION SELECT chunk_id FROM by_vector),
place AS MATERIALIZED (
    SELECT session_id, seq_from, seq_to FROM search_chunk
    WHERE tenant_id = %(tenant_id)s AND id = ANY(ARRAY(SELECT chunk_id FROM found)) AND source = 'session'
), near AS MATERIALIZED (
    SELECT chunk_id FROM found
    UNION
    SELECT n.id FROM place c
    JOIN search_chunk n ON n.tenant_id = %(tenant_id)s AND n.session_id = c.session_id AND n.source = 'session'
     AND n.seq_from BETWEEN c.seq_from - %(gap)s AND c.seq_to + %(gap)s
)"""

FILTERS = """AND (%(layer)s = '' OR w.layer = %(layer)s)
    AND (%(namespace)s = '' OR w.namespace = %(namespace)s OR w.namespace LIKE %(namespace)s || '/%%')
    AND (%(types)s::text[] = '{{}}' OR w.type = ANY(%(types)s))"""

SIMILARITY = "1 - (e.vector <=> %(vector)s::halfvec)"
EMBEDDING = """LEFT JOIN search_embedding e ON e.tenant_id = c.tenant_id AND e.profile_id = c.profile_id
      AND e.model_id = %(model_id)s AND e.chunk_id = c.id"""


def statement(query: CandidateQuery) -> str:
    """The SQL for this shape of question; its values are all parameters."""
    visible = VISIBLE.format(filters=FILTERS) if query.is_filtered else ""
    has_vector = query.vector is not None
    vectors = VECTORS.format(visible=visible) if has_vector else NO_VECTORS
    final = FINAL.format(
        similarity=SIMILARITY if has_vector else "NULL::float8", embedding=EMBEDDING if has_vector else ""
    )
    return f"WITH {WORDS.format(visible=visible)}, {vectors}, {NEAR} {final}"


def find_candidates(query: CandidateQuery) -> list[FoundChunk]:
    """Run it in the open scope. No row of another owner is read to find this one's."""
    with connection.cursor() as cursor:
        cursor.execute(statement(query), _parameters(query))
        return [FoundChunk(*row) for row in cursor.fetchall()]


def _parameters(query: CandidateQuery) -> dict[str, Any]:
    return {
        "tenant_id": query.tenant_id,
        "profile_ids": list(query.profile_ids),
        "text": query.text,
        "languages": list(query.languages),
        "model_id": query.model_id,
        "vector": HalfVector(query.vector).to_text() if query.vector is not None else None,
        "sources": list(query.sources),
        "namespace": query.namespace,
        "layer": query.layer,
        "types": list(query.types),
        "persona_id": query.persona_id,
        "session_id": query.session_id,
        "leg": query.leg,
        "gap": NEIGHBOUR_GAP,
        "k1": BM25_K1,
        "b": BM25_B,
    }
