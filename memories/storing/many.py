"""One thing done to many memories at once, and taken back as a whole."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from memories.models import AuditEntry, Memory
from memories.storing.edit import (
    archive_memory,
    delete_memory,
    pin_memory,
    restore_memory,
    unpin_memory,
)
from nebo.errors import Conflict
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant, UserProfile

Act = Callable[..., Any]
ACTS: Mapping[str, Act] = {
    "pin": pin_memory,
    "unpin": unpin_memory,
    "archive": archive_memory,
    "delete": delete_memory,
    "restore": restore_memory,
}
# What takes an act back, and how the log names the act.
UNDONE_BY: Mapping[str, tuple[Act, str]] = {
    "pin": (unpin_memory, "memory.pinned"),
    "unpin": (pin_memory, "memory.unpinned"),
    "archive": (restore_memory, "memory.archived"),
    "delete": (restore_memory, "memory.deleted"),
}
UNDO_FOR = timedelta(hours=1)  # how long the way back is open; each memory's own page has one for longer


def change_many(*, tenant: Tenant | UUID, memories: Iterable[Memory], act: str, actor: Actor) -> int:
    """Do it to each of these that is in a state for it; how many were changed.

    Those of one person come together: their row is held from the first on.
    """
    return sum(
        _try(ACTS[act], tenant, memory, actor) for memory in sorted(memories, key=lambda one: one.person_id)
    )


def undo_many(*, tenant: Tenant | UUID, person_id: UUID, act: str, actor: Actor, request_id: str) -> int:
    """Take back what this actor did to many of a person's memories in one request; how many.

    What somebody changed since stays as it is.
    """
    undo, action = UNDONE_BY[act]
    people = (
        UserProfile.objects.for_tenant(tenant)
        .filter(kind=UserProfile.Kind.SHARED)
        .values_list("pk", flat=True)
    )
    entries = AuditEntry.objects.for_tenant(tenant).filter(
        person_id__in=[person_id, *people],
        at__gte=timezone.now() - UNDO_FOR,
        actor=str(actor),
        action=action,
        request_id=request_id,
    )
    made = {UUID(one.object_id): one.detail.get("version") for one in entries}
    rows = Memory.objects.for_tenant(tenant).select_related("person").filter(pk__in=made)
    same = sorted((one for one in rows if one.version == made[one.pk]), key=lambda one: one.person_id)
    return sum(_try(undo, tenant, memory, actor) for memory in same)


def _try(act: Act, tenant: Tenant | UUID, memory: Memory, actor: Actor) -> int:
    """1 where it was done, 0 where the memory is in no state for it or is so already."""
    before = memory.version
    try:
        with transaction.atomic():
            act(tenant=tenant, memory=memory, actor=actor)
    except Conflict:
        return 0
    return int(memory.version != before)
