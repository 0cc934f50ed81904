"""Entity cards: what is known about the people, places, organisations and projects that memories speak of."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery, Window
from django.db.models.functions import RowNumber

from memories.entity_refs import find_ref
from memories.models import Entity, Memory, MemoryEntity
from memories.selectors import promptable
from memories.storing.entities import get_aliases
from nebo.errors import InvalidInput, NotFound
from nebo.tenants.models import Tenant, UserProfile

CARD_FACTS = 3  # facts a card; docs/design.md#memory-numbers
CARD_MIN_IMPORTANCE = 2  # below it, only what is pinned stands on a card
RECALLED_CARDS = 10  # cards at the head of a recalled block, so that one busy memory doesn't fill the prompt


@dataclass(frozen=True, slots=True)
class Card:
    """What is known about one entity: its best facts, the pinned first."""

    entity: Entity
    facts: tuple[Memory, ...]

    @property
    def text(self) -> str:
        """`[person:john]: fact1; fact2; fact3`."""
        return f"[{self.entity.ref}]: " + "; ".join(" ".join(fact.value.split()) for fact in self.facts)


def list_entities(*, tenant: Tenant | UUID, person_id: UUID, refs: Sequence[str] = ()) -> QuerySet[Entity]:
    """Whom and what a person's memories speak of; a merged reference finds what it was merged into.

    Raises InvalidInput for a text that is no reference.
    """
    rows = Entity.objects.for_tenant(tenant).filter(person_id=person_id, merged_into=None)
    if not refs:
        return rows
    aliases = get_aliases(tenant=tenant, person_id=person_id)
    wanted = [_ref(text) for text in refs]
    return rows.filter(ref__in=[aliases.get(ref, ref) for ref in wanted])


def get_entity(*, tenant: Tenant | UUID, person_id: UUID, ref: str, merged: bool = False) -> Entity:
    """One entity of a person by its reference, with `merged` also another's alias; raises NotFound."""
    rows = Entity.objects.for_tenant(tenant).filter(person_id=person_id, ref=_ref(ref))
    found = (rows if merged else rows.filter(merged_into=None)).first()
    if found is None:
        raise NotFound("This person has no such entity.", field="ref")
    return found


def list_with_card(
    rows: QuerySet[Entity], *, tenant: Tenant | UUID, persona_id: UUID | None = None
) -> QuerySet[Entity]:
    """Those that have a fact worth telling; with a persona, one that it may see."""
    facts = _worth_telling(tenant, persona_ids=None if persona_id is None else [persona_id])
    return rows.filter(Exists(facts.filter(entity_id=OuterRef("pk"))))


def list_with_counts(rows: QuerySet[Entity], *, tenant: Tenant | UUID) -> QuerySet[Entity]:
    """Those that a live memory speaks of, each with `facts`, how many do; the most spoken of first."""
    live = MemoryEntity.objects.for_tenant(tenant).filter(
        entity_id=OuterRef("pk"), memory__status=Memory.Status.ACTIVE
    )
    # A count by subquery: the database's key of an entity is not what Django would group by.
    counted = live.order_by().values("entity_id").annotate(count=Count("pk")).values("count")
    return rows.annotate(facts=Subquery(counted)).filter(facts__gt=0).order_by("-facts", "label", "ref")


def list_cards(
    *, tenant: Tenant | UUID, entities: Sequence[Entity], persona_ids: Iterable[UUID] | None = None
) -> list[Card]:
    """A card an entity, in their order, from one query; an entity without a fact worth telling has none.

    With `persona_ids`, only what is known to every persona and to those. Entities of two owners (a person and
    everyone) with one reference share a card.
    """
    facts: dict[str, list[Memory]] = {}
    for link in _best_links(tenant, [entity.pk for entity in entities], persona_ids):
        facts.setdefault(link.entity.ref, []).append(link.memory)
    first = {entity.ref: entity for entity in reversed(entities)}
    return [Card(entity, tuple(facts[ref])) for ref, entity in reversed(first.items()) if ref in facts]


def list_card_facts(
    *, tenant: Tenant | UUID, person_ids: Iterable[UUID], refs: Sequence[str], persona_id: UUID
) -> QuerySet[MemoryEntity, Any]:
    """The best facts, as `{ref, value, memory_id}`, about what these people's memories call so; the best of each first.

    Beside what every persona may know, only what `persona_id` may.
    """
    known = Entity.objects.for_tenant(tenant).filter(
        person_id__in=list(person_ids), merged_into=None, ref__in=refs
    )
    facts = _best_links(tenant, known.values("pk"), [persona_id])
    return facts.values("memory_id", ref=F("entity__ref"), value=F("memory__value"))


def list_about(*, tenant: Tenant | UUID, person: UserProfile, entity: Entity) -> QuerySet[Memory]:
    """The live memories that speak of an entity: pinned, then important, then new."""
    links = MemoryEntity.objects.for_tenant(tenant).filter(entity=entity)
    rows = Memory.objects.for_tenant(tenant).filter(
        pk__in=links.values("memory_id"), person=person, status=Memory.Status.ACTIVE
    )
    return rows.select_related("person", "persona").order_by("-pinned", "-importance", "-created_at")


def _ref(text: str) -> str:
    ref = find_ref(text)
    if ref is None:
        raise InvalidInput("A reference such as person:john_doe.", field="?ref")
    return str(ref)


def _worth_telling(tenant: Tenant | UUID, *, persona_ids: Iterable[UUID] | None) -> QuerySet[MemoryEntity]:
    """Links to what may stand on a card: pinned or important, and fit for a prompt."""
    worth = Q(memory__pinned=True) | Q(memory__importance__gte=CARD_MIN_IMPORTANCE)
    links = MemoryEntity.objects.for_tenant(tenant).filter(
        worth, promptable("memory__"), ~Q(memory__scope=Memory.Scope.SESSION)
    )
    if persona_ids is None:
        return links
    return links.filter(Q(memory__persona_id=None) | Q(memory__persona_id__in=list(persona_ids)))


def _best_links(
    tenant: Tenant | UUID, entity_ids: Collection[Any], persona_ids: Iterable[UUID] | None
) -> QuerySet[MemoryEntity]:
    """The first facts a reference: pinned, then important, then new."""
    order = [F("memory__pinned").desc(), F("memory__importance").desc(), F("memory__created_at").desc()]
    rank = Window(RowNumber(), partition_by=F("entity__ref"), order_by=order)
    links = _worth_telling(tenant, persona_ids=persona_ids).filter(entity_id__in=entity_ids)
    best = links.annotate(rank=rank).filter(rank__lte=CARD_FACTS)
    return best.select_related("memory", "entity").order_by("rank")
