"""Reading jobs and signs of life."""

from __future__ import annotations

import time
from collections.abc import Collection
from uuid import UUID

from django.db.models import Max, QuerySet

from nebo.errors import NotFound
from nebo.jobs.models import Heartbeat, Job
from nebo.jobs.outcomes import MERGED_INTO
from nebo.postgres.clock import database_now
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import tenant_scope

ENDED = (Job.State.SUCCEEDED, Job.State.DEAD)
FIRST_PAUSE_S = 0.05
LONGEST_PAUSE_S = 0.5


def list_jobs(
    *, tenant: Tenant | UUID, person_id: UUID | None = None, state: str = "", kind: str = ""
) -> QuerySet[Job]:
    """Jobs of a tenant, or of one person in it."""
    wanted = {"person_id": person_id, "state": state, "kind": kind}
    return Job.objects.for_tenant(tenant).filter(**{name: value for name, value in wanted.items() if value})


def list_seen_jobs(
    *, tenant: Tenant | UUID, person_ids: Collection[UUID] | None, state: str = ""
) -> QuerySet[Job]:
    """Jobs about these people, or of the whole tenant for None, the newest first; session and person loaded."""
    rows = list_jobs(tenant=tenant, state=state).select_related("session", "person")
    seen = rows if person_ids is None else rows.filter(person_id__in=person_ids)
    return seen.order_by("-created_at", "-id")


def get_seen_job(*, tenant: Tenant | UUID, person_ids: Collection[UUID] | None, job_id: UUID) -> Job:
    """One of them; raises NotFound."""
    job = list_seen_jobs(tenant=tenant, person_ids=person_ids).filter(pk=job_id).first()
    if job is None:
        raise NotFound("There is no such job.")
    return job


def get_job(*, tenant: Tenant | UUID, job_id: UUID, person_id: UUID | None = None) -> Job:
    """One job inside the open scope; raises NotFound, also for another person's where one is named."""
    job = list_jobs(tenant=tenant, person_id=person_id).filter(pk=job_id).first()
    if job is None:
        raise NotFound("There is no such job.")
    return job


def wait_for_job(*, tenant: Tenant | UUID, job_id: UUID, seconds: float) -> Job:
    """The job once it has succeeded or been parked, or as it stands after `seconds`; raises NotFound.

    Where its work went on in another job, that one is waited for.

    Call it outside any transaction: each look opens its own.
    """
    deadline = time.monotonic() + seconds
    pause = FIRST_PAUSE_S
    while True:
        with tenant_scope(tenant):
            job = get_job(tenant=tenant, job_id=job_id)
        if merged_into := job.result.get(MERGED_INTO):
            job_id = UUID(merged_into)
            continue
        left = deadline - time.monotonic()
        if job.state in ENDED or left <= 0:
            return job
        time.sleep(min(pause, left))
        pause = min(pause * 1.5, LONGEST_PAUSE_S)


def find_beat_age_s(*, prefix: str = "worker:") -> float | None:
    """Seconds since the newest sign of life of a part whose name starts with `prefix`; None if there is none."""
    beat_at = Heartbeat.objects.filter(name__startswith=prefix).aggregate(at=Max("beat_at"))["at"]
    return (database_now(Job) - beat_at).total_seconds() if beat_at else None
