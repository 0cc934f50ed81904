"""One thing done to many memories at once, and taken back as a whole."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from memories.models import AuditEntry, Memory
from nebo.errors import Conflict
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant, UserProfile

Act = Callable[..., Any]
DONE, SO_ALREADY = "done", "so already"
UNDO_FOR = timedelta(hours=1)  # how long the way back is open; each memory's own page has one for longer


@dataclass(frozen=True, slots=True)
class Undo:
    """What takes an act back, and how the log names the act."""

    act: Act
    action: str


@dataclass(frozen=True, slots=True)
class Changed:
    """How many memories were changed; of each that was in no state for it, why."""

    count: int
    refused: Sequence[str] = ()


def change_many(*, tenant: Tenant | UUID, memories: Iterable[Memory], act: Act, actor: Actor) -> Changed:
    """Do it to each of these that is in a state for it.

    Those of one person come together: their row is held from the first on.
    """
    tried = [_try(act, tenant, memory, actor) for memory in sorted(memories, key=lambda one: one.person_id)]
    return Changed(tried.count(DONE), [one for one in tried if one not in (DONE, SO_ALREADY)])


def undo_many(*, tenant: Tenant | UUID, person_id: UUID, undo: Undo, actor: Actor, request_id: str) -> int:
    """Take back what this actor did to many of a person's memories in one request; how many.

    What somebody changed since stays as it is.
    """
    people = (
        UserProfile.objects.for_tenant(tenant)
        .filter(kind=UserProfile.Kind.SHARED)
        .values_list("pk", flat=True)
    )
    entries = AuditEntry.objects.for_tenant(tenant).filter(
        person_id__in=[person_id, *people],
        at__gte=timezone.now() - UNDO_FOR,
        actor=str(actor),
        action=undo.action,
        request_id=request_id,
    )
    made = {UUID(one.object_id): one.detail.get("version") for one in entries}
    rows = Memory.objects.for_tenant(tenant).select_related("person").filter(pk__in=made)
    same = sorted((one for one in rows if one.version == made[one.pk]), key=lambda one: one.person_id)
    return [_try(undo.act, tenant, memory, actor) for memory in same].count(DONE)


def _try(act: Act, tenant: Tenant | UUID, memory: Memory, actor: Actor) -> str:
    """What became of it: done, or so already; else why the memory is in no state for it."""
    before = memory.version
    try:
        with transaction.atomic():
            act(tenant=tenant, memory=memory, actor=actor)
    except Conflict as error:
        return error.detail
    return DONE if memory.version != before else SO_ALREADY
