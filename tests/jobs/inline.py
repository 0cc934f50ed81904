"""Jobs without a worker, for tests of what jobs do: claim, handler and outcome run in the test's own process."""

from __future__ import annotations

from uuid import UUID

from nebo.jobs.models import Job
from nebo.jobs.worker.running import run_job
from nebo.postgres.clock import ClockTimestamp
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import tenant_scope

WAITING = (Job.State.QUEUED, Job.State.FAILED)


def run_jobs(tenant: Tenant, *, kind: str = "") -> list[Job]:
    """Run every job that waits (of one kind, if named), due or not, oldest first; the jobs as they ended."""
    with tenant_scope(tenant):
        waiting = Job.objects.for_tenant(tenant).filter(state__in=WAITING)
        waiting = waiting.filter(kind=kind) if kind else waiting
        ids = list(waiting.order_by("due_at", "id").values_list("pk", flat=True))
        waiting.update(due_at=ClockTimestamp())
    for job_id in ids:
        _run_to_its_end(tenant, job_id)
    with tenant_scope(tenant):
        return list(Job.objects.for_tenant(tenant).filter(pk__in=ids).order_by("due_at", "id"))


def _run_to_its_end(tenant: Tenant, job_id: UUID) -> None:
    """The job, the further turns it asks for, and those of its key that are due when it has ended."""
    following: UUID | None = job_id
    while following:
        run_job(str(tenant.pk), str(following))
        with tenant_scope(tenant):
            following = _find_following(tenant, Job.objects.for_tenant(tenant).get(pk=following))


def _find_following(tenant: Tenant, job: Job) -> UUID | None:
    if job.state == Job.State.QUEUED:  # it has done a part, or somebody else of its key runs
        return job.pk if job.attempts == 0 and job.result else None
    if job.state != Job.State.SUCCEEDED or not job.dedupe_key:
        return None
    due = Job.objects.for_tenant(tenant).filter(state__in=WAITING, due_at__lte=ClockTimestamp())
    return due.filter(dedupe_key=job.dedupe_key).values_list("pk", flat=True).first()
