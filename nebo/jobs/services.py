"""Putting work into the queue, and bringing parked work back."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import router, transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from nebo.errors import Conflict
from nebo.jobs.lanes import Lane
from nebo.jobs.models import Job
from nebo.jobs.outcomes import find_waiting_sibling, lock_dedupe_key, save_moved, take_key
from nebo.jobs.registry import lane_of
from nebo.jobs.selectors import get_job
from nebo.jobs.wakeups import move_wake_of, wake_for
from nebo.postgres.clock import database_now
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import tenant_id_of
from nebo.tenants.windows import find_cutoff

RETRYABLE = (Job.State.DEAD, Job.State.FAILED)
FORGOTTEN_AT_ONCE = 1_000  # jobs a statement


def enqueue(  # noqa: PLR0913  the columns of a row
    *,
    tenant: Tenant | UUID,
    kind: str,
    payload: dict[str, Any],
    due_at: datetime | None = None,
    dedupe_key: str = "",
    person_id: UUID | None = None,
    session_id: UUID | None = None,
    lane: Lane | None = None,
) -> Job:
    """A job that is due at `due_at` (now, by default), as part of the caller's transaction and scope.

    With a dedupe key (≤ 120 characters) a job of that key that still waits is used again: it is moved to the later
    time (debounce) and its payload takes the new values; of two lanes, the one that goes before stays. Payloads carry
    ids only. Raises UnknownKind.
    """
    job = Job(
        tenant_id=tenant_id_of(tenant),
        kind=kind,
        lane=lane_of(kind) if lane is None else lane,
        payload=payload,
        dedupe_key=dedupe_key,
        person_id=person_id,
        session_id=session_id,
    )
    waiting, now = take_key(job) if dedupe_key else (None, database_now(Job))
    return _join(waiting, job, due_at) if waiting else _insert(job, due_at or now)


def _insert(job: Job, due_at: datetime) -> Job:
    job.due_at = due_at
    wake_for(job, at=job.due_at)
    job.save(force_insert=True)
    return job


def _join(waiting: Job, new: Job, due_at: datetime | None) -> Job:
    """The waiting job takes over what the new one wants, its time too if one is named; its attempts stay counted."""
    payload = {**waiting.payload, **new.payload}
    due_at = max(due_at or waiting.due_at, waiting.due_at)
    lane = min(waiting.lane, new.lane)
    moves = due_at > waiting.due_at or lane < waiting.lane
    if moves or payload != waiting.payload:
        waiting.payload, waiting.due_at, waiting.lane = payload, due_at, lane
        if moves:
            move_wake_of(waiting, at=due_at)
        save_moved(waiting)
    return waiting


def retry_job(*, tenant: Tenant | UUID, job: Job | UUID) -> Job:
    """Bring a parked job, or one that waits out its back-off, back at once with its counts at zero.

    Raises NotFound, and Conflict for a job in another state or one whose work waits in another job already.
    """
    with transaction.atomic(using=router.db_for_write(Job)):
        found = get_job(tenant=tenant, job_id=job.pk if isinstance(job, Job) else job)
        lock_dedupe_key(found)
        found = Job.objects.for_tenant(tenant).select_for_update(no_key=True).get(pk=found.pk)
        if found.state not in RETRYABLE:
            raise Conflict(_("A %(state)s job can't be retried.") % {"state": found.state})
        if find_waiting_sibling(found):
            raise Conflict(_("Another job for the same work is waiting already."))
        return _restart(found)


def _restart(job: Job) -> Job:
    job.state = Job.State.QUEUED
    job.attempts = job.crashes = job.interruptions = 0
    job.due_at = database_now(Job)
    job.finished_at = None
    job.result = {}
    move_wake_of(job, at=job.due_at)
    job.save()
    return job


def list_outlived_jobs(*, tenant: Tenant) -> QuerySet[Job]:
    """Jobs that succeeded before the tenant's window; parked ones stay until somebody decides."""
    done = Job.objects.for_tenant(tenant).filter(state=Job.State.SUCCEEDED)
    before = find_cutoff(tenant.job_days)
    return done.filter(finished_at__lt=before) if before else done.none()


def forget_jobs(*, tenant: Tenant) -> int:
    """Delete a batch of them; how many."""
    ids = list(list_outlived_jobs(tenant=tenant).values_list("pk", flat=True)[:FORGOTTEN_AT_ONCE])
    return Job.objects.for_tenant(tenant).filter(pk__in=ids).delete()[0]
