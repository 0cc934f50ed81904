"""Which broker row wakes a worker for a job: in the line of its lane and tenant, with the job's id."""

from __future__ import annotations

from datetime import datetime

from nebo.jobs.models import Job
from nebo.queue import move_wake, wake


def wake_for(job: Job, *, at: datetime) -> int:
    """A new wake for `job` at `at`; the caller saves `wake_id`."""
    job.wake_id = wake(str(job.pk), lane=job.lane, owner=job.tenant_id, at=at)
    return job.wake_id


def move_wake_of(job: Job, *, at: datetime) -> None:
    """Move the job's wake to `at` and to its lane, or make a new one when a worker has already taken it; the caller
    saves `wake_id`.
    """
    if job.wake_id is None or not move_wake(job.wake_id, lane=job.lane, owner=job.tenant_id, at=at):
        wake_for(job, at=at)
