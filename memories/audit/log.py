"""The audit log: who did what to whose memory, in the change's own transaction, without the text."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any
from uuid import UUID

from django.utils import timezone
from psycopg.types.json import Json

from memories.models import AuditEntry
from nebo.postgres.layout import IS_DISTRIBUTED
from nebo.postgres.prepared import execute, number_parameters
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant
from nebo.tenants.reading import write_after_reading
from nebo.tenants.scoping import tenant_id_of

# Of every search and context; Django takes longer to write it than Postgres to do it. What is written in a read's
# transaction can be missed (besides this line, counts of use and a hint that is given twice), so its commit does not
# wait for the disk: a machine that loses power forgets who read what in its last half second.
ADD_READ = number_parameters("""
INSERT INTO memories_auditentry
    (id, tenant_id, at, actor, action, object_type, object_id, person_id, request_id, detail)
VALUES (%(id)s, %(tenant_id)s, %(at)s, %(actor)s, %(action)s, 'memory', '', %(person_id)s, %(request_id)s, %(detail)s)
RETURNING set_config('synchronous_commit', 'off', true)
""")
# In a distributed database it is another server that would have to be told, so the commit waits for the disk.
ADD_READ_ELSEWHERE = number_parameters("""
INSERT INTO memories_auditentry
    (id, tenant_id, at, actor, action, object_type, object_id, person_id, request_id, detail)
VALUES (%(id)s, %(tenant_id)s, %(at)s, %(actor)s, %(action)s, 'memory', '', %(person_id)s, %(request_id)s, %(detail)s)
""")


def record_audit(
    *,
    tenant: Tenant | UUID,
    actor: Actor,
    action: str,
    object_type: str,
    object_id: str | UUID = "",
    person_id: UUID | None = None,
    detail: Mapping[str, Any] | None = None,
) -> AuditEntry:
    """One line of the log. `detail` holds ids, counts and names of fields, never what a person said."""
    entry: AuditEntry = AuditEntry.objects.for_tenant(tenant).create(
        actor=str(actor)[:120],
        action=action,
        object_type=object_type,
        object_id=str(object_id),
        person_id=person_id,
        request_id=actor.request_id[:64],
        detail=dict(detail or {}),
    )
    return entry


def record_read(
    *,
    tenant: Tenant | UUID,
    actor: Actor,
    action: str,
    person_id: UUID,
    memory_ids: list[UUID],
    session_id: UUID | None = None,
) -> None:
    """One line for a whole call, however many memories it showed; with the session it was made for, if any."""
    of_session = {"session": str(session_id)} if session_id else {}
    line = {
        "id": AuditEntry._meta.pk.get_default(),
        "tenant_id": tenant_id_of(tenant),
        "at": timezone.now(),
        "actor": str(actor)[:120],
        "action": action,
        "person_id": person_id,
        "request_id": actor.request_id[:64],
        "detail": Json({"count": len(memory_ids), "memories": [str(id) for id in memory_ids], **of_session}),
    }
    write_after_reading(partial(execute, ADD_READ_ELSEWHERE if IS_DISTRIBUTED else ADD_READ, line))
