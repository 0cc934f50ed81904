"""What carries over between sessions: counted with every turn, and what falls due by the count."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db.models import F, Sum

from memories.sensitive import redact
from nebo.jobs.services import enqueue
from nebo.tenants.models import Tenant
from sessions.models import Message, Session, SessionState

SPINE_MESSAGES = 20  # from which on, and after which again, a spine is written; seed 002
LAST_MESSAGE_CHARS = 200  # characters of the person's last message that are kept
READ_CHARS = 600  # characters looked at for secrets: one that begins among the kept ends among these


def advance_state(*, tenant: Tenant, session: Session, messages: Sequence[Message], at: datetime) -> None:
    """Count a turn's messages. Those of a session nothing is learned from are none of the spine's."""
    said = next((m.content for m in reversed(messages) if m.role == Message.Role.USER), None)
    last = {} if said is None else {"last_user_message": redact(said[:READ_CHARS])[:LAST_MESSAGE_CHARS]}
    lasting = len(messages) if session.auto_extract else 0
    SessionState.objects.for_tenant(tenant).update_or_create(
        profile_id=session.profile_id,
        persona=session.persona,
        defaults={
            "message_count": F("message_count") + len(messages),
            "spine_message_count": F("spine_message_count") + lasting,
            "last_interaction_at": at,
            **last,
        },
        create_defaults={
            "message_count": len(messages),
            "spine_message_count": lasting,
            "last_interaction_at": at,
            **last,
        },
    )


def schedule_spine(*, tenant: Tenant, profile_id: UUID) -> None:
    """Put a job in the queue if a person has said enough since the last version, to whichever persona."""
    rows = SessionState.objects.for_tenant(tenant).filter(profile_id=profile_id)
    said = rows.aggregate(said=Sum("spine_message_count"))["said"] or 0
    if said >= SPINE_MESSAGES:
        enqueue_spine(tenant=tenant, profile_id=profile_id)


def enqueue_spine(*, tenant: Tenant, profile_id: UUID) -> None:
    """One waits at a time for each person."""
    key = f"spine:{profile_id}"
    enqueue(tenant=tenant, kind="spine", payload={}, dedupe_key=key, profile_id=profile_id)
