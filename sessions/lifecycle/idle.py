"""Conversations that nobody goes on with are closed, and summarised on the way."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from nebo.jobs.models import Job
from nebo.tenants.scoping import OPERATOR_ALIAS
from sessions.models import Session
from sessions.scheduling import schedule

IDLE_CLOSE = timedelta(minutes=30)  # docs/design.md#conversation-numbers
CLOSED_A_ROUND = 200  # sessions; the next round comes in a minute


def close_idle_sessions() -> int:
    """Put a `close` job in the queue for sessions idle for half an hour; how many. In the operator's scope.

    One whose closing was given up waits for somebody to retry it, or for the person to come back.
    """
    idle = Session.unscoped.filter(
        ended_at=None, last_activity_at__lt=timezone.now() - IDLE_CLOSE, turn_count__gt=0
    )
    sessions = list(
        idle.exclude(Exists(_given_up()))
        .select_related("tenant")
        .order_by("last_activity_at")[:CLOSED_A_ROUND]
    )
    for session in sessions:
        with transaction.atomic(using=OPERATOR_ALIAS):
            schedule(tenant=session.tenant, session=session, kind="close")
    return len(sessions)


def _given_up() -> QuerySet[Job]:
    return Job.unscoped.filter(
        tenant_id=OuterRef("tenant_id"),
        session_id=OuterRef("pk"),
        kind="close",
        state=Job.State.DEAD,
        created_at__gt=OuterRef("last_activity_at"),
    )
