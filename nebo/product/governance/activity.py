"""The log as a person reads it: who did what with their data, the newest first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Max, Q, QuerySet

from memories.models import AuditEntry
from memories.selectors import Wording, list_todos, list_wordings
from nebo.tenants.models import Tenant
from nebo.tenants.selectors import get_key_names, is_id

READS = Q(action__endswith="read") | Q(action__endswith="listed")
READS |= Q(action__in=("memory.searched", "memory.recalled", "person.export_downloaded", "person.looked_at"))
SHOWN_MEMORIES = 8  # of one reading
TODO_CHANGED = "todo.updated"


@dataclass(frozen=True, slots=True)
class Named:
    """A memory that an entry names, as it read then."""

    id: UUID
    value: str


@dataclass(frozen=True, slots=True)
class NamedTodo:
    """What is or was open, as it reads now; its earlier wordings are kept nowhere."""

    id: UUID
    text: str
    reworded: bool  # since the entry


@dataclass(frozen=True, slots=True)
class Line:
    """One entry with what it names: the key that called, and the memories or the todo, if they are still there."""

    entry: AuditEntry
    key_name: str
    memories: tuple[Named, ...]
    todo: NamedTodo | None = None

    @property
    def action(self) -> str:
        """What was done, for words: a todo that is changed may be done with, dropped, or opened again."""
        detail = self.entry.detail
        if self.entry.action == TODO_CHANGED and "status" in detail.get("fields", ()):
            return f"todo.{detail.get('status')}"
        return self.entry.action

    @property
    def is_nebo(self) -> bool:
        """Whether a job did it."""
        return self.entry.actor.startswith("job:")

    @property
    def count(self) -> int:
        """How many things of its kind it read, also of those that are gone."""
        found = self.entry.detail.get("count", 0)
        return found if isinstance(found, int) else 0

    @property
    def names_one(self) -> bool:
        """Whether it is about one memory, which then stands in the line itself."""
        return self.entry.object_type == "memory" and bool(self.entry.object_id)

    @property
    def more(self) -> int:
        """Of a reading, those that are not shown."""
        return max(self.count - len(self.memories), 0) if self.memories else 0


def list_activity(*, tenant: Tenant, person_id: UUID, kind: str = "") -> QuerySet[AuditEntry]:
    """What was done with a person's data: `reads`, `changes`, or both."""
    rows = AuditEntry.objects.for_tenant(tenant).filter(person_id=person_id).order_by("-at", "-id")
    if kind == "reads":
        return rows.filter(READS)
    return rows.exclude(READS) if kind == "changes" else rows


def describe(*, tenant: Tenant, person_id: UUID, entries: Sequence[AuditEntry]) -> list[Line]:
    """Lines of a page, with four queries for all of them. Each memory reads as it did at that moment."""
    keys = get_key_names(tenant=tenant, actors={entry.actor for entry in entries})
    named = {entry.pk: _memory_ids(entry) for entry in entries}
    wanted = {memory_id for ids in named.values() for memory_id in ids}
    wordings = list_wordings(tenant=tenant, person_id=person_id, memory_ids=wanted) if wanted else {}
    todos = _find_todos(tenant, person_id, entries)
    return [
        Line(
            entry=entry,
            key_name=keys.get(entry.actor, ""),
            memories=tuple(
                Named(one, value)
                for one in named[entry.pk]
                if (value := read_then(entry, wordings.get(one, ()))) is not None
            ),
            todo=todos.get(entry.pk),
        )
        for entry in entries
    ]


def read_then(entry: AuditEntry, wordings: Sequence[Wording]) -> str | None:
    """What a memory said after the version an entry made, or when it was read; None for one that is gone."""
    if not wordings:
        return None
    made = entry.detail.get("version")
    stood = [one for one in wordings if (one.number <= made if isinstance(made, int) else one.at <= entry.at)]
    return (stood or wordings)[-1 if stood else 0].value


def _memory_ids(entry: AuditEntry) -> list[UUID]:
    """What an entry is about: the memory it changed, or the first of those it read."""
    if entry.object_type == "memory" and entry.object_id:
        return [UUID(entry.object_id)] if is_id(entry.object_id) else []
    listed = entry.detail.get("memories", [])
    return [UUID(one) for one in listed if is_id(one)][:SHOWN_MEMORIES] if isinstance(listed, list) else []


def _find_todos(tenant: Tenant, person_id: UUID, entries: Sequence[AuditEntry]) -> dict[UUID, NamedTodo]:
    """By entry, what it is about where that is a todo; nothing withheld, and nothing that is gone."""
    about = {
        entry.pk: UUID(entry.object_id)
        for entry in entries
        if entry.object_type == "todo" and is_id(entry.object_id)
    }
    if not about:
        return {}
    ids = set(about.values())
    rows = list_todos(tenant=tenant, person_id=person_id, status="all").filter(pk__in=ids)
    texts: dict[UUID, str] = dict(rows.values_list("pk", "text"))
    last = _last_rewordings(tenant, person_id, ids)
    return {
        entry.pk: NamedTodo(todo_id, texts[todo_id], reworded=last.get(todo_id, entry.at) > entry.at)
        for entry in entries
        if (todo_id := about.get(entry.pk)) in texts
    }


def _last_rewordings(tenant: Tenant, person_id: UUID, todo_ids: set[UUID]) -> dict[UUID, datetime]:
    """When the text of each was changed last, of those whose text was changed."""
    rows = AuditEntry.objects.for_tenant(tenant).filter(
        person_id=person_id,
        action=TODO_CHANGED,
        object_id__in=[str(one) for one in todo_ids],
        detail__fields__contains="text",
    )
    found = rows.values("object_id").annotate(last=Max("at")).order_by()
    return {UUID(one["object_id"]): one["last"] for one in found}
