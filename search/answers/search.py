"""Searching what is known of one person: two statements, one fused score, every part explainable."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from itertools import islice
from uuid import UUID

from nebo.tenants.models import Tenant
from nebo.tenants.scoping import tenant_id_of
from nebo.timing import span
from search.embeddings.serving import model_id_of
from search.language import DEFAULT_LANGUAGE, characters_to_find, likely_configurations, segment_for_query
from search.questions.dates import asks_when
from search.questions.names import find_names
from search.questions.sought import find_sought
from search.questions.word_forms import find_forms
from search.ranking.adaptive import MIN_SCORE, OVER_FETCH, rank_adaptive
from search.ranking.blended import rank_blended
from search.ranking.parts import rank_chunks
from search.ranking.redundancy import LOOK_AHEAD, PENALTY, repetitions
from search.ranking.types import Ranked
from search.retrieval.candidates import (
    LEG,
    NEAR,
    NEAR_SHARE,
    CandidateQuery,
    Details,
    DetailsReader,
    FoundChunk,
    find_candidates,
    find_details,
)

SOURCES = ("memory", "session")
RANKINGS = ("default", "adaptive", "blended", "dense", "lexical")
QUERY_CHARS = 8_000
NO_MODEL = 0  # where nothing is looked for by vector
SOUGHT_WEIGHT = 0.06  # beside 1 for all other parts together
SOUGHT_AHEAD = 20  # results beyond those asked for that may move up by it
SOUGHT_CHARS = 400  # of a text; a long one holds some number anyway
SCORE_DIGITS = 6  # behind the point; what is shown is what `min_score` is held against


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """A question about one person. Empty filters let everything through; `min_score` is 0..1. `within`: nothing but
    these memories.
    """

    text: str
    person_id: UUID
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
    within: tuple[UUID, ...] | None = None

    @property
    def is_of_own(self) -> bool:
        """Whether it asks for something that only the person's own data has: a place, a kind, or conversations."""
        return bool(self.namespace or self.layer or self.types) or "memory" not in self.sources


@dataclass(frozen=True, slots=True)
class MessageRef:
    """A message a result is about."""

    id: UUID
    external_id: str | None


