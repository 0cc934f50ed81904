"""Finding what was lost: jobs nobody will be woken for, and jobs whose worker is gone. On the operator's connection."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.db.models import Q, QuerySet

from nebo.jobs.models import Heartbeat, Job
from nebo.jobs.outcomes import give_back, record_crash
from nebo.jobs.selectors import find_beat_age_s
from nebo.jobs.wakeups import wake_for
from nebo.jobs.worker.heartbeat import WORKER_PREFIX
from nebo.postgres.clock import ClockTimestamp, database_now
from nebo.queue import without_wake
from nebo.tenants.scoping import OPERATOR_ALIAS, operator_scope

OVERDUE = timedelta(seconds=3)  # a wake in time has long been pulled by then
BATCH = 500  # jobs a sweep; the next one comes in seconds
FORGET_BEATS = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class SweepCounts:
    """How many jobs a sweep found in each way."""

    crashed: int
    woken: int

    def __bool__(self) -> bool:
        return bool(self.crashed or self.woken)


def sweep(*, overdue: timedelta = OVERDUE) -> SweepCounts:
    """Count a crash for each lease that ran out, and wake a worker for what is overdue without a wake."""
    with operator_scope():
        expired = Q(lease_until__lt=ClockTimestamp())
        return SweepCounts(crashed=_settle(expired, record_crash), woken=_wake_lost(overdue))


def count_crashes(*, workers: str) -> int:
    """These workers are dead: their jobs needn't wait for the leases to run out. `workers` is the whole name of
    one, or what the names of a cluster's begin with, up to its last slash.
    """
    with operator_scope():
        return _settle(_run_by(workers), record_crash)


def give_back_jobs(*, workers: str) -> int:
    """We stopped these workers ourselves: their jobs are due at once and the attempt isn't counted."""
    with operator_scope():
        return _settle(_run_by(workers), give_back)


def holds_jobs(*, workers: str) -> bool:
    """Whether these workers are running anything."""
    with operator_scope():
        return _running().filter(_run_by(workers)).exists()


def find_silence_s(*, beat: str) -> float | None:
    """Seconds since a cluster's last beat; None before its first."""
    with operator_scope():
        return find_beat_age_s(prefix=beat)


def forget_beats(*, beat: str) -> None:
    """Drop the sign of life of a cluster that is no more, and those that nobody dropped in time."""
    with operator_scope():
        old = Q(name__startswith=WORKER_PREFIX, beat_at__lt=database_now(Job) - FORGET_BEATS)
        Heartbeat.objects.filter(Q(name=beat) | old).delete()


def _run_by(workers: str) -> Q:
    return Q(worker__startswith=workers) if workers.endswith("/") else Q(worker=workers)


def _running() -> QuerySet[Job]:
    return Job.unscoped.filter(state=Job.State.RUNNING)


def _settle(found: Q, settle: Callable[[Job], None]) -> int:
    """A transaction a job: each takes the lock of its dedupe key, and two such locks in one could cross."""
    count = 0
    while count < BATCH and _settle_one(found, settle):
        count += 1
    return count


def _settle_one(found: Q, settle: Callable[[Job], None]) -> bool:
    with transaction.atomic(using=OPERATOR_ALIAS):
        rows = _running().select_for_update(skip_locked=True, no_key=True)
        job = rows.filter(found).first()
        if job is not None:
            settle(job)
        return job is not None


def _wake_lost(overdue: timedelta) -> int:
    with transaction.atomic(using=OPERATOR_ALIAS):
        waiting = Job.unscoped.filter(state__in=(Job.State.QUEUED, Job.State.FAILED))
        lost = waiting.filter(without_wake("wake_id"), due_at__lt=ClockTimestamp() - overdue)
        jobs = list(lost.select_for_update(skip_locked=True, no_key=True).order_by("due_at")[:BATCH])
        for job in jobs:
            wake_for(job, at=job.due_at)
            job.save(update_fields=["wake_id"])
    return len(jobs)
