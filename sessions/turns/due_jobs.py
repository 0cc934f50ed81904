"""Which jobs are due after a turn: learning, compaction, and what is written about the conversation."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils import timezone

from nebo.jobs.lanes import Lane
from nebo.jobs.services import enqueue
from nebo.tenants.models import Tenant
from sessions.models import Session
from sessions.scheduling import schedule
from sessions.turns.state import schedule_spine

IDLE_SECONDS = 5  # extraction waits for so many quiet seconds; docs/design.md#learning-numbers
FLUSH_SHARE = 0.75  # of the compaction limit
ROLLING_TURNS = 4  # of the person, after which the rolling summary is written on


def schedule_extraction(tenant: Tenant, session: Session, lane: Lane | None = None) -> datetime:
    """One waiting job a session; each turn moves it to five seconds after itself. Imports name a later lane."""
    job = enqueue(
        tenant=tenant,
        kind="extract",
        payload={"session_id": str(session.pk)},
        due_at=timezone.now() + timedelta(seconds=IDLE_SECONDS),
        dedupe_key=f"extract:{session.pk}",
        person_id=session.person_id,
        session_id=session.pk,
        lane=lane,
    )
    return job.due_at


def schedule_compaction(tenant: Tenant, session: Session) -> None:
    """Flush past three quarters of the limit, once a compaction cycle; compact past the limit."""
    limit = tenant.compaction_tokens
    if session.auto_extract and session.live_tokens > limit * FLUSH_SHARE and needs_flush(session):
        session.flush_compaction_count = session.compaction_count
        session.save(update_fields=["flush_compaction_count"])
        schedule(tenant=tenant, session=session, kind="flush")
    if session.live_tokens > limit:
        schedule(tenant=tenant, session=session, kind="compact")


def schedule_summaries(tenant: Tenant, session: Session) -> None:
    """The rolling summary every four turns, the spine every twenty messages; both in the queue, never in the turn."""
    if session.turns_to_roll >= ROLLING_TURNS:
        schedule(tenant=tenant, session=session, kind="roll")
    if session.auto_extract:
        schedule_spine(tenant=tenant, person_id=session.person_id)


def needs_flush(session: Session) -> bool:
    """Whether this compaction cycle has not been flushed yet."""
    return session.flush_compaction_count < session.compaction_count
