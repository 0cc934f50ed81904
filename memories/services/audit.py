"""The audit log: who did what to whose memory, in the change's own transaction, without the text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from memories.models import AuditEntry
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant


def record_audit(
    *,
    tenant: Tenant | UUID,
    actor: Actor,
    action: str,
    object_type: str,
    object_id: str | UUID = "",
    profile_id: UUID | None = None,
    detail: Mapping[str, Any] | None = None,
) -> AuditEntry:
    """One line of the log. `detail` holds ids, counts and names of fields, never what a person said."""
    entry: AuditEntry = AuditEntry.objects.for_tenant(tenant).create(
        actor=str(actor)[:120],
        action=action,
        object_type=object_type,
        object_id=str(object_id),
        profile_id=profile_id,
        request_id=actor.request_id[:64],
        detail=dict(detail or {}),
    )
    return entry


def record_read(
    *, tenant: Tenant | UUID, actor: Actor, action: str, profile_id: UUID, memory_ids: list[UUID]
) -> AuditEntry:
    """One line for a whole call, however many memories it showed."""
    shown = {"count": len(memory_ids), "memories": [str(memory_id) for memory_id in memory_ids]}
    return record_audit(
        tenant=tenant,
        actor=actor,
        action=action,
        object_type="memory",
        profile_id=profile_id,
        detail=shown,
    )
