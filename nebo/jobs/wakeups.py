"""Which broker row wakes a worker for a job, and what it carries: two ids."""

from __future__ import annotations

from datetime import datetime

from nebo.jobs.models import Job
from nebo.queue import move_wake, wake

RUN_JOB = "nebo.jobs.worker.running.run_job"


def wake_for(job: Job, *, at: datetime) -> int:
    """A new wake for `job` at `at`; the caller saves `wake_id`."""
    job.wake_id = wake(RUN_JOB, (str(job.tenant_id), str(job.pk)), at=at)
    return job.wake_id


def move_wake_of(job: Job, *, at: datetime) -> None:
    """Move the job's wake, or make a new one when a cluster has already taken it; the caller saves `wake_id`."""
    if job.wake_id is None or not move_wake(job.wake_id, at=at):
        wake_for(job, at=at)
