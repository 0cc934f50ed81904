"""What the pages of people and things show besides the entities and facts they are about: one statement each."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q, QuerySet

from memories.curation.selectors import list_aliases_of, list_folds, list_open_proposals
from memories.models import Curation, Entity, EntityMerge, Fold, FoldMember, Memory, MemoryEntity
from memories.people.cards import list_entities
from nebo.tenants.models import Tenant
from nebo.tenants.reads import Queries, Rows, TenantReads

FOLDS_SHOWN = 5
CHOICES = 200  # entities one may choose from to merge by hand


@dataclass(frozen=True, slots=True)
class Beside:
    """How many pairs of names wait for a decision, merges that hold with both names, the last folds with what they
    hold, and when it was last tidied.
    """

    pairs: int
    merges: list[EntityMerge]
    folds: list[Fold]
    curation: Curation | None


@dataclass(frozen=True, slots=True)
class BesideEntity:
    """Merges that hold with both names, others of its type to merge it with, and folds that speak of it."""

    merges: list[EntityMerge]
    others: list[Entity]
    folds: list[Fold]


def read_beside(*, tenant: Tenant | UUID, person_id: UUID) -> Beside:
    """One statement in the open scope."""
    found = PEOPLE_READS.read(tenant=tenant, person_id=person_id)
    entities: dict[UUID, Entity] = {entity.pk: entity for entity in found["entities"]}
    _name_merges(found["merges"], entities)
    fill_folds(found)
    curation: Curation | None = next(iter(found["curation"]), None)
    return Beside(len(found["proposals"]), found["merges"], found["folds"], curation)


def read_beside_entity(*, tenant: Tenant | UUID, entity: Entity) -> BesideEntity:
    """One statement in the open scope."""
    found = ENTITY_READS.read(
        tenant=tenant, person_id=entity.person_id, entity_id=entity.pk, types=[entity.type]
    )
    _name_merges(found["merges"], {one.pk: one for one in found["entities"]})
    fill_folds(found)
    return BesideEntity(found["merges"], found["others"], found["folds"])


def _name_merges(merges: list[EntityMerge], entities: dict[UUID, Entity]) -> None:
    for merge in merges:
        merge.entity, merge.into = entities[merge.entity_id], entities[merge.into_id]


def fill_folds(found: Rows) -> None:
    """Give each fold its memory and `held`, its members in the order in which they were learned."""
    memories: dict[UUID, Memory] = {memory.pk: memory for memory in found["memories"]}
    for member in found["members"]:
        member.memory = memories[member.memory_id]
    for fold in found["folds"]:
        fold.memory = memories[fold.memory_id]
        held = [member for member in found["members"] if member.fold_id == fold.pk]
        fold.held = sorted(held, key=lambda member: member.memory.created_at)


def _list_beside(tenant: UUID, *, person_id: UUID) -> Queries:
    proposals = list_open_proposals(tenant=tenant, person_id=person_id).select_related(None)
    folds = list_folds(tenant=tenant, person_id=person_id).select_related(None).prefetch_related(None)
    folds = folds.filter(undone_at=None).order_by("-created_at")[:FOLDS_SHOWN]
    return {
        "proposals": proposals.values("id"),
        **_list_merges(tenant, person_id),
        **list_fold_parts(tenant, person_id, folds),
        "curation": Curation.objects.for_tenant(tenant).filter(person_id=person_id),
    }


def _list_beside_entity(tenant: UUID, *, person_id: UUID, entity_id: UUID, types: list[str]) -> Queries:
    others = list_entities(tenant=tenant, person_id=person_id).filter(type__in=types).exclude(pk=entity_id)
    links = MemoryEntity.objects.for_tenant(tenant).filter(entity_id=entity_id)
    folds = list_folds(tenant=tenant, person_id=person_id).select_related(None).prefetch_related(None)
    folds = folds.filter(undone_at=None, memory_id__in=links.values("memory_id")).order_by("-created_at")
    return {
        **_list_merges(tenant, person_id),
        **list_fold_parts(tenant, person_id, folds),
        "others": others.order_by("label")[:CHOICES],
    }


def _list_merges(tenant: UUID, person_id: UUID) -> Queries:
    """Merges that hold, and their entities."""
    merges = list_aliases_of(tenant=tenant, person_id=person_id).select_related(None)
    named = Q(pk__in=merges.order_by().values("entity_id")) | Q(pk__in=merges.order_by().values("into_id"))
    entities = Entity.objects.for_tenant(tenant).filter(named, person_id=person_id)
    return {"merges": merges, "entities": entities}


def list_fold_parts(tenant: UUID, person_id: UUID, folds: QuerySet[Fold]) -> Queries:
    """Folds with their members, and the memories of both."""
    members = FoldMember.objects.for_tenant(tenant).filter(direct=True, fold__in=folds.values("pk"))
    told = Q(pk__in=members.values("memory_id")) | Q(pk__in=folds.values("memory_id"))
    memories = Memory.objects.for_tenant(tenant).filter(told, person_id=person_id)
    return {"folds": folds, "members": members, "memories": memories.only("value", "created_at")}


PEOPLE_READS = TenantReads(_list_beside, given={"person_id": "uuid"})
ENTITY_READS = TenantReads(
    _list_beside_entity, given={"person_id": "uuid", "entity_id": "uuid", "types": "text[]"}
)
