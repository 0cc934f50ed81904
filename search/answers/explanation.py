"""“Why not this one?”: where any memory of a person stands in an answer, and what kept it out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple
from uuid import UUID

from nebo.errors import NotFound
from nebo.postgres.prepared import fetch_rows, number_parameters
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import tenant_id_of
from search.answers.search import (
    SCORE_DIGITS,
    Hit,
    SearchQuery,
    compare_hits,
    least_score,
    rank_candidates,
)
from search.ranking.types import Ranked
from search.retrieval.candidates import FoundChunk, find_details

ALL = 100_000  # candidates: more than a person has memories

FIND_STATE = number_parameters("""
SELECT m.status, coalesce(m.expires_at <= now(), false), m.scope = 'session', m.session_id, m.persona_id,
       m.namespace, m.layer, m.type, (
           SELECT count(*) FROM search_chunk WHERE tenant_id = %(tenant_id)s AND memory_id = m.id)
FROM memories_memory m
WHERE m.tenant_id = %(tenant_id)s AND m.id = %(memory_id)s AND m.person_id = ANY(ARRAY[%(person_id)s::uuid, (
    SELECT id FROM tenants_userprofile WHERE tenant_id = %(tenant_id)s AND kind = 'shared')])
""")


class State(NamedTuple):
    """What a filter can hold against a memory; `chunks` of it are in the index."""

    status: str
    is_expired: bool
    is_of_a_session: bool
    session_id: UUID | None
    persona_id: UUID | None
    namespace: str
    layer: str
    type: str
    chunks: int


@dataclass(frozen=True, slots=True)
class Explanation:
    """`rank` counts from 1 among `ranked` results; None where the memory wasn't ranked at all.

    `kept_out_by` is empty for a memory that is among the results. Otherwise it names a filter (`status`,
    `expired`, `session`, `persona`, `source`, `namespace`, `layer`, `type`), `not_indexed`, `not_a_candidate`
    (too far by words and by vector; rank and parts are then those among all there are), `min_score`, `limit` or
    `repetition` (it says again what a better one says).
    """

    memory_id: UUID
    rank: int | None
    ranked: int
    score: float | None
    vector_score: float | None
    text_score: float | None
    kept_out_by: tuple[str, ...]
    parts: dict[str, dict[str, float]] = field(default_factory=dict)


def explain_memory(
    *, tenant: Tenant | UUID, query: SearchQuery, vector: list[float] | None, memory_id: UUID
) -> Explanation:
    """In the open scope; five statements at most. Raises NotFound for a memory that isn't the person's."""
    wanted = {"tenant_id": tenant_id_of(tenant), "person_id": query.person_id, "memory_id": memory_id}
    rows = fetch_rows(FIND_STATE, wanted)
    if not rows:
        raise NotFound("There is no such memory of this person.")
    barred = tuple(_bars(State._make(rows[0]), query))
    if barred:
        return Explanation(memory_id, None, 0, None, None, None, barred)
    return _place(tenant, query, vector, memory_id)


def _bars(state: State, query: SearchQuery) -> Iterator[str]:
    """The filters that keep it out, whatever is asked."""
    inside = f"{query.namespace}/"
    bars: Mapping[str, bool] = {
        "status": state.status != "active",
        "expired": state.is_expired,
        "session": state.is_of_a_session and state.session_id != query.session_id,
        "persona": state.persona_id not in (None, query.persona_id),
        "source": "memory" not in query.sources,
        "namespace": bool(query.namespace) and not f"{state.namespace}/".startswith(inside),
        "layer": query.layer not in ("", state.layer),
        "type": bool(query.types) and state.type not in query.types,
    }
    yield from (name for name, holds in bars.items() if holds)
    if not state.chunks and state.status == "active":
        yield "not_indexed"


def _place(
    tenant: Tenant | UUID, query: SearchQuery, vector: list[float] | None, memory_id: UUID
) -> Explanation:
    """Its rank in this very search, or in one in which everything is a candidate."""
    ranked = list(rank_candidates(tenant, query, vector))
    rank = _rank_of(memory_id, ranked)
    if rank is None:
        ranked = list(rank_candidates(tenant, replace(query, limit=ALL), vector))
        return _explanation(memory_id, _rank_of(memory_id, ranked), ranked, ("not_a_candidate",))
    read = partial(find_details, tenant_id_of(tenant))
    compared = compare_hits(read, replace(query, explain=True), ranked)
    found = _as_compared(_explanation(memory_id, rank, ranked, ()), compared)
    return replace(found, kept_out_by=tuple(_reasons(query, found, compared)))


def _as_compared(found: Explanation, compared: Sequence[Hit]) -> Explanation:
    """With what its text added to its score, where the question asks for something that texts hold."""
    for place, hit in enumerate(compared, 1):
        if hit.memory_id == found.memory_id and "sought" in hit.parts:
            return replace(found, rank=place, score=hit.score, parts=hit.parts)
    return found


def _reasons(query: SearchQuery, found: Explanation, compared: Sequence[Hit]) -> Iterator[str]:
    """Why one that was ranked isn't shown; none if it is."""
    least = least_score(query)
    shown = [hit.memory_id for hit in compared if hit.score >= least][: query.limit]
    if found.memory_id in shown:
        return
    if found.score is not None and found.score < least:
        yield "min_score"
    elif found.rank is not None and found.rank > query.limit and "repetition" not in found.parts:
        yield "limit"
    else:
        yield "repetition"


def find_rank(
    *, tenant: Tenant | UUID, query: SearchQuery, vector: list[float] | None, memory_id: UUID
) -> tuple[int | None, int]:
    """Where a memory stands for a question among everything there is, from 1, and how many that is; one statement.
    None for one that the index doesn't have yet.
    """
    ranked = list(rank_candidates(tenant, replace(query, limit=ALL), vector))
    return _rank_of(memory_id, ranked), len(ranked)


def _rank_of(memory_id: UUID, ranked: list[tuple[FoundChunk, Ranked]]) -> int | None:
    places = (place for place, (chunk, _) in enumerate(ranked, 1) if chunk.memory_id == memory_id)
    return next(places, None)


def _explanation(
    memory_id: UUID,
    rank: int | None,
    ranked: list[tuple[FoundChunk, Ranked]],
    kept_out_by: tuple[str, ...],
) -> Explanation:
    if rank is None:
        return Explanation(memory_id, None, len(ranked), None, None, None, kept_out_by)
    chunk, item = ranked[rank - 1]
    score = round(item.score, SCORE_DIGITS)
    return Explanation(
        memory_id, rank, len(ranked), score, chunk.vector, chunk.lexical, kept_out_by, item.explain()
    )
