"""Taking a fold apart: at a person's wish, or because something it holds is no longer so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _

from memories.audit.log import record_audit
from memories.models import Fold, FoldMember, Memory, Version
from memories.snapshot import changed_fields, fields_of, snapshot
from memories.storing.audited_writes import Change, change_memory, lock_person
from nebo.errors import Conflict
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant

UNDOABLE = (Memory.Status.ACTIVE, Memory.Status.ARCHIVED, Memory.Status.DELETED)
BY_NEWS = "news"  # who took it apart where a newer fact did: what is left may be folded again
UNDONE, CHANGED, TAKEN = "The fold was undone.", "changed since", "its key is taken"
NEWS = "A newer fact changes one of the parts."


def find_part_at(*, tenant: Tenant | UUID, draft: Memory) -> FoldMember | None:
    """The part of a live fold that has the address of `draft`; of folds within folds, with the outermost.

    Mostly there is none, which one join tells. To plan the six that its answer takes would cost each write 5 ms.
    """
    parts = FoldMember.objects.for_tenant(tenant)
    ours = parts.filter(
        memory__person_id=draft.person_id, memory__namespace=draft.namespace, memory__key=draft.key
    )
    held = list(ours.values_list("pk", flat=True))
    if not held:
        return None
    live = parts.filter(pk__in=held, fold__undone_at=None, fold__memory__status=Memory.Status.ACTIVE)
    found = live.select_related("fold__memory__person", "fold__person", "memory__person")
    return next((part for part in found if _audience(part.memory) == _audience(draft)), None)


def take_apart_for_news(*, tenant: Tenant | UUID, draft: Memory, actor: Actor) -> None:
    """Make the part at the address of `draft` live again, so that the newer fact meets that part alone."""
    while part := find_part_at(tenant=tenant, draft=draft):
        _take_apart(tenant, part.fold, actor, by=BY_NEWS, reason=NEWS)


def undo_fold(*, tenant: Tenant | UUID, fold: Fold, actor: Actor) -> dict[str, Any]:
    """Take a fold apart: it goes to the trash, its memories are as they were. Again it answers the same.

    Returns how many came back and, under `left`, what stayed and why: changed since, or its key is taken. Raises
    Conflict where the fold itself was folded or replaced since.
    """
    lock_person(tenant=tenant, person=fold.person)
    fold = Fold.objects.for_tenant(tenant).select_related("person", "memory__person").get(pk=fold.pk)
    if fold.undone_at is not None:
        return {"restored": 0, "left": []}
    if fold.memory.status not in UNDOABLE:
        raise Conflict(_("This fold was folded or replaced since; undo that first."))
    return _take_apart(tenant, fold, actor, by=str(actor)[:120], reason=UNDONE)


def audit_fold(tenant: Tenant | UUID, fold: Fold, actor: Actor, action: str, detail: dict[str, Any]) -> None:
    """One line of the log about a fold."""
    record_audit(
        tenant=tenant,
        actor=actor,
        action=action,
        object_type="fold",
        object_id=fold.pk,
        person_id=fold.person_id,
        detail=detail,
    )


def _take_apart(tenant: Tenant | UUID, fold: Fold, actor: Actor, *, by: str, reason: str) -> dict[str, Any]:
    change = Change("unfolded", actor, reason=reason)
    _discard(tenant, fold.memory, change)
    restored, left = _give_back(tenant, fold, change)
    fold.undone_at, fold.undone_by = timezone.now(), by
    fold.save(update_fields=["undone_at", "undone_by"])
    audit_fold(tenant, fold, actor, "fold.undone", {"restored": restored, "left": len(left)})
    return {"restored": restored, "left": left}


def _discard(tenant: Tenant | UUID, memory: Memory, change: Change) -> None:
    fields = {
        "status": Memory.Status.DELETED,
        "deleted_at": memory.deleted_at or timezone.now(),
        "pinned": False,
    }
    change_memory(tenant=tenant, memory=memory, fields=fields, change=change)


def _give_back(tenant: Tenant | UUID, fold: Fold, change: Change) -> tuple[int, list[dict[str, str]]]:
    """Each memory as it was before the fold, unless somebody has decided something about it since."""
    rows = Memory.objects.for_tenant(tenant).select_related("person", "persona")
    direct = FoldMember.objects.for_tenant(tenant).filter(fold=fold, direct=True)
    members = list(rows.filter(pk__in=direct.values("memory_id")).order_by("created_at"))
    traces = _list_traces(tenant, members)
    taken = _list_taken(tenant, members)
    restored, left = 0, []
    for member in members:
        before, after = traces.get(member.pk, ({}, {}))
        if changed_fields(after, snapshot(member)):
            left.append({"memory_id": str(member.pk), "reason": CHANGED})
        elif _address(member) in taken:
            left.append({"memory_id": str(member.pk), "reason": TAKEN})
        else:
            change_memory(tenant=tenant, memory=member, fields=fields_of(before), change=change)
            restored += 1
    return restored, left


def _list_traces(
    tenant: Tenant | UUID, members: Sequence[Memory]
) -> dict[UUID, tuple[dict[str, Any], dict[str, Any]]]:
    """Before and after of the last time each was folded."""
    rows = Version.objects.for_tenant(tenant).filter(memory__in=members, action="folded").order_by("number")
    return {row.memory_id: (row.before or {}, row.after) for row in rows}


def _list_taken(tenant: Tenant | UUID, members: Sequence[Memory]) -> set[tuple[object, ...]]:
    """Addresses among theirs at which another memory is live now."""
    keys = {member.key for member in members}
    person_ids = {member.person_id for member in members}
    live = Memory.objects.for_tenant(tenant).filter(
        person_id__in=person_ids, key__in=keys, status=Memory.Status.ACTIVE
    )
    return {_address(memory) for memory in live}


def _address(memory: Memory) -> tuple[object, ...]:
    return *_audience(memory), memory.namespace, memory.key


def _audience(memory: Memory) -> tuple[object, ...]:
    return memory.persona_id, memory.scope, memory.session_id
