"""Reading what curation did and proposes: folds with what they hold, pairs of names, and when it last ran."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import Prefetch, QuerySet

from memories.models import Curation, EntityMerge, Fold, FoldMember, MergeProposal
from nebo.api.times import as_utc
from nebo.errors import NotFound
from nebo.tenants.models import Tenant


def list_open_proposals(*, tenant: Tenant | UUID, person_id: UUID) -> QuerySet[MergeProposal]:
    """Pairs of names nobody has decided about; none of which one is merged already."""
    rows = MergeProposal.objects.for_tenant(tenant).select_related("first", "second")
    return rows.filter(
        person_id=person_id,
        status=MergeProposal.Status.OPEN,
        first__merged_into=None,
        second__merged_into=None,
    )


def get_proposal(*, tenant: Tenant | UUID, person_id: UUID, proposal_id: UUID) -> MergeProposal:
    """One proposal about a person, decided or not; raises NotFound."""
    rows = MergeProposal.objects.for_tenant(tenant).select_related("first", "second", "person")
    found = rows.filter(pk=proposal_id, person_id=person_id).first()
    if found is None:
        raise NotFound
    return found


def list_aliases_of(*, tenant: Tenant | UUID, person_id: UUID) -> QuerySet[EntityMerge]:
    """The merges that hold now, the newest first."""
    rows = EntityMerge.objects.for_tenant(tenant).select_related("entity", "into")
    return rows.filter(person_id=person_id, undone_at=None).order_by("-created_at")


def list_folds(*, tenant: Tenant | UUID, person_id: UUID) -> QuerySet[Fold]:
    """Folds of a person's memories, undone or not, each with `held`: the members it was made of."""
    direct = FoldMember.objects.for_tenant(tenant).filter(direct=True).select_related("memory")
    held = Prefetch("members", direct.order_by("memory__created_at"), to_attr="held")
    rows = Fold.objects.for_tenant(tenant).filter(person_id=person_id)
    return rows.select_related("memory", "person").prefetch_related(held)


def get_fold(*, tenant: Tenant | UUID, person_id: UUID, fold_id: UUID) -> Fold:
    """One fold of a person; raises NotFound."""
    found = list_folds(tenant=tenant, person_id=person_id).filter(pk=fold_id).first()
    if found is None:
        raise NotFound
    return found


def find_curation(*, tenant: Tenant | UUID, person_id: UUID) -> Curation | None:
    """The last run over a person's memories."""
    return Curation.objects.for_tenant(tenant).filter(person_id=person_id).first()


def read_curation(*, tenant: Tenant | UUID, person_id: UUID) -> dict[str, Any]:
    """The last run as callers see it; nulls before the first."""
    run = find_curation(tenant=tenant, person_id=person_id)
    return {
        "last_run_at": as_utc(run.last_run_at) if run else None,
        "last_memory_count_at_run": run.last_memory_count if run else None,
        "counts": run.counts if run else {},
    }
