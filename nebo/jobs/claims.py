"""Claim and publish: a job is leased to one worker, and only the holder of the lease may write its outcome."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from threading import Event
from typing import Any
from uuid import UUID, uuid4

from django.db.models import Q, QuerySet

from nebo.jobs.exclusive_kinds import kinds_excluding
from nebo.jobs.lanes import Lane
from nebo.jobs.models import Job
from nebo.jobs.outcomes import add_up, take_another_turn
from nebo.jobs.wakeups import move_wake_of, wake_for
from nebo.jobs.workers import worker_name
from nebo.postgres.clock import ClockTimestamp, database_now
from nebo.postgres.locks import lock
from nebo.tenants.models import UserProfile
from nebo.tenants.scoping import tenant_scope

LEASE = timedelta(seconds=30)  # three renewals of 10 s may be missed
HELD_WAIT = timedelta(seconds=0.3)  # until a job is asked for again that somebody had locked
SIBLING_WAIT = timedelta(seconds=1)  # until a job asks again whether its running sibling has ended
WAITING = (Job.State.QUEUED, Job.State.FAILED)


class LeaseLost(RuntimeError):
    """The lease ran out or the job was given to another worker: nothing of this attempt may be written."""


class WordsTaken(RuntimeError):
    """Words were withheld or redacted since this attempt began, which may have read them: nothing of it is written."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One attempt at one job. The work happens outside any transaction and ends in `publish`.

    `words_taken` is how often words of the person had been taken away when the attempt began.
    """

    job_id: UUID
    tenant_id: UUID
    kind: str
    payload: dict[str, Any]
    attempt: int
    token: UUID
    person_id: UUID | None = None
    session_id: UUID | None = None
    dedupe_key: str = ""
    lane: Lane = Lane.SESSION
    words_taken: int = 0
    published: Event = field(default_factory=Event, repr=False, compare=False)
    unfinished: Event = field(default_factory=Event, repr=False, compare=False)

    @contextmanager
    def publish(self) -> Iterator[dict[str, Any]]:
        """One transaction in the tenant's scope: what is written inside and the job's success stand or fall together.

        Yields the dict that becomes the job's `result` (ids and counts). Raises LeaseLost before anything is
        written when the lease has ended; whatever the body raises rolls everything back.
        """
        with tenant_scope(self.tenant_id):
            job = _hold_lease(self)
            if job is None:
                raise LeaseLost(f"job {self.job_id} is no longer leased to this attempt")
            result: dict[str, Any] = {}
            yield result
            if self.unfinished.is_set():
                take_another_turn(job, result)
            else:
                _succeed(self, add_up(job.result, result))
        self.published.set()

    def give_way(self) -> None:
        """More is left than fits into one turn: said inside `publish`, it lets the job wait for another one."""
        self.unfinished.set()

    def hold_words(self) -> None:
        """Inside `publish`, where a session is held already if one is changed: hold the person's row too.

        To be called before anything is written that was made of a person's words. Raises WordsTaken where words were
        taken away since the attempt began; from here on nobody can take any until it is written.
        """
        people = UserProfile.objects.for_tenant(self.tenant_id).select_for_update(no_key=True)
        if _count_taken(people, self.person_id) != self.words_taken:
            raise WordsTaken(f"job {self.job_id} may have read what is taken away now")


def claim_job(*, tenant_id: UUID, job_id: UUID) -> Claim | None:
    """Lease a waiting job that is due, counting the attempt; None when there is nothing to do (any more).

    Its own short transaction. A job whose sibling is running (same dedupe key, or same lane) waits another second.
    """
    with tenant_scope(tenant_id):
        due = _list_due(tenant_id).filter(pk=job_id)
        job = _lock_first(due)
        if job is None:
            _come_back_if_held(due)
            return None
        return _lease_if_alone(job)


def hasten_sibling(claim: Claim) -> None:
    """What waited for this one, which has ended, to end (same dedupe key) needn't wait any longer."""
    if not claim.dedupe_key:
        return
    with tenant_scope(claim.tenant_id):
        job = _lock_first(_list_due(claim.tenant_id).filter(dedupe_key=claim.dedupe_key))
        if job is not None:
            move_wake_of(job, at=job.due_at)
            job.save(update_fields=["wake_id"])


