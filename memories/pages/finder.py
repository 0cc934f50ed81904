"""The list a person sees: what is known of them and of everyone in the team, filtered, or found by a question."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from uuid import UUID

from django.contrib.postgres.fields import ArrayField
from django.db.models import F, Func, IntegerField, Q, QuerySet, UUIDField, Value

from memories.models import Memory, Observation
from memories.pages.filters import MemoryFilters
from memories.selectors import unexpired
from nebo.errors import NotFound
from nebo.tenants.models import Tenant, UserProfile
from search.answers.search import Hit, SearchQuery, search

HITS = 50  # memories a question may find by meaning
NEAR = 0.25  # cosine, lower than for prompts: a person judges. On the demo, nonsense reaches 0.23 and "clay" 0.31
WORDS = 10  # of a question that are looked for letter by letter


def find_memories(
    *, tenant: Tenant | UUID, person_id: UUID, filters: MemoryFilters, vector: list[float] | None
) -> QuerySet[Memory]:
    """What fits the filters, the newest first; with a question the best answers first, then plain matches.

    `vector` is the question's; without one, words alone decide.
    """
    rows = list_visible(tenant=tenant, person_id=person_id, filters=filters)
    if not filters.q:
        return rows.order_by("-updated_at", "-id")
    best = _search(tenant, person_id, filters.q, vector) if filters.is_question else []
    rows = rows.filter(Q(pk__in=best) | _has_all_words(filters.q)).annotate(place=_place_in(best))
    return rows.order_by(F("place").asc(nulls_last=True), "-updated_at", "-id")


def list_visible(
    *, tenant: Tenant | UUID, person_id: UUID, filters: MemoryFilters | None = None
) -> QuerySet[Memory]:
    """A person's own memories and the global ones; the live ones unless a filter names another status."""
    chosen = filters or MemoryFilters()
    people = UserProfile.objects.for_tenant(tenant).filter(Q(pk=person_id) | Q(kind=UserProfile.Kind.SHARED))
    rows = Memory.objects.for_tenant(tenant).filter(person_id__in=people.values("pk"))
    rows = rows.filter(**chosen.columns, status=chosen.status or Memory.Status.ACTIVE)
    return rows if chosen.status else rows.filter(unexpired())


def get_visible(*, tenant: Tenant | UUID, person_ids: Collection[UUID], memory_id: UUID) -> Memory:
    """A memory of one of these people, or a global one, in any state; raises NotFound."""
    rows = Memory.objects.for_tenant(tenant).select_related("person", "superseded_by")
    own = Q(person_id__in=person_ids) | Q(person__kind=UserProfile.Kind.SHARED)
    memory = rows.filter(own, pk=memory_id).first()
    if memory is None:
        raise NotFound
    return memory


def list_by_message(
    *, tenant: Tenant | UUID, person_id: UUID, message_ids: Collection[UUID]
) -> dict[UUID, list[Memory]]:
    """Which live memories of a person rest on which of these messages, in the order they were learned."""
    found: dict[UUID, list[Memory]] = {}
    for seen in _live_observations(tenant, person_id).filter(message_id__in=message_ids).order_by("id"):
        memories = found.setdefault(seen.message_id, []) if seen.message_id else []
        if seen.memory not in memories:
            memories.append(seen.memory)
    return found


def count_from_session(*, tenant: Tenant | UUID, person_id: UUID, session_id: UUID) -> int:
    """How many live memories of a person rest on something said in a session."""
    seen = _live_observations(tenant, person_id).filter(message__session_id=session_id)
    return seen.values("memory_id").distinct().count()


def _live_observations(tenant: Tenant | UUID, person_id: UUID) -> QuerySet[Observation]:
    rows = Observation.objects.for_tenant(tenant).select_related("memory")
    return rows.filter(memory__person_id=person_id, memory__status=Memory.Status.ACTIVE)


def _search(
    tenant: Tenant | UUID, person_id: UUID, question: str, vector: list[float] | None
) -> Sequence[UUID]:
    query = SearchQuery(text=question, person_id=person_id, limit=HITS, sources=("memory",))
    answer = search(tenant=tenant, query=query, vector=vector)
    return [hit.memory_id for hit in answer.results if hit.memory_id and _is_near(hit)]


def _is_near(hit: Hit) -> bool:
    """A word in common, or a meaning close enough: search itself gives the nearest, however far."""
    return bool(hit.text_score) or (hit.vector_score or 0.0) >= NEAR


def _has_all_words(question: str) -> Q:
    """Every word stands somewhere in value or key, also in the middle of another: half-typed ones match."""
    fits = Q()
    for word in question.split()[:WORDS]:
        fits &= Q(value__icontains=word) | Q(key__icontains=word) | Q(memory_key__icontains=word)
    return fits


def _place_in(ids: Sequence[UUID]) -> Func:
    """Where a memory stands among `ids`; null for the others."""
    listed = Value(list(ids), output_field=ArrayField(UUIDField()))
    return Func(listed, F("pk"), function="array_position", output_field=IntegerField())
