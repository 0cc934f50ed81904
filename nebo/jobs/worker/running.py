"""What a woken worker does: claim the job, run its handler, and write down how it ended."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType
from typing import Self
from uuid import UUID

import structlog
from django.db import Error as DatabaseError
from django.db import connections, transaction

from nebo.jobs.claims import LEASE, Claim, LeaseLost, WordsTaken, claim_job, hasten_sibling
from nebo.jobs.failures import NotPublished, describe, place_of
from nebo.jobs.lanes import PATIENCE
from nebo.jobs.models import Job
from nebo.jobs.outcomes import give_back, put_off, record_failure
from nebo.jobs.registry import get_handler
from nebo.jobs.worker.leases import keep_lease
from nebo.jobs.worker.logged_errors import LoggedErrors
from nebo.llm.errors import seconds_of_rest
from nebo.llm.routing import models_from, retry_budget
from nebo.metrics import JOB_SECONDS
from nebo.postgres.lost_connections import is_passing
from nebo.queue import TimeLimitReached, next_wake
from nebo.tenants.providers import list_chat_models_of
from nebo.tenants.scoping import tenant_scope

RUN_NEXT = "nebo.jobs.worker.running.run_next"
RETRIES = 3  # of a job's first attempt; its back-off is what later ones wait
AGAIN_S = 1.0  # until a job comes back whose database was away or full, and until it is asked again
GO_ON_S = 5.0  # seconds in which a worker takes what is due next by itself; then it lets a beat through

log = structlog.get_logger(__name__)


def run_next() -> None:
    """Run the job whose turn it is, and so on for a while; what a worker is called for when something is due.

    Raises nothing, since django-q2 would store what it catches.
    """
    began = time.monotonic()
    with LoggedErrors("wake_not_taken"):
        while _run_one() and time.monotonic() - began < GO_ON_S:
            pass


def _run_one() -> bool:
    with next_wake(patience=PATIENCE) as wake:
        if wake:
            run_job(wake.owner, wake.content)
        return wake is not None


def run_job(tenant_id: str, job_id: str) -> None:
    """Run a job if it is waiting and due. Raises nothing."""
    with LoggedErrors("job_not_run", job_id=job_id):  # the sweeper finds the job again
        claim = claim_job(tenant_id=UUID(tenant_id), job_id=UUID(job_id))
        if claim:
            run_claim(claim)
            hasten_sibling(claim)


def run_claim(claim: Claim) -> None:
    """One attempt, from the handler's first line to the recorded outcome."""
    models = models_from(lambda: list_chat_models_of(claim.tenant_id))
    with _Attempt(claim), keep_lease(claim), retry_budget(_retries_of(claim)), models:
        work(claim)


def _retries_of(claim: Claim) -> int:
    """What a job may ask a failing model again: a few times at first, and then once an attempt."""
    return RETRIES if claim.attempt == 1 else 0


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
        if job := _hold(claim):
            record_failure(job, reason)


def come_back(claim: Claim, reason: str, seconds: float) -> None:
    """The job comes back when somebody may be asked again; the attempt doesn't count."""
    with tenant_scope(claim.tenant_id):
        if job := _hold(claim):
            put_off(job, reason, seconds)


def begin_again(claim: Claim) -> None:
    """This attempt doesn't count; the next one reads what there is now."""
    with tenant_scope(claim.tenant_id):
        if job := _hold(claim):
            give_back(job)


def record(outcome: Callable[[], None]) -> None:
    """Write down how an attempt ended; a database that is away or full is waited for as long as a lease may last."""
    until = time.monotonic() + LEASE.total_seconds()
    while True:
        try:
            outcome()
        except DatabaseError as error:
            if not is_passing(error) or time.monotonic() > until:
                raise
            connections.close_all()
            time.sleep(AGAIN_S)
        else:
            return


def _hold(claim: Claim) -> Job | None:
    """The job, unless it has gone to somebody else meanwhile."""
    rows = Job.objects.for_tenant(claim.tenant_id).select_for_update(no_key=True)
    return rows.filter(pk=claim.job_id, state=Job.State.RUNNING, lease_token=claim.token).first()


def _outcome_of(error: BaseException | None) -> str:
    """As `/metrics` names it."""
    if error is None:
        return "succeeded"
    waits = seconds_of_rest(error) is not None or is_passing(error)
    return "put_off" if waits or isinstance(error, (LeaseLost, WordsTaken)) else "failed"


class _Attempt:
    """Turns whatever leaves the handler into the job's outcome; only the end of the process passes through."""

    def __init__(self, claim: Claim) -> None:
        self.claim = claim
        self.log = log.bind(job_id=str(claim.job_id), kind=claim.kind, attempt=claim.attempt)

    def __enter__(self) -> Self:
        self.log.info("job_started")
        self.began = time.perf_counter()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        JOB_SECONDS.labels(self.claim.kind, _outcome_of(error)).observe(time.perf_counter() - self.began)
        if error is None:
            self.log.info("job_succeeded")
        elif isinstance(error, LeaseLost):
            self.log.warning("job_lease_lost")
        elif isinstance(error, WordsTaken):
            self.log.info("job_begins_again")
            record(lambda: begin_again(self.claim))
        elif (rests_s := seconds_of_rest(error)) is not None:
            self.log.info("job_waits_for_provider", seconds=round(rests_s, 1))
            record(lambda: come_back(self.claim, describe(error), rests_s))
        elif is_passing(error):
            self.log.warning("job_database_away", error=type(error).__name__)
            record(lambda: come_back(self.claim, describe(error), AGAIN_S))
        elif isinstance(error, (Exception, TimeLimitReached)):
            self.log.warning("job_failed", error=type(error).__name__, place=place_of(error))
            record(lambda: fail(self.claim, describe(error)))
        else:
            return False
        return True
