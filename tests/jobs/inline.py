"""Jobs without a worker, for tests of what jobs do: claim, handler and outcome run in the test's own process."""

from __future__ import annotations

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
        run_job(str(tenant.pk), str(job_id))
    with tenant_scope(tenant):
        return list(Job.objects.for_tenant(tenant).filter(pk__in=ids).order_by("due_at", "id"))
