"""Finding what was lost: jobs nobody will be woken for, and jobs whose worker is gone. On the operator's connection."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet

from nebo.jobs.models import Heartbeat, Job
from nebo.jobs.outcomes import give_back, record_crash, record_interruption
from nebo.jobs.selectors import find_beat_age_s
from nebo.jobs.wakeups import wake_for
from nebo.jobs.worker.heartbeat import WORKER_PREFIX
from nebo.jobs.workers import host_name
from nebo.postgres.clock import ClockTimestamp, database_now
from nebo.postgres.layout import IS_DISTRIBUTED
from nebo.queue import find_wakes, without_wake
from nebo.tenants.scoping import OPERATOR_ALIAS, operator_scope

OVERDUE = timedelta(seconds=3)  # a wake in time has long been pulled by then
LOOKED_AT = 20_000  # late jobs whose wakes are looked for, in a distributed database
BATCH = 500  # jobs a sweep; the next one comes in seconds
FORGET_BEATS = timedelta(days=1)
CLUSTER_GONE_S = 15.0  # without a beat: three are missed, while a lease outlives two of them


@dataclass(frozen=True, slots=True)
class SweepCounts:
    """How many jobs a sweep found in each way."""

    crashed: int
    woken: int
    interrupted: int = 0

    def __bool__(self) -> bool:
        return bool(self.crashed or self.woken or self.interrupted)


def sweep(*, overdue: timedelta = OVERDUE, from_outside: bool = False) -> SweepCounts:
    """Give back each job whose lease ran out, and wake a worker for what is overdue without a wake.

    A crash is counted where the rest of the job's cluster lives on, unless workers were lost `from_outside`.
    """
    with operator_scope():
        expired = Q(lease_until__lt=ClockTimestamp())
        interrupted = _settle(
            expired & ~Q(worker__in=_list_watched(expired)) if not from_outside else expired,
            record_interruption,
        )
        return SweepCounts(
            crashed=_settle(expired, record_crash), woken=_wake_lost(overdue), interrupted=interrupted
        )


def interrupt_orphans() -> int:
    """Jobs whose worker, a process of this machine, is gone: of clusters that went down with their supervisor."""
    with operator_scope():
        here = _running().filter(worker__startswith=f"{host_name()}/")
        gone = [worker for worker in here.values_list("worker", flat=True) if not _is_alive(worker)]
        return _settle(Q(worker__in=gone), record_interruption)


def _is_alive(worker: str) -> bool:
    """Whether there is a process of its number, which may by now be another's: then its lease will tell."""
    try:
        os.kill(int(worker.rpartition("/")[2]), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def list_jobs_of(*, workers: str) -> list[UUID]:
    """The jobs that these workers are running."""
    with operator_scope():
        return list(_running().filter(_run_by(workers)).values_list("pk", flat=True))


def count_crashes(*, workers: str, from_outside: bool = False) -> int:
    """These workers are dead: their jobs needn't wait for the leases to run out. `workers` is the whole name of
    one, or what the names of a cluster's begin with, up to its last slash. What was killed `from_outside` isn't
    counted as a crash of its job.
    """
    with operator_scope():
        return _settle(_run_by(workers), record_interruption if from_outside else record_crash)


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


def _list_watched(found: Q) -> list[str]:
    """Workers of jobs found, of whose cluster somebody else has been heard lately."""
    workers = set(_running().filter(found).values_list("worker", flat=True))
    return [worker for worker in workers if _lives(worker.rpartition("/")[0])]


def _lives(cluster: str) -> bool:
    age_s = find_beat_age_s(prefix=f"{WORKER_PREFIX}{cluster}")
    return age_s is not None and age_s < CLUSTER_GONE_S


def _run_by(workers: str) -> Q:
    return Q(worker__startswith=workers) if workers.endswith("/") else Q(worker=workers)


def _running() -> QuerySet[Job]:
    return Job.unscoped.filter(state=Job.State.RUNNING)


def _settle(found: Q, settle: Callable[[Job], None]) -> int:
    """A transaction a job: each takes the lock of its dedupe key, and two such locks in one could cross."""
    keys = list(_running().filter(found).values_list("tenant_id", "pk")[:BATCH])
    return sum(_settle_one(found & Q(tenant_id=tenant_id, pk=pk), settle) for tenant_id, pk in keys)


def _settle_one(found: Q, settle: Callable[[Job], None]) -> bool:
    """Whether it is still to be found; passed over where somebody holds it."""
    with transaction.atomic(using=OPERATOR_ALIAS):
        rows = _running().select_for_update(skip_locked=True, no_key=True)
        job = rows.filter(found).first()
        if job is not None:
            settle(job)
        return job is not None


def _wake_lost(overdue: timedelta) -> int:
    with transaction.atomic(using=OPERATOR_ALIAS):
        waiting = Job.unscoped.filter(state__in=(Job.State.QUEUED, Job.State.FAILED))
        late = waiting.filter(due_at__lt=ClockTimestamp() - overdue).order_by("due_at")
        jobs = _lock_lost_of_all(late) if IS_DISTRIBUTED else _lock_lost(late)
        for job in jobs:
            wake_for(job, at=job.due_at)
            job.save(update_fields=["wake_id"])
    return len(jobs)


def _lock_lost(late: QuerySet[Job]) -> list[Job]:
    lost = late.filter(without_wake("wake_id"))
    return list(lost.select_for_update(skip_locked=True, no_key=True)[:BATCH])


def _lock_lost_of_all(late: QuerySet[Job]) -> list[Job]:
    """The same in a distributed database, where wakes and jobs are on different servers and a lock names its tenant."""
    known = list(late.values_list("tenant_id", "pk", "wake_id")[:LOOKED_AT])
    awake = find_wakes([wake_id for *_, wake_id in known if wake_id is not None])
    lost = [key for key in known if key[2] not in awake][:BATCH]
    found = (
        late.select_for_update(skip_locked=True, no_key=True)
        .filter(tenant_id=tenant_id, pk=pk, wake_id=wake_id)
        .first()
        for tenant_id, pk, wake_id in lost
    )
    return [job for job in found if job is not None]
