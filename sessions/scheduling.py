"""How work on a conversation comes into the queue, and which conversation a job is about."""

from __future__ import annotations

from uuid import UUID

from nebo.jobs.claims import Claim
from nebo.jobs.models import Job
from nebo.jobs.services import enqueue
from nebo.tenants.models import Tenant
from sessions.models import Session


def schedule(*, tenant: Tenant, session: Session, kind: str) -> Job:
    """A job about this session, due now; one of a kind waits at a time."""
    return enqueue(
        tenant=tenant,
        kind=kind,
        payload={"session_id": str(session.pk)},
        dedupe_key=f"{kind}:{session.pk}",
        person_id=session.person_id,
        session_id=session.pk,
    )


def session_of(claim: Claim) -> UUID:
    """The session a job is about."""
    return UUID(claim.payload["session_id"])


def schedule_rewriting(
    *, tenant: Tenant | UUID, person_id: UUID | None, session_id: UUID, undone_since: str | None = None
) -> None:
    """Have the summaries of a conversation written anew."""
    enqueue(
        tenant=tenant,
        kind="rewrite",
        payload={"session_id": str(session_id), "undone_since": undone_since},
        dedupe_key=f"rewrite:{session_id}",
        person_id=person_id,
        session_id=session_id,
    )
