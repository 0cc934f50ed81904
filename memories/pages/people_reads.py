"""What the page of people and things shows besides the entities themselves, in one statement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Q

from memories.curation.selectors import list_aliases_of, list_folds, list_open_proposals
from memories.models import Curation, Entity, EntityMerge, Fold, FoldMember, Memory, MergeProposal
from nebo.tenants.models import Tenant
from nebo.tenants.reads import Queries, TenantReads

PAIRS_SHOWN = 10  # the most alike; the next come when these are decided
FOLDS_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Beside:
    """Pairs to decide about with their two entities, merges that hold with both names, the last folds with what they
    hold, and when it was last tidied.
    """

    proposals: list[MergeProposal]
    merges: list[EntityMerge]
    folds: list[Fold]
    curation: Curation | None


def read_beside(*, tenant: Tenant | UUID, person_id: UUID) -> Beside:
    """One statement in the open scope."""
    found = PEOPLE_READS.read(tenant=tenant, person_id=person_id)
    entities: dict[UUID, Entity] = {entity.pk: entity for entity in found["entities"]}
    for proposal in found["proposals"]:
        proposal.first, proposal.second = entities[proposal.first_id], entities[proposal.second_id]
    for merge in found["merges"]:
        merge.entity, merge.into = entities[merge.entity_id], entities[merge.into_id]
    _fill_folds(found["folds"], found["members"], {memory.pk: memory for memory in found["memories"]})
    curation: Curation | None = next(iter(found["curation"]), None)
    return Beside(found["proposals"], found["merges"], found["folds"], curation)


def _fill_folds(folds: list[Any], members: list[FoldMember], memories: dict[UUID, Memory]) -> None:
    """Give each fold its memory and `held`, its members in the order in which they were learned."""
    for member in members:
        member.memory = memories[member.memory_id]
    for fold in folds:
        fold.memory = memories[fold.memory_id]
        held = [member for member in members if member.fold_id == fold.pk]
        fold.held = sorted(held, key=lambda member: member.memory.created_at)


def _list_beside(tenant: UUID, *, person_id: UUID) -> Queries:
    proposals = list_open_proposals(tenant=tenant, person_id=person_id).select_related(None)
    proposals = proposals.order_by("-created_at")[:PAIRS_SHOWN]
    merges = list_aliases_of(tenant=tenant, person_id=person_id).select_related(None)
    folds = list_folds(tenant=tenant, person_id=person_id).select_related(None).prefetch_related(None)
    folds = folds.filter(undone_at=None).order_by("-created_at")[:FOLDS_SHOWN]
    members = FoldMember.objects.for_tenant(tenant).filter(direct=True, fold__in=folds.values("pk"))
    named = (
        Q(pk__in=proposals.values("first_id"))
        | Q(pk__in=proposals.values("second_id"))
        | Q(pk__in=merges.order_by().values("entity_id"))
        | Q(pk__in=merges.order_by().values("into_id"))
    )
    told = Q(pk__in=members.values("memory_id")) | Q(pk__in=folds.values("memory_id"))
    memories = Memory.objects.for_tenant(tenant).filter(told, person_id=person_id)
    return {
        "proposals": proposals,
        "merges": merges,
        "entities": Entity.objects.for_tenant(tenant).filter(named, person_id=person_id),
        "folds": folds,
        "members": members,
        "memories": memories.only("value", "created_at"),
        "curation": Curation.objects.for_tenant(tenant).filter(person_id=person_id),
    }


PEOPLE_READS = TenantReads(_list_beside, given={"person_id": "uuid"})
