"""Review and undo of extraction runs: approve what waits, reject it, or take back everything a run did.

A memory that somebody touched after the run (a person, an agent, a later run) is left as it is, and the outcome
says so. What was taken back doesn't come back by reading the same messages again: its observations stay.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from memories.audit.log import record_audit
from memories.extraction.proposals import list_cited, read_proposals
from memories.learning.run import store_all, store_todos
from memories.learning.run_words import is_shown, list_cited_words
from memories.models import ExtractionRun, Memory, Todo, Version
from memories.selectors import list_existing_messages, list_message_ids
from memories.snapshot import changed_fields, fields_of, snapshot
from memories.storing.audited_writes import Change, change_memory, lock_person
from memories.todos.store import update_todo
from nebo.errors import Conflict
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant, UserProfile

CHANGED, SUCCEEDED = "changed since", "its successor was changed since"
UNDONE_REASON = "The extraction run that did it was undone."


@dataclass(slots=True)
class _Undoing:
    """What undoing a run has done so far."""

    tenant: Tenant
    actor: Actor
    counts: Counter[str] = field(default_factory=Counter)
    left: list[dict[str, str]] = field(default_factory=list)
    messages: list[UUID] = field(default_factory=list)  # what was heard in them is taken back, too
    gone: set[UUID] = field(default_factory=set)

    def change(self, action: str) -> Change:
        return Change(action, self.actor, reason=UNDONE_REASON)

    def leave(self, memory: Memory, reason: str) -> None:
        self.left.append({"memory_id": str(memory.pk), "reason": reason})


@dataclass(frozen=True, slots=True)
class _Trace:
    """A memory before a run (None where it wasn't there) and as the run left it."""

    before: dict[str, Any] | None
    after: dict[str, Any]


def approve_run(
    *, tenant: Tenant, run: ExtractionRun, vectors: Mapping[str, list[float]], actor: Actor
) -> ExtractionRun:
    """Apply the proposals that wait, exactly as they were shown; again it answers what it did.

    Pinned and confirmed memories stay protected. Raises Conflict for a run that doesn't wait.
    """
    held = _lock_run(tenant, run)
    if held.status == ExtractionRun.Status.APPLIED and "approved" in held.outcome:
        return held
    _check_waits(held)
    messages = list_existing_messages(tenant=tenant, ids=list_cited(held.proposals))
    words = list_cited_words(tenant=tenant, runs=[held])
    shown = [one for one in held.proposals if is_shown(one, words)]  # what was forgotten since isn't learned
    facts, todos = read_proposals(shown, messages=messages)
    counts = Counter(styles=held.counts.get("styles", 0))
    counts += store_all(tenant=tenant, person=held.person, facts=facts, vectors=vectors, actor=actor)
    counts += store_todos(tenant=tenant, person=held.person, todos=todos, actor=actor)
    held.counts = dict(counts)
    return _close(tenant, held, actor, ExtractionRun.Status.APPLIED, "approved", dict(counts))


def reject_run(*, tenant: Tenant, run: ExtractionRun, actor: Actor) -> ExtractionRun:
    """Learn nothing of what waits, and undo what the run did meanwhile; raises Conflict for one that doesn't wait."""
    held = _lock_run(tenant, run)
    if held.status == ExtractionRun.Status.REJECTED:
        return held
    _check_waits(held)
    outcome = _undo(tenant, held, actor)
    return _close(tenant, held, actor, ExtractionRun.Status.REJECTED, "rejected", outcome)


def revert_run(*, tenant: Tenant, run: ExtractionRun, actor: Actor) -> ExtractionRun:
    """Take back everything an applied run did that nobody changed since, and what was heard before it in the messages
    that it read; again it answers what it did.

    Memories it made go to the trash, those it superseded are live again, its observations no longer count, its todos
    are dropped. `outcome["reverted"]` has the counts and, under `left`, what stayed and why. Raises Conflict for a
    run that waits or was rejected.
    """
    held = _lock_run(tenant, run)
    if held.status == ExtractionRun.Status.REVERTED:
        return held
    if held.status != ExtractionRun.Status.APPLIED:
        waits = held.status == ExtractionRun.Status.REVIEW
        raise Conflict(_("This run waits for review: reject it.") if waits else _("This run was rejected."))
    outcome = _undo(tenant, held, actor, messages=_list_read(tenant, held))
    return _close(tenant, held, actor, ExtractionRun.Status.REVERTED, "reverted", outcome)


def wait_again(*, tenant: Tenant, run: ExtractionRun, status: str, actor: Actor) -> ExtractionRun:
    """A run as it stood before a decision that was undone: waiting for one, or applied. What the decision did to
    memories and todos is the caller's to take back.
    """
    held = _lock_run(tenant, run)
    held.status = status
    held.outcome = {name: one for name, one in held.outcome.items() if name not in ("rejected", "reverted")}
    held.save(update_fields=["status", "outcome"])
    record_audit(
        tenant=tenant,
        actor=actor,
        action="extraction.reopened",
        object_type="extraction_run",
        object_id=held.pk,
        person_id=held.person_id,
    )
    return held


def _lock_run(tenant: Tenant, run: ExtractionRun) -> ExtractionRun:
    """The run as it stands once the person's row is held."""
    person = UserProfile.objects.for_tenant(tenant).get(pk=run.person_id)
    lock_person(tenant=tenant, person=person)
    return ExtractionRun.objects.for_tenant(tenant).select_related("person").get(pk=run.pk)


def _check_waits(run: ExtractionRun) -> None:
    if run.status != ExtractionRun.Status.REVIEW:
        raise Conflict(_("This run doesn't wait for review: it is %(status)s.") % {"status": run.status})


def _close(
    tenant: Tenant, run: ExtractionRun, actor: Actor, status: str, verb: str, outcome: dict[str, Any]
) -> ExtractionRun:
    run.status = status
    run.outcome = {**run.outcome, verb: {**outcome, "by": str(actor), "at": timezone.now().isoformat()}}
    run.save(update_fields=["status", "counts", "proposals", "outcome"])
    record_audit(
        tenant=tenant,
        actor=actor,
        action=f"extraction.{verb}",
        object_type="extraction_run",
        object_id=run.pk,
        person_id=run.person_id,
        detail=outcome,
    )
    return run


def _list_read(tenant: Tenant, run: ExtractionRun) -> list[UUID]:
    """The messages that a run read."""
    if run.session_id is None or run.seq_from is None or run.seq_to is None:
        return []
    return list_message_ids(tenant=tenant, session_id=run.session_id, first=run.seq_from, last=run.seq_to)


def _undo(
    tenant: Tenant, run: ExtractionRun, actor: Actor, *, messages: Sequence[UUID] = ()
) -> dict[str, Any]:
    undoing = _Undoing(tenant, actor, messages=list(messages))
    traces = _list_traces(undoing, run)
    rows = Memory.objects.for_tenant(tenant).select_related("person", "persona")
    memories = list(rows.filter(pk__in=traces).order_by("created_at"))
    untouched = [
        memory for memory in memories if not changed_fields(traces[memory.pk].after, snapshot(memory))
    ]
    for memory in memories:
        if memory not in untouched:
            undoing.leave(memory, CHANGED)
    for memory in untouched:
        if traces[memory.pk].before is None:
            _delete(undoing, memory)
    for memory in untouched:
        before = traces[memory.pk].before
        if before is not None:
            _reset(undoing, memory, fields_of(before))
    _drop_todos(undoing, run)
    _open_todos_again(undoing, run)
    return {**undoing.counts, "left": undoing.left}


def _list_traces(undoing: _Undoing, run: ExtractionRun) -> dict[UUID, _Trace]:
    """What a run, and hearing its messages, made of each memory, told by content: what changed and changed back is
    the same.
    """
    read_in_turn = Q(run=None, message_id__in=undoing.messages, memory__person_id=run.person_id)
    rows = Version.objects.for_tenant(undoing.tenant).filter(Q(run=run) | read_in_turn).order_by("number")
    traces: dict[UUID, _Trace] = {}
    for memory_id, before, after in rows.values_list("memory_id", "before", "after"):
        first = traces[memory_id].before if memory_id in traces else before
        traces[memory_id] = _Trace(first, after)
    return traces


def _delete(undoing: _Undoing, memory: Memory) -> None:
    fields = {"status": Memory.Status.DELETED, "deleted_at": timezone.now()}
    change_memory(tenant=undoing.tenant, memory=memory, fields=fields, change=undoing.change("deleted"))
    undoing.gone.add(memory.pk)
    undoing.counts["deleted"] += 1


def _reset(undoing: _Undoing, memory: Memory, fields: dict[str, Any]) -> None:
    """A superseded memory comes back only where its successor went: that one has its key."""
    revives = fields["status"] == Memory.Status.ACTIVE and memory.status != Memory.Status.ACTIVE
    if revives and memory.superseded_by_id not in (None, *undoing.gone):
        undoing.leave(memory, SUCCEEDED)
        return
    change_memory(tenant=undoing.tenant, memory=memory, fields=fields, change=undoing.change("reverted"))
    undoing.counts["restored" if revives else "reset"] += 1


def _drop_todos(undoing: _Undoing, run: ExtractionRun) -> None:
    read_in_turn = Q(run=None, message_id__in=undoing.messages)
    rows = Todo.objects.for_tenant(undoing.tenant).filter(Q(run=run) | read_in_turn, person=run.person)
    for todo in rows.select_related("person"):
        if todo.version > 1:
            undoing.left.append({"todo_id": str(todo.pk), "reason": CHANGED})
            continue
        changes = {"status": Todo.Status.DROPPED}
        update_todo(tenant=undoing.tenant, todo=todo, changes=changes, actor=undoing.actor)
        undoing.counts["todos"] += 1


def _open_todos_again(undoing: _Undoing, run: ExtractionRun) -> None:
    """What the run or its messages said is settled is open once more, unless somebody changed it since."""
    by_run = Q(closed_by=f"job:{run.job_id}") if run.job_id else Q(pk=None)
    by_message = Q(closed_message_id__in=undoing.messages)
    closed = Todo.objects.for_tenant(undoing.tenant).filter(
        by_run | by_message, person=run.person, status=Todo.Status.DONE
    )
    for todo in closed.exclude(run=run).select_related("person"):
        changes = {"status": Todo.Status.OPEN}
        update_todo(tenant=undoing.tenant, todo=todo, changes=changes, actor=undoing.actor)
        undoing.counts["todos_opened"] += 1