def _list_due(tenant_id: UUID) -> QuerySet[Job]:
    return Job.objects.for_tenant(tenant_id).filter(state__in=WAITING, due_at__lte=ClockTimestamp())


def _lock_first(due: QuerySet[Job]) -> Job | None:
    """Locked, unless somebody else has it. No key update: rows may go on pointing at the job."""
    return due.select_for_update(skip_locked=True, no_key=True).first()


def _come_back_if_held(due: QuerySet[Job]) -> None:
    """Due, but locked: an enqueuer who joins it may leave its time, and so its wake, which is spent, as it was."""
    job = due.first()
    if job is not None:
        wake_for(job, at=database_now(Job) + HELD_WAIT)


def _lease_if_alone(job: Job) -> Claim | None:
    if _sibling_runs(job):
        _come_again(job)
        return None
    return _lease(job)


def _sibling_runs(job: Job) -> bool:
    """Whether a job of the same dedupe key, or one of the same lane on the same session, is running."""
    same_key = Q(dedupe_key=job.dedupe_key) if job.dedupe_key else Q(pk__in=())
    running = Job.objects.for_tenant(job.tenant_id).filter(state=Job.State.RUNNING)
    return running.filter(same_key | _has_exclusive_run(job)).exists()


def _has_exclusive_run(job: Job) -> Q:
    """Two of a lane that are claimed at the same moment are kept apart by a lock until the first is running."""
    kinds = kinds_excluding(job.kind) if job.session_id else frozenset()
    if not kinds:
        return Q(pk__in=())
    lock(f"nebo.lane:{job.tenant_id}:{job.session_id}:{min(kinds)}")
    return Q(session_id=job.session_id, kind__in=kinds)


def _come_again(job: Job) -> None:
    """It stays due: whoever ends the sibling may go on with it before that."""
    wake_for(job, at=database_now(Job) + SIBLING_WAIT)
    job.save(update_fields=["wake_id"])


def _lease(job: Job) -> Claim:
    now = database_now(Job)
    job.state = Job.State.RUNNING
    job.attempts += 1
    job.lease_token = uuid4()
    job.lease_until = now + LEASE
    job.started_at = now
    job.worker = worker_name()
    job.wake_id = None
    job.save(
        update_fields=["state", "attempts", "lease_token", "lease_until", "started_at", "worker", "wake_id"]
    )
    return Claim(
        job_id=job.pk,
        tenant_id=job.tenant_id,
        kind=job.kind,
        payload=job.payload,
        attempt=job.attempts,
        token=job.lease_token,
        person_id=job.person_id,
        session_id=job.session_id,
        dedupe_key=job.dedupe_key,
        lane=Lane(job.lane),
        words_taken=_count_taken(UserProfile.objects.for_tenant(job.tenant_id), job.person_id),
    )


def _count_taken(people: QuerySet[UserProfile], person_id: UUID | None) -> int:
    """How often words of the person were taken away; 0 where the job is about nobody, or nobody any more."""
    counts = people.filter(pk=person_id).values_list("words_taken", flat=True) if person_id else ()
    return next(iter(counts), 0)


def _hold_lease(claim: Claim) -> Job | None:
    """The job, if the lease still stands; the row stays locked, so it can't be taken away while we publish."""
    rows = Job.objects.for_tenant(claim.tenant_id).select_for_update(no_key=True)
    held = rows.filter(pk=claim.job_id, state=Job.State.RUNNING, lease_token=claim.token)
    return held.filter(lease_until__gt=ClockTimestamp()).first()


def _succeed(claim: Claim, result: dict[str, Any]) -> None:
    rows = Job.objects.for_tenant(claim.tenant_id).filter(pk=claim.job_id)
    rows.update(
        state=Job.State.SUCCEEDED,
        result=result,
        error="",
        lease_token=None,
        lease_until=None,
        finished_at=ClockTimestamp(),
    )


def renew_lease(claim: Claim) -> bool:
    """Thirty more seconds by the database's clock; False when the lease is gone. Its own transaction."""
    with tenant_scope(claim.tenant_id):
        rows = Job.objects.for_tenant(claim.tenant_id)
        held = rows.filter(pk=claim.job_id, state=Job.State.RUNNING, lease_token=claim.token)
        return bool(held.update(lease_until=ClockTimestamp() + LEASE))
