"""What carries over between sessions: counts kept with every turn, and the jobs that become due by them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from nebo.jobs.services import enqueue
from nebo.postgres.prepared import execute, fetch_rows, number_parameters
from nebo.tenants.ids import uuid7
from nebo.tenants.models import Tenant
from sessions.models import Message, Session

SPINE_MESSAGES = (
    20  # from which on, and after which again, a spine is written; docs/design.md#conversation-numbers
)
LAST_MESSAGE_CHARS = 200  # characters of the person's last message that are kept

# Two counts and two facts of each turn; the ORM would take four statements for them.
COUNT = number_parameters("""
INSERT INTO agent_sessions_sessionstate AS state
    (id, tenant_id, person_id, persona_id, message_count, spine_message_count, last_interaction_at, last_user_message)
VALUES (%(id)s, %(tenant_id)s, %(person_id)s, %(persona_id)s, %(messages)s, %(lasting)s, %(at)s,
        coalesce(%(last)s, ''))
ON CONFLICT (tenant_id, person_id, persona_id) DO UPDATE SET
    message_count = state.message_count + excluded.message_count,
    spine_message_count = state.spine_message_count + excluded.spine_message_count,
    last_interaction_at = excluded.last_interaction_at,
    last_user_message = coalesce(%(last)s, state.last_user_message)
""")
COUNT_FOR_SPINE = number_parameters("""
SELECT coalesce(sum(spine_message_count), 0)::bigint FROM agent_sessions_sessionstate
WHERE tenant_id = %(tenant_id)s AND person_id = %(person_id)s
""")


def advance_state(*, tenant: Tenant, session: Session, messages: Sequence[Message], at: datetime) -> None:
    """Count a turn's messages; for the spine only if the session is learned from."""
    last = next((m.words for m in reversed(messages) if m.role == Message.Role.USER), None)
    execute(
        COUNT,
        {
            "id": uuid7(),
            "tenant_id": tenant.pk,
            "person_id": session.person_id,
            "persona_id": session.persona_id,
            "messages": len(messages),
            "lasting": len(messages) if session.auto_extract else 0,
            "at": at,
            "last": None if last is None else last[:LAST_MESSAGE_CHARS],
        },
    )


def schedule_spine(*, tenant: Tenant, person_id: UUID) -> None:
    """Put a job in the queue if a person has said enough since the last version, to whichever persona."""
    [(count,)] = fetch_rows(COUNT_FOR_SPINE, {"tenant_id": tenant.pk, "person_id": person_id})
    if count >= SPINE_MESSAGES:
        enqueue_spine(tenant=tenant, person_id=person_id)


def enqueue_spine(*, tenant: Tenant, person_id: UUID) -> None:
    """One waits at a time for each person."""
    key = f"spine:{person_id}"
    enqueue(tenant=tenant, kind="spine", payload={}, dedupe_key=key, person_id=person_id)
