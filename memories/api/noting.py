"""What an agent read, in the audit log: a line a call."""

from __future__ import annotations

from functools import partial
from uuid import UUID

from memories.audit.log import record_audit, record_read
from nebo.api.views import TenantView
from nebo.tenants.reading import write_after_reading


def note_memories(view: TenantView, action: str, person_id: UUID, memory_ids: list[UUID]) -> None:
    """The memories that the answer shows."""
    record_read(
        tenant=view.caller.tenant_id,
        actor=view.actor,
        action=action,
        person_id=person_id,
        memory_ids=memory_ids,
    )


def note_read(view: TenantView, action: str, object_type: str, person_id: UUID, *, shown: UUID | int) -> None:
    """Something else of a person: which one is `shown`, or how many."""
    line = partial(
        record_audit,
        tenant=view.caller.tenant_id,
        actor=view.actor,
        action=action,
        object_type=object_type,
        object_id=shown if isinstance(shown, UUID) else "",
        person_id=person_id,
        detail={"count": shown} if isinstance(shown, int) else None,
    )
    write_after_reading(line)
