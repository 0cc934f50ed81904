"""Sharing a memory with the team, and taking it back. The server says who did it; no call can.

It is a change like any other, through the door, with a version and an entry of the log. The door itself ends it when
the words or the state change (`memories/storing/audited_writes.py`): what was agreed to were those words.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from memories.models import Memory
from memories.new_memory import NewMemory
from memories.storing.audited_writes import Change, change_memory, lock_person
from memories.storing.store import Stored, store_memory
from memories.team.rules import (
    OFF,
    find_agent_refusal,
    find_order,
    find_refusal,
    find_state_refusal,
)
from nebo.errors import Conflict, Forbidden, Unprocessable
from nebo.reading.relations.same_fact import is_same_text
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant, UserProfile

NOT_SHARED = gettext_noop("Not shared. ")  # how a refusal begins
ENDED = {"shared_at": None, "shared_by": ""}


def check_shared_words(*, tenant: Tenant, value: str, kind: str) -> None:
    """Raise Forbidden where the team's policy has no team memory, Unprocessable for what an agent may not share."""
    if not tenant.shares:
        raise Forbidden(OFF)
    if reason := find_agent_refusal(value, kind):
        raise Unprocessable(reason, field="visibility")


def store_for_team(
    *, tenant: Tenant, person: UserProfile, new: NewMemory, actor: Actor, **options: Any
) -> Stored:
    """Store what an agent marks as the team's, and share exactly those words. `options` are those of `store_memory`.

    What is known in other words is strengthened, and stays the person's own: the marked words become a memory beside
    it. What other people's agents may not read waits in the person's review, unshared. Raises as
    `check_shared_words`, and Unprocessable for what belongs to a session, a persona or everyone.
    """
    check_shared_words(tenant=tenant, value=new.value, kind=new.type)
    if new.scope != Memory.Scope.USER or new.persona_id:
        raise Unprocessable(
            _("What is for a session, a persona or everyone can't be the team's."), field="visibility"
        )
    new = replace(new, doubt=new.doubt or find_order(new.value))
    stored = store_memory(tenant=tenant, person=person, new=new, actor=actor, **options)
    if not _says(stored.memory, new.value) and not stored.memory.is_shared:
        options["deduplicate"] = False
        stored = store_memory(tenant=tenant, person=person, new=new, actor=actor, **options)
    if find_state_refusal(stored.memory) or not _says(stored.memory, new.value):
        return stored
    return replace(stored, memory=_share(tenant, stored.memory, actor))


def share_memory(*, tenant: Tenant, memory: Memory, actor: Actor, seen_version: int) -> Memory:
    """A person shares what they read as version `seen_version`; nothing happens where it is shared already.

    Raises Conflict, with the reason, where it can't be shared or has changed since it was read.
    """
    held = _lock(tenant, memory)
    if held.version != seen_version:
        raise Conflict(_("The memory has changed since it was read; look at it again."))
    if not tenant.shares:
        raise Conflict(_("Team memory is switched off in this workspace."))
    if reason := find_state_refusal(held) or find_refusal(held.value) or find_order(held.value):
        raise Conflict(f"{_(NOT_SHARED)}{_(reason)}")
    return _share(tenant, held, actor)


def take_back(*, tenant: Tenant | UUID, memory: Memory, actor: Actor) -> Memory:
    """From now on it is the person's alone again; nothing happens where it wasn't shared."""
    held = _lock(tenant, memory)
    if not held.is_shared:
        return held
    return change_memory(tenant=tenant, memory=held, fields=ENDED, change=Change("taken_back", actor))


def take_back_all_shared(*, tenant: Tenant | UUID, people: Collection[UUID], actor: Actor) -> int:
    """Everything that these people shared, as when they leave the team; how many memories."""
    rows = Memory.objects.for_tenant(tenant).filter(person_id__in=people, shared_at__isnull=False)
    memories = list(rows.select_related("person").order_by("person_id", "id"))
    for memory in memories:
        take_back(tenant=tenant, memory=memory, actor=actor)
    return len(memories)


def _share(tenant: Tenant, memory: Memory, actor: Actor) -> Memory:
    if memory.is_shared:
        return memory
    fields = {"shared_at": timezone.now(), "shared_by": str(actor)[:120]}
    return change_memory(tenant=tenant, memory=memory, fields=fields, change=Change("shared", actor))


def _says(memory: Memory, value: str) -> bool:
    return is_same_text(memory.value, value)


def _lock(tenant: Tenant | UUID, memory: Memory) -> Memory:
    lock_person(tenant=tenant, person=memory.person)
    memory.refresh_from_db()
    return memory
