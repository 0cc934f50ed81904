"""What a woken worker does: claim the job, run its handler, and write down how it ended."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Self
from uuid import UUID

import structlog
from django.db import transaction

from nebo.jobs.claims import Claim, LeaseLost, claim_job, claim_next
from nebo.jobs.failures import NotPublished, describe, place_of
from nebo.jobs.models import Job
from nebo.jobs.outcomes import record_failure
from nebo.jobs.registry import get_handler
from nebo.jobs.worker.leases import keep_lease
from nebo.jobs.worker.logged_errors import LoggedErrors
from nebo.queue import TimeLimitReached
from nebo.tenants.scoping import tenant_scope

GO_ON_S = 5.0  # seconds in which a worker takes up further jobs of a key; then others have their turn

log = structlog.get_logger(__name__)


def run_job(tenant_id: str, job_id: str) -> None:
    """Run a job if it is waiting and due, and go on with what of its dedupe key is due when it has ended.

    Raises nothing, since django-q2 would store what it catches.
    """
    began = time.monotonic()
    with LoggedErrors("job_not_run", job_id=job_id):  # the sweeper finds the job again
        claim = claim_job(tenant_id=UUID(tenant_id), job_id=UUID(job_id))
        while claim:
            run_claim(claim)
            claim = claim_next(claim) if time.monotonic() - began < GO_ON_S else None


def run_claim(claim: Claim) -> None:
    """One attempt, from the handler's first line to the recorded outcome."""
    with _Attempt(claim), keep_lease(claim):
        work(claim)


def work(claim: Claim) -> None:
    """Run the handler; raises RuntimeError inside a transaction and NotPublished after a handler without an end."""
    with transaction.atomic(durable=True):
        pass  # the cheapest way to be refused when one is open: model calls must not hold it
    get_handler(claim.kind)(claim)
    if not claim.published.is_set():
        raise NotPublished(claim.kind)


def fail(claim: Claim, reason: str) -> None:
    """Record why this attempt failed, unless the job has gone to somebody else meanwhile."""
    with tenant_scope(claim.tenant_id):
        rows = Job.objects.for_tenant(claim.tenant_id).select_for_update(no_key=True)
        job = rows.filter(pk=claim.job_id, state=Job.State.RUNNING, lease_token=claim.token).first()
        if job:
            record_failure(job, reason)


class _Attempt:
    """Turns whatever leaves the handler into the job's outcome; only the end of the process passes through."""

    def __init__(self, claim: Claim) -> None:
        self.claim = claim
        self.log = log.bind(job_id=str(claim.job_id), kind=claim.kind, attempt=claim.attempt)

    def __enter__(self) -> Self:
        self.log.info("job_started")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if error is None:
            self.log.info("job_succeeded")
        elif isinstance(error, LeaseLost):
            self.log.warning("job_lease_lost")
        elif isinstance(error, (Exception, TimeLimitReached)):
            self.log.warning("job_failed", error=type(error).__name__, place=place_of(error))
            fail(self.claim, describe(error))
        else:
            return False
        return True
