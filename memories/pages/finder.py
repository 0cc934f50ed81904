"""The list a person sees: what is known of them and of everyone in the team, filtered, or found by a question."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import islice
from typing import Any
from uuid import UUID

from django.contrib.postgres.fields import ArrayField
from django.db.models import (
    Count,
    F,
    Func,
    IntegerField,
    Q,
    QuerySet,
    TextField,
    UUIDField,
    Value,
    Window,
)
from django.db.models.functions import Cast, Coalesce, NullIf

from memories.forgetting.requests import list_requests
from memories.models import Entity, Memory, Observation
from memories.pages.filters import Facets, MemoryFilters
from memories.pages.persona_names import name_all
from memories.selectors import list_personas, unexpired
from nebo.errors import NotFound
from nebo.tenants.models import Tenant, UserProfile
from search.answers.search import SearchQuery, rank_candidates
from search.retrieval.candidates import FoundChunk

HITS = 50  # memories a question may find by meaning
NEAR = 0.25  # cosine, lower than for prompts: a person judges. On the demo, nonsense reaches 0.23 and "clay" 0.31
FACETS = 300  # personas and entities to choose from
WORDS = 10  # of a question that are looked for letter by letter


def find_memories(
    *, tenant: Tenant | UUID, person_id: UUID, filters: MemoryFilters, vector: list[float] | None
) -> QuerySet[Memory]:
    """What fits the filters in the order asked for; with a question the best answers first, then plain matches.

    `vector` is the question's; without one, words alone decide. The rows of a question carry their number (`total`),
    since they take longer to find than to count.
    """
    rows = list_visible(tenant=tenant, person_id=person_id, filters=filters)
    if not filters.q:
        return rows.order_by(*filters.order)
    best = _search(tenant, person_id, filters.q, vector) if filters.is_question else []
    rows = rows.filter(Q(pk__in=best) | _has_all_words(filters.q)).annotate(total=Window(Count("*")))
    if filters.sort:
        return rows.order_by(*filters.order)
    rows = rows.annotate(place=_place_in(best))
    return rows.order_by(F("place").asc(nulls_last=True), *filters.order)


def list_visible(
    *, tenant: Tenant | UUID, person_id: UUID, filters: MemoryFilters | None = None
) -> QuerySet[Memory]:
    """A person's own memories and the global ones; the live ones unless a filter names another status."""
    chosen = filters or MemoryFilters()
    people = UserProfile.objects.for_tenant(tenant).filter(Q(pk=person_id) | Q(kind=UserProfile.Kind.SHARED))
    rows = Memory.objects.for_tenant(tenant).filter(person_id__in=people.values("pk"))
    rows = rows.filter(chosen.condition, status=chosen.effective_status)
    return rows.filter(unexpired()) if chosen.effective_status == Memory.Status.ACTIVE else rows


def list_facets(*, tenant: Tenant | UUID, person_id: UUID) -> Facets:
    """The personas of the team, the entities of a person, and whether they are asked what to forget, in one query."""
    personas = list_personas(tenant=tenant).order_by().annotate(of=Value("persona"), called=F("name"))
    entities = Entity.objects.for_tenant(tenant).filter(person_id=person_id, merged_into=None).order_by()
    named = entities.annotate(of=Value("entity"), called=Coalesce(NullIf("label", Value("")), "ref"))
    asked = list_requests(tenant=tenant, person_id=person_id).order_by().annotate(of=Value("asked"))
    rows = personas.annotate(value=Cast("pk", TextField())).values_list("of", "value", "called", "slug")
    rows = rows.union(
        named.values_list("of", "ref", "called", Value("")),
        asked.values_list("of", Cast("pk", TextField()), Value(""), Value("")),
        all=True,
    )
    found: dict[str, list[tuple[str, str, str]]] = {"persona": [], "entity": [], "asked": []}
    for kind, *one in rows.order_by("called", "slug")[:FACETS]:
        found[kind].append(tuple(one))
    called = name_all([(name, slug) for _, name, slug in found["persona"]])
    return Facets(
        tuple((one[0], name) for one, name in zip(found["persona"], called, strict=True)),
        tuple((ref, name) for ref, name, _ in found["entity"]),
        bool(found["asked"]),
    )


def list_seen(*, tenant: Tenant | UUID, person_ids: Collection[UUID]) -> QuerySet[Memory]:
    """The memories of these people and the global ones, in any state."""
    own = Q(person_id__in=person_ids) | Q(person__kind=UserProfile.Kind.SHARED)
    return Memory.objects.for_tenant(tenant).filter(own)


def get_visible(*, tenant: Tenant | UUID, person_ids: Collection[UUID], memory_id: UUID) -> Memory:
    """A memory of one of these people, or a global one, in any state; raises NotFound."""
    rows = list_seen(tenant=tenant, person_ids=person_ids).select_related(
        "person", "persona", "superseded_by"
    )
    memory = rows.filter(pk=memory_id).first()
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


def count_from_session(*, tenant: Tenant | UUID, person_id: UUID, session_id: UUID) -> QuerySet[Any, Any]:
    """How many live memories of a person rest on something said in a session, as `n` of one row; none for none."""
    seen = _live_observations(tenant, person_id).filter(message__session_id=session_id).order_by()
    return seen.values("tenant_id").annotate(n=Count("memory_id", distinct=True)).values("n")


def _live_observations(tenant: Tenant | UUID, person_id: UUID) -> QuerySet[Observation]:
    rows = Observation.objects.for_tenant(tenant).select_related("memory")
    return rows.filter(memory__person_id=person_id, memory__status=Memory.Status.ACTIVE)


def _search(
    tenant: Tenant | UUID, person_id: UUID, question: str, vector: list[float] | None
) -> Sequence[UUID]:
    """The best answers, each memory once."""
    query = SearchQuery(text=question, person_id=person_id, limit=HITS, sources=("memory",))
    ranked = rank_candidates(tenant, query, vector)
    found = (chunk.memory_id for chunk, _ in ranked if chunk.memory_id and _is_near(chunk))
    return list(islice(dict.fromkeys(found), HITS))


def _is_near(chunk: FoundChunk) -> bool:
    """A word in common, or a meaning close enough: search itself gives the nearest, however far."""
    return bool(chunk.lexical) or (chunk.vector or 0.0) >= NEAR


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
