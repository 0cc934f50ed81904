"""Taking a decision of the inbox back: what it changed stands as before, and it waits again.

What one decision did is told by its number, which all its lines of the log have. What somebody changed since stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from memories.audit.log import record_audit
from memories.forgetting.requests import open_again
from memories.learning.runs import wait_again
from memories.models import AuditEntry, Entity, ExtractionRun, Memory, MergeProposal, Todo, Version
from memories.people.merge_proposals import propose_again
from memories.people.merging import split_entity
from memories.selectors import get_run
from memories.snapshot import fields_of
from memories.storing.audited_writes import Change, change_memory, lock_person
from memories.todos.store import update_todo
from memories.withholding.withholding import lift
from nebo.errors import Conflict, NotFound
from nebo.product.inbox.actions import APPROVED, REVERTED, UNDONE
from nebo.product.inbox.deciding import Visit, revert
from nebo.product.inbox.items import FORGET, MEMORY, PAIR, RUN, WISH
from nebo.tenants.models import Tenant
from personality.wishes.candidates import defer_again
from personality.wishes.selectors import get_candidate

REASON = _("The decision was undone.")
GONE = _("This was undone already.")
CHANGED = _("It was changed since; nothing was undone.")
WITHIN = timedelta(minutes=10)  # of a transaction: the lines of a decision stand so close to it
# What a todo goes back to, by what the decision made of it.
TODO_BEFORE = {
    Todo.Status.DONE: Todo.Status.OPEN,
    Todo.Status.DROPPED: Todo.Status.OPEN,
    Todo.Status.OPEN: Todo.Status.DONE,
}


@dataclass(frozen=True, slots=True)
class Undoing:
    """A decision, and who takes it back."""

    visit: Visit
    entry: AuditEntry

    @property
    def tenant(self) -> Tenant:
        return self.visit.tenant

    @property
    def thing_id(self) -> UUID:
        return UUID(self.entry.object_id)

    @property
    def approved(self) -> bool:
        return self.entry.action == APPROVED

    def list_lines(self, object_type: str) -> list[AuditEntry]:
        """What the decision did to things of a type, in its order."""
        rows = AuditEntry.objects.for_tenant(self.tenant).filter(
            request_id=self.entry.request_id,
            actor=self.entry.actor,
            object_type=object_type,
            action__startswith=f"{object_type}.",
            at__range=(self.entry.at - WITHIN, self.entry.at),
        )
        return list(rows.order_by("at", "id"))


def undo(visit: Visit, entry_id: UUID) -> str:
    """Take a decision back, in the caller's transaction; what one reads. Raises NotFound for one about somebody else,
    and Conflict where it was taken back, or what it decided was changed since.
    """
    lock_person(tenant=visit.tenant, person=visit.person)
    entries = AuditEntry.objects.for_tenant(visit.tenant).filter(person_id=visit.person.pk)
    entry = entries.filter(pk=entry_id, action__startswith="inbox.").exclude(action=UNDONE).first()
    if entry is None:
        raise NotFound
    if entries.filter(action=UNDONE, detail__decision=str(entry_id)).exists():
        raise Conflict(gettext(GONE))
    if entry.action == REVERTED:
        _undo_revert(Undoing(visit, entry))
    else:
        UNDOES[entry.object_type](Undoing(visit, entry))
    record_audit(
        tenant=visit.tenant,
        actor=visit.actor,
        action=UNDONE,
        object_type=entry.object_type,
        object_id=entry.object_id,
        person_id=visit.person.pk,
        detail={"decision": str(entry_id)},
    )
    return (
        gettext("Undone. It waits for your decision again.")
        if entry.action != REVERTED
        else gettext("Undone. It is known again.")
    )


def _undo_memory(undoing: Undoing) -> None:
    _take_back_memories(undoing, needed=undoing.thing_id)


def _undo_pair(undoing: Undoing) -> None:
    pair = MergeProposal.objects.for_tenant(undoing.tenant).select_related("person").get(pk=undoing.thing_id)
    if undoing.approved:
        entity = Entity.objects.for_tenant(undoing.tenant).get(pk=undoing.entry.detail["entity"])
        split_entity(
            tenant=undoing.tenant, person=undoing.visit.person, entity=entity, actor=undoing.visit.actor
        )
    propose_again(tenant=undoing.tenant, proposal=pair, actor=undoing.visit.actor)


def _undo_forget(undoing: Undoing) -> None:
    _take_back_memories(undoing)
    _take_back_todos(undoing)
    passages = undoing.entry.detail.get("passages", ())
    open_again(
        tenant=undoing.tenant, request_id=undoing.thing_id, passage_ids=passages, actor=undoing.visit.actor
    )


def _undo_wish(undoing: Undoing) -> None:
    wish = get_candidate(
        tenant=undoing.tenant, candidate_id=undoing.thing_id, person_id=undoing.visit.person.pk
    )
    defer_again(
        tenant=undoing.tenant,
        candidate=wish,
        reason=undoing.entry.detail["reason"],
        actor=undoing.visit.actor,
    )
    _take_back_memories(undoing)


def _undo_run(undoing: Undoing) -> None:
    """What was approved is taken back for good unless that is undone in turn; what was rejected waits again."""
    if undoing.approved:
        revert(undoing.visit, undoing.thing_id)
        return
    _take_back_memories(undoing)
    _take_back_todos(undoing)
    _set_back(undoing, ExtractionRun.Status.REVIEW)


def _undo_revert(undoing: Undoing) -> None:
    _take_back_memories(undoing)
    _take_back_todos(undoing)
    _set_back(undoing, ExtractionRun.Status.APPLIED)


def _set_back(undoing: Undoing, status: str) -> None:
    run = get_run(tenant=undoing.tenant, person_id=undoing.visit.person.pk, run_id=undoing.thing_id)
    wait_again(tenant=undoing.tenant, run=run, status=status, actor=undoing.visit.actor)


UNDOES: Mapping[str, Callable[[Undoing], None]] = {
    MEMORY: _undo_memory,
    PAIR: _undo_pair,
    FORGET: _undo_forget,
    WISH: _undo_wish,
    RUN: _undo_run,
}


def _take_back_memories(undoing: Undoing, *, needed: UUID | None = None) -> None:
    """Memories as they stood before the decision, those first that leave their place to others. Raises Conflict where
    the one that is `needed` was changed since.
    """
    numbers: dict[str, list[int]] = {}
    for line in undoing.list_lines("memory"):
        numbers.setdefault(line.object_id, []).append(line.detail["version"])
    rows = (
        Memory.objects.for_tenant(undoing.tenant).select_related("person", "persona").filter(pk__in=numbers)
    )
    same = [memory for memory in rows if memory.version == max(numbers[str(memory.pk)])]
    if needed is not None and needed not in {memory.pk for memory in same}:
        raise Conflict(gettext(CHANGED))
    before = _list_before(undoing, same, numbers)
    for memory in sorted(same, key=lambda one: before[one.pk]["status"] == Memory.Status.ACTIVE):
        was_forgotten = memory.status in Memory.FORGOTTEN
        change = Change("restored", undoing.visit.actor, reason=REASON)
        fields = fields_of(before[memory.pk])
        changed = change_memory(tenant=undoing.tenant, memory=memory, fields=fields, change=change)
        if was_forgotten and changed.status not in Memory.FORGOTTEN:
            lift(tenant=undoing.tenant, memory=changed)


def _list_before(
    undoing: Undoing, memories: Iterable[Memory], numbers: Mapping[str, list[int]]
) -> dict[UUID, dict[str, Any]]:
    """How each stood before the first version that the decision made of it; one query."""
    first = {memory.pk: min(numbers[str(memory.pk)]) for memory in memories}
    rows = Version.objects.for_tenant(undoing.tenant).filter(memory_id__in=first)
    return {one.memory_id: one.before or {} for one in rows if one.number == first[one.memory_id]}


def _take_back_todos(undoing: Undoing) -> None:
    made = {line.object_id: line.detail.get("status") for line in undoing.list_lines("todo")}
    for todo in Todo.objects.for_tenant(undoing.tenant).select_related("person").filter(pk__in=made):
        if todo.status == made[str(todo.pk)]:
            changes = {"status": TODO_BEFORE[Todo.Status(todo.status)]}
            update_todo(tenant=undoing.tenant, todo=todo, changes=changes, actor=undoing.visit.actor)
