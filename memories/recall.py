"""What a prompt should hold about the person, for one question: the `## User Memory` block (docs/memories.md#recall).

In two steps, since a question is embedded outside the transaction: `plan_recall` finds out whether anything need
be asked at all, `recall` asks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from memories.models import Memory
from memories.selectors import find_session_recall, promptable
from memories.storing.usage import count_access
from nebo.reading.words.keyphrases import expand_query
from nebo.tenants.models import Tenant, UserProfile
from search.answer_versions import get_versions
from search.answers.cache import search_cached
from search.answers.search import Hit, SearchQuery
from search.embeddings.serving import serving_model_of
from search.relevance.floor import Floor, judge_relevance
from search.relevance.leaning import Rated

RECALL_LIMIT = 5  # memories a turn; docs/design.md#memory-numbers
# The cosine by default. While it is this, the floor of relevance says what is off the topic, which knows in what
# language, among how many and with which words. Any other is asked of the cosine itself.
MIN_SIMILARITY = 0.35
HEADING = "## User Memory"

Vectors = Mapping[str, list[float] | None]  # by the text they stand for


@dataclass(frozen=True, slots=True)
class RecallQuery:
    """A question about one person, as one persona and in one session may ask it."""

    text: str
    limit: int = RECALL_LIMIT
    min_similarity: float = MIN_SIMILARITY
    persona_id: UUID | None = None
    session_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """The searches a question takes: none for a person with nothing to recall. `floor` is the tenant's own; `is_on`
    says whether anything may be brought up here at all, of others too.
    """

    query: RecallQuery
    person_id: UUID
    searches: tuple[SearchQuery, ...] = ()
    floor: float | None = None
    is_on: bool = False


@dataclass(frozen=True, slots=True)
class Recall:
    """The block for the prompt, empty when nothing is near enough, and the memories in it, the nearest first."""

    block: str = ""
    memories: tuple[Memory, ...] = ()
    kept: bool = False  # all of it was found a moment ago


def plan_recall(*, tenant: Tenant, person: UserProfile, query: RecallQuery) -> Plan:
    """Asks nothing of the index, and for no vector, where there is nothing to recall, or nothing may be."""
    is_on = bool(query.text.strip()) and _is_on(tenant, query.session_id)
    if not is_on or not has_any(tenant=tenant, person=person):
        return Plan(query, person.pk, is_on=is_on)
    searches = (
        SearchQuery(
            text=text,
            person_id=person.pk,
            limit=query.limit * 2,
            sources=("memory",),
            persona_id=query.persona_id,
            session_id=query.session_id,
        )
        for text in expand_query(query.text)
    )
    return Plan(query, person.pk, tuple(searches), tenant.relevance_floor, is_on)


def recall(*, tenant: Tenant | UUID, plan: Plan, vectors: Vectors) -> Recall:
    """Memories about the question, and count them as used. Without a vector, words alone decide."""
    if not plan.searches:
        return Recall()
    versions = get_versions(tenant=tenant, person_id=plan.person_id)
    near: list[Rated] = []
    kept = True
    for search in plan.searches:
        vector = vectors.get(search.text)
        found = search_cached(tenant=tenant, query=search, versions=versions, vector=vector)
        by_vector = vector is not None or found.kept
        floor, model = Floor.at(plan.floor), serving_model_of(vector)
        about = judge_relevance(
            search.text, found.answer.results, model=model, floor=floor, spoken=plan.query.text
        ).passing
        near += _near(plan.query, found.answer.results, about, by_vector=by_vector)
        kept = kept and found.kept
    memories = load_in_order(tenant=tenant, ids=_ids_best_first(near))[: plan.query.limit]
    if memories:
        count_access(tenant=tenant, memory_ids=[memory.pk for memory in memories])
    return Recall(format_block(memories), tuple(memories), kept)


def _is_on(tenant: Tenant, session_id: UUID | None) -> bool:
    """Whether anything may be brought up here."""
    own = find_session_recall(tenant=tenant, session_id=session_id) if session_id else None
    return tenant.recalls(own)


def has_any(*, tenant: Tenant | UUID, person: UserProfile) -> bool:
    """Whether a person, or everyone in the tenant, has anything live."""
    rows = Memory.objects.for_tenant(tenant).filter(status=Memory.Status.ACTIVE)
    return rows.filter(person=person).exists() or rows.filter(person__kind="shared").exists()


def load_in_order(*, tenant: Tenant | UUID, ids: Sequence[UUID]) -> list[Memory]:
    """The memories among `ids` that a prompt may hold, in that order."""
    if not ids:
        return []
    rows = Memory.objects.for_tenant(tenant).filter(promptable())
    found = rows.select_related("person", "persona").in_bulk(list(ids))
    return [found[memory_id] for memory_id in dict.fromkeys(ids) if memory_id in found]


def format_block(memories: Sequence[Memory]) -> str:
    """A heading and a line a memory; line breaks within one go, so that none can pose as another line."""
    if not memories:
        return ""
    return "\n".join([HEADING, *(f"- {' '.join(memory.value.split())}" for memory in memories)])


def _near(
    query: RecallQuery, found: Sequence[Hit], about: Sequence[Rated], *, by_vector: bool
) -> list[Rated]:
    """What is about the question; a similarity of the caller's own is asked for besides, or, where it is lower than
    usual, instead.
    """
    if query.min_similarity == MIN_SIMILARITY:
        return list(about)
    rated = about if query.min_similarity > MIN_SIMILARITY else [Rated(hit, hit.score) for hit in found]
    return [one for one in rated if is_near(one.hit, query.min_similarity, by_vector=by_vector)]


def _ids_best_first(near: Iterable[Rated]) -> list[UUID]:
    """By how much each is about its search, so that those of two searches go together; a memory counts by its best."""
    ranked = sorted(near, key=lambda one: (one.relevance, one.hit.score), reverse=True)
    return list(dict.fromkeys(one.hit.memory_id for one in ranked if one.hit.memory_id))


def is_near(hit: Hit, min_similarity: float = MIN_SIMILARITY, *, by_vector: bool = True) -> bool:
    """Without a vector of the question or of what was found, a match by words has to do."""
    if not by_vector or hit.vector_score is None:
        return (hit.text_score or 0.0) > 0.0
    return hit.vector_score >= min_similarity
