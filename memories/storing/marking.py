"""What a person can say of a memory besides deleting it: it isn't true, or no agent may ever hear of it.

Both marks withhold its words like a deletion, and both last: what says the same isn't learned again (`blocking.py`).
The job `forget-elsewhere` marks other live memories that say the same. `restore_memory` undoes all of it.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from memories.models import Memory
from memories.snapshot import fields_of
from memories.storing.audited_writes import Change, change_memory, lock_person
from memories.withholding.withholding import withhold
from nebo.errors import Conflict
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant

ACTIONS = {Memory.Status.WRONG: "marked_wrong", Memory.Status.UNMENTIONED: "never_mentioned"}
ALIKE = "Says the same."
MARKED_FIELDS = ("status", "valid_to", "superseded_by_id")  # what a mark changes, and undoing it sets back


def mark_wrong(*, tenant: Tenant | UUID, memory: Memory, actor: Actor, reason: str = "") -> Memory:
    """It isn't true, and never was: over without a successor, and not learned again from what was said until now.

    Raises Conflict for one in the trash.
    """
    return _mark(tenant, memory, Change("marked_wrong", actor, reason=reason), Memory.Status.WRONG)


def never_mention(*, tenant: Tenant | UUID, memory: Memory, actor: Actor) -> Memory:
    """It stays with the person alone: no agent is told it again, nor learns it anew.

    Raises Conflict for one in the trash.
    """
    return _mark(tenant, memory, Change("never_mentioned", actor), Memory.Status.UNMENTIONED)


def mark_alike(*, tenant: Tenant | UUID, memory: Memory, ids: Collection[UUID], actor: Actor) -> int:
    """Take memories that say the same along; how many. The person's row is held, and `memory` is marked."""
    rows = Memory.objects.for_tenant(tenant).select_related("person", "persona")
    states = (Memory.Status.ACTIVE, *Memory.PAST)
    alike = rows.filter(pk__in=list(ids), person_id=memory.person_id, status__in=states)
    found = list(alike.exclude(pk=memory.pk))
    for one in found:
        _set_mark(
            tenant,
            one,
            Change(ACTIONS[Memory.Status(memory.status)], actor, reason=ALIKE),
            memory.status,
            memory,
        )
    return len(found)


def list_marked_along(*, tenant: Tenant | UUID, memory: Memory, status: str) -> QuerySet[Memory]:
    """What went along with a memory when it was marked so."""
    rows = Memory.objects.for_tenant(tenant).select_related("person", "persona")
    return rows.filter(superseded_by=memory, status=status)


def fields_before_mark(*, tenant: Tenant | UUID, memory: Memory) -> dict[str, Any]:
    """How a marked memory stood before; empty for one that isn't marked."""
    if memory.status not in Memory.BLOCKED:
        return {}
    marked = memory.versions.filter(tenant_id=memory.tenant_id, action__in=ACTIONS.values())
    first = marked.exclude(before__status__in=list(Memory.BLOCKED)).order_by("-number").first()
    stood = fields_of(first.before) if first is not None and first.before else {}
    fields = {name: stood[name] for name in MARKED_FIELDS if name in stood}
    by = fields.get("superseded_by_id")
    if by is not None and not Memory.objects.for_tenant(tenant).filter(pk=by).exists():
        fields["superseded_by_id"] = None
    return fields


def _mark(tenant: Tenant | UUID, memory: Memory, change: Change, status: str) -> Memory:
    lock_person(tenant=tenant, person=memory.person)
    memory.refresh_from_db()
    if memory.status == Memory.Status.DELETED:
        raise Conflict(_("This memory is deleted; restore it first."))
    if memory.status != status:
        _set_mark(tenant, memory, change, status, None)
    return memory


def _set_mark(
    tenant: Tenant | UUID, memory: Memory, change: Change, status: str, along: Memory | None
) -> None:
    fields: dict[str, Any] = {"status": status, "superseded_by_id": along.pk if along else None}
    if status == Memory.Status.WRONG:
        fields["valid_to"] = timezone.now()
    change_memory(tenant=tenant, memory=memory, fields=fields, change=change)
    withhold(tenant=tenant, memory=memory)