@dataclass(frozen=True, slots=True)
class Hit:
    """One result; `score` is 0..1 within this answer, `vector_score` a cosine, `text_score` a BM25 score.

    `start` and `end` are where `text` stands in the memory's value or the message, in characters; `seq` is the number
    of that message in its session.
    """

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
    start: int = 0
    end: int = 0
    seq: int | None = None
    parts: dict[str, dict[str, float]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """Results best first, and how long it took in the process; milliseconds."""

    results: tuple[Hit, ...]
    took_ms: float


def search(
    *,
    tenant: Tenant | UUID,
    query: SearchQuery,
    vector: list[float] | None,
    read_details: DetailsReader | None = None,
) -> SearchAnswer:
    """Hybrid search in the open scope, two statements; without a vector it goes by words alone.

    `read_details` stands in for the second one, for who reads more with it.
    """
    started = time.perf_counter()
    read = read_details or partial(find_details, tenant_id_of(tenant))
    with span("rank"):
        compared = compare_hits(read, query, rank_candidates(tenant, query, vector))
        least = least_score(query)
        hits = [hit for hit in compared if hit.score >= least][: query.limit]
    return SearchAnswer(tuple(hits), round((time.perf_counter() - started) * 1000, 3))


def compare_hits(
    read: DetailsReader, query: SearchQuery, ranked: Iterable[tuple[FoundChunk, Ranked]]
) -> list[Hit]:
    """What may be in the answer, best first, some of it beyond the limit: by ranking, and by what the texts hold."""
    least = least_score(query)
    good = (pair for pair in ranked if round(pair[1].score, SCORE_DIGITS) >= least)
    if query.ranking != "default":
        return _as_hits(read, list(islice(good, query.limit)), explain=query.explain)
    sought = find_sought(query.text[:QUERY_CHARS])
    more = list(islice(good, query.limit + (LOOK_AHEAD if sought is None else SOUGHT_AHEAD)))
    hits = _as_hits(read, more, explain=query.explain)
    return _lower_repetitions(hits if sought is None else [_with_sought(hit, sought) for hit in hits])


def rank_candidates(
    tenant: Tenant | UUID, query: SearchQuery, vector: list[float] | None
) -> Iterator[tuple[FoundChunk, Ranked]]:
    """All that was found, best first, by the ranking asked for; one statement. Nothing answers no question."""
    if not query.text.strip():
        return iter(())
    wanted = _candidate_query(tenant, query, vector)
    if query.ranking == "adaptive":
        return rank_adaptive(replace(wanted, leg=query.limit * OVER_FETCH))
    if query.ranking == "blended":
        return rank_blended(wanted)
    found = find_candidates(wanted)
    return rank_chunks(found, text=query.text, ranking=query.ranking)


def least_score(query: SearchQuery) -> float:
    """The score below which nothing is a result."""
    if query.min_score is not None:
        return query.min_score
    return MIN_SCORE if query.ranking == "adaptive" else 0.0


def _candidate_query(tenant: Tenant | UUID, query: SearchQuery, vector: list[float] | None) -> CandidateQuery:
    text = query.text[:QUERY_CHARS]
    languages = likely_configurations(text)
    return CandidateQuery(
        tenant_id=tenant_id_of(tenant),
        person_id=query.person_id,
        text=f"{segment_for_query(text)} {characters_to_find(text)}".rstrip(),
        languages=languages,
        model_id=NO_MODEL if vector is None else model_id_of(vector),
        vector=None if query.ranking == "lexical" else vector,
        sources=frozenset(query.sources),
        namespace=query.namespace,
        layer=query.layer,
        types=query.types,
        within=query.within,
        persona_id=query.persona_id,
        session_id=query.session_id,
        leg=max(LEG, query.limit),
        near=max(NEAR, int(query.limit * NEAR_SHARE)),
        names=find_names(text),
        forms=find_forms(text) if languages[0] == DEFAULT_LANGUAGE else (),
        asks_when=query.ranking == "default" and asks_when(text),
    )


def _as_hits(read: DetailsReader, ranked: Sequence[tuple[FoundChunk, Ranked]], *, explain: bool) -> list[Hit]:
    """Without what was taken away since it was found."""
    details = read([chunk for chunk, _ in ranked])
    there = [(chunk, item) for chunk, item in ranked if chunk.id in details]
    return [_as_hit(chunk, item, details[chunk.id], explain=explain) for chunk, item in there]


def _with_sought(hit: Hit, sought: re.Pattern[str]) -> Hit:
    """With what it gets for holding a number or a name, where the question asks for one.

    What was only drawn in by a neighbour gets nothing: it shares no word with the question, and has no vector yet.
    """
    is_alike = hit.text_score is not None or hit.vector_score is not None
    holds = float(is_alike and sought.search(hit.text[:SOUGHT_CHARS]) is not None)
    whole = 1 + SOUGHT_WEIGHT
    weight = SOUGHT_WEIGHT / whole
    parts = {
        name: {**part, "weight": part["weight"] / whole, "points": part["points"] / whole}
        for name, part in hit.parts.items()
    }
    if parts:
        parts["sought"] = {"raw": holds, "scaled": holds, "weight": weight, "points": weight * holds}
    return replace(hit, score=round(hit.score / whole + weight * holds, SCORE_DIGITS), parts=parts)


def _lower_repetitions(hits: Sequence[Hit]) -> list[Hit]:
    """What repeats a better result of the same source loses up to half of its score, and its place."""
    lowered = list(hits)
    for source in SOURCES:
        places = [place for place, hit in enumerate(hits) if hit.source == source]
        for place, share in zip(places, repetitions([hits[place].text for place in places]), strict=True):
            if share:
                lowered[place] = _lowered(hits[place], share)
    return sorted(lowered, key=lambda hit: -hit.score)


def _lowered(hit: Hit, share: float) -> Hit:
    points = -PENALTY * share * hit.score
    part = {"raw": share, "scaled": share, "weight": -PENALTY * hit.score, "points": points}
    parts = {**hit.parts, "repetition": part} if hit.parts else hit.parts
    return replace(hit, score=round(hit.score + points, SCORE_DIGITS), parts=parts)


def _as_hit(chunk: FoundChunk, item: Ranked, shown: Details, *, explain: bool) -> Hit:
    return Hit(
        source="memory" if chunk.memory_id else "session",
        memory_id=chunk.memory_id,
        namespace=shown.namespace,
        key=shown.key,
        session_id=chunk.session_id,
        messages=tuple(map(MessageRef, shown.message_ids or (), shown.external_ids or ())),
        text=shown.text,
        score=round(item.score, SCORE_DIGITS),
        vector_score=chunk.vector,
        text_score=chunk.lexical,
        created_at=shown.created_at,
        speaker="" if chunk.memory_id else chunk.about,
        start=shown.start,
        end=shown.end,
        seq=None if chunk.memory_id else chunk.seq_from,
        parts=item.explain() if explain else {},
    )
