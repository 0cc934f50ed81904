"""One live answer to a question: what a new memory replaces is closed, with a link, in the same transaction."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from memories.models import Memory, Observation
from memories.new_memory import NewMemory
from memories.storing import matching
from memories.storing.audited_writes import Change, change_memory
from nebo.tenants.models import Tenant


def find_same(*, tenant: Tenant | UUID, draft: Memory, ids: Iterable[UUID]) -> Memory | None:
    """The live memory among these that a new one says again, if it still stands for the same audience."""
    live = matching.list_live(tenant=tenant, draft=draft).filter(pk__in=list(ids), layer=draft.layer)
    return live.order_by("created_at").first()


def list_replaced(
    *, tenant: Tenant | UUID, draft: Memory, new: NewMemory, ids: Iterable[UUID]
) -> list[Memory]:
    """The live memories among these that a new one closes: none that the same message told."""
    wanted = list(ids)
    if not wanted:
        return []
    messages = [seen.message_id for seen in new.observations if seen.message_id]
    observed = Observation.objects.for_tenant(tenant).filter(memory_id__in=wanted, message_id__in=messages)
    live = matching.list_live(tenant=tenant, draft=draft).filter(pk__in=wanted)
    rows = live.exclude(pk__in=observed.values("memory_id")) if messages else live
    return list(rows.select_related("person", "persona").order_by("created_at"))


def supersede(
    *, tenant: Tenant | UUID, memories: Iterable[Memory], by: Memory, at: datetime, change: Change
) -> None:
    """Each superseded by the new answer; undone like every change."""
    for memory in memories:
        fields = {
            "status": Memory.Status.SUPERSEDED,
            "valid_to": max(at, memory.valid_from or at),
            "superseded_by_id": by.pk,
        }
        change_memory(tenant=tenant, memory=memory, fields=fields, change=change)
