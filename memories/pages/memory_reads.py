"""What the page of one memory shows of its history and of others it stands against, in one statement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.db.models.fields.json import KT

from memories.curation.selectors import list_folds
from memories.models import Fold, Memory, Version
from memories.pages.people_reads import fill_folds, list_fold_parts
from nebo.tenants.models import Tenant
from nebo.tenants.reads import Queries, TenantReads
from nebo.tenants.selectors import key_name_of

HISTORY = 100  # the last versions, and observations, shown of one memory
RELATED = 20
CONTRADICTS = "Contradicts"  # how reasons of review begin that name another memory


@dataclass(frozen=True, slots=True)
class History:
    """The versions, the newest first, each with the `key_name` of who made it; what the memory replaced, but for what
    it holds as a fold; what it goes against, or what goes against it; and the fold that made it, with what it holds.
    """

    versions: list[Version]
    replaced: list[Memory]
    against: list[Memory]
    fold: Fold | None


def read_history(*, tenant: Tenant | UUID, memory: Memory) -> History:
    """One statement in the open scope."""
    waits = memory.status == Memory.Status.QUARANTINED and memory.quarantine_reason.startswith(CONTRADICTS)
    found = MEMORY_READS.read(
        tenant=tenant,
        memory_id=memory.pk,
        person_id=memory.person_id,
        namespaces=[memory.namespace],
        keys=[memory.key],
        slots=[str(memory.metadata["slot"])] if memory.metadata.get("slot") else [],
        statuses=[Memory.Status.ACTIVE if waits else Memory.Status.QUARANTINED],
    )
    fill_folds(found)
    fold: Any = next(iter(found["folds"]), None)  # with what it holds laid beside it
    folded = {part.memory_id for part in fold.held} if fold and not fold.undone_at else set()
    replaced = [one for one in found["replaced"] if one.pk not in folded]
    return History(found["versions"], replaced, found["against"], fold)


def _list_history(
    tenant: UUID,
    *,
    memory_id: UUID,
    person_id: UUID,
    namespaces: list[str],
    keys: list[str],
    slots: list[str],
    statuses: list[str],
) -> Queries:
    versions = Version.objects.for_tenant(tenant).filter(memory_id=memory_id).order_by("-number")
    others = Memory.objects.for_tenant(tenant).filter(person_id=person_id).exclude(pk=memory_id)
    others = others.order_by("-updated_at")
    contradicts = Q(status=Memory.Status.ACTIVE) | Q(quarantine_reason__startswith=CONTRADICTS)
    same = Q(namespace__in=namespaces, key__in=keys) | Q(slot__in=slots)
    against = others.annotate(slot=KT("metadata__slot")).filter(same, contradicts, status__in=statuses)
    folds = list_folds(tenant=tenant, person_id=person_id).select_related(None).prefetch_related(None)
    return {
        "versions": versions.annotate(key_name=key_name_of("actor", tenant=tenant))[:HISTORY],
        "replaced": others.filter(superseded_by_id=memory_id)[:RELATED],
        "against": against[:RELATED],
        **list_fold_parts(tenant, person_id, folds.filter(memory_id=memory_id)[:1]),
    }


MEMORY_READS = TenantReads(
    _list_history,
    given={
        "memory_id": "uuid",
        "person_id": "uuid",
        "namespaces": "text[]",
        "keys": "text[]",
        "slots": "text[]",
        "statuses": "text[]",
    },
)
