"""The log as a person reads it: who did what with their data, the newest first."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q, QuerySet

from memories.models import AuditEntry, Memory
from nebo.tenants.models import ApiKey, Tenant

READS = Q(action__endswith="read") | Q(action__endswith="listed")
READS |= Q(action__in=("memory.searched", "memory.recalled", "person.export_downloaded", "person.looked_at"))
SHOWN_MEMORIES = 8  # of one reading


@dataclass(frozen=True, slots=True)
class Line:
    """One entry with what it names: the key that called, and the memories that are still there."""

    entry: AuditEntry
    key_name: str
    memories: tuple[Memory, ...]

    @property
    def is_nebo(self) -> bool:
        """Whether a job did it."""
        return self.entry.actor.startswith("job:")

    @property
    def count(self) -> int:
        """How many memories it read, also of those that are gone."""
        found = self.entry.detail.get("count", 0)
        return found if isinstance(found, int) else 0

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
    """Lines of a page, with two queries for all of them."""
    keys = key_names(tenant, {entry.actor for entry in entries})
    named = {entry.pk: _memory_ids(entry) for entry in entries}
    wanted = {memory_id for ids in named.values() for memory_id in ids}
    rows = Memory.objects.for_tenant(tenant).filter(pk__in=wanted, person_id=person_id)
    memories = {str(memory.pk): memory for memory in rows.only("tenant_id", "value", "status")}
    return [
        Line(
            entry=entry,
            key_name=keys.get(entry.actor, ""),
            memories=tuple(memories[one] for one in named[entry.pk] if one in memories),
        )
        for entry in entries
    ]


def key_names(tenant: Tenant, actors: Collection[str]) -> dict[str, str]:
    """Names of the keys among the actors, as `key:<id>` names them."""
    ids = [actor.removeprefix("key:") for actor in actors if is_uuid(actor.removeprefix("key:"))]
    rows = ApiKey.objects.for_tenant(tenant).filter(pk__in=ids).values_list("pk", "name", "public_id")
    return {f"key:{pk}": name or public_id for pk, name, public_id in rows}


def _memory_ids(entry: AuditEntry) -> list[str]:
    """What an entry is about: the memory it changed, or the first of those it read."""
    if entry.object_type == "memory" and entry.object_id:
        return [entry.object_id] if is_uuid(entry.object_id) else []
    listed = entry.detail.get("memories", [])
    return [one for one in listed if is_uuid(one)][:SHOWN_MEMORIES] if isinstance(listed, list) else []


def is_uuid(text: object) -> bool:
    """Whether an actor or an object is named by an id."""
    try:
        UUID(str(text))
    except ValueError:
        return False
    return True
