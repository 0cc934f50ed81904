"""How an attempt ends without success: another try, a merge with a waiting sibling, or parked.

Everything here runs inside a scope its caller has opened (the tenant's, or the operator's for sweeps), on a
row its caller has locked.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import connections, router
from django.db.backends.utils import CursorWrapper

from nebo.jobs.models import Job
from nebo.jobs.wakeups import move_wake_of, wake_for
from nebo.postgres.clock import CLOCK, database_now
from nebo.postgres.locks import LOCK, lock
from nebo.tenants.scoping import check_scope

MAX_ATTEMPTS = 5  # docs/design.md#job-numbers
MAX_CRASHES = 3
MAX_INTERRUPTIONS = 10  # then it is no accident any more, and each counts as a crash
BACKOFF_S = 5  # before the second attempt
BACKOFF_FACTOR = 4  # 5, 20, 80, 320 s
JITTER = 0.2  # share of the back-off, so that jobs that failed together don't come back together

MERGED_INTO = "merged_into"  # of the result of a job whose work goes on in another one: its id

# Asked several times a turn; Django takes five times as long to write it, or to read its row, as Postgres to answer it.
JSON_COLUMNS = ("payload", "result")
FIND_SIBLING = """
SELECT * FROM jobs_job
WHERE tenant_id = %s AND dedupe_key = %s AND dedupe_key <> '' AND state IN ('queued', 'failed') AND id <> %s
FOR NO KEY UPDATE
"""
SAVE_MOVED = """
UPDATE jobs_job SET payload = %s, due_at = %s, lane = %s, wake_id = %s WHERE tenant_id = %s AND id = %s
"""


def backoff(job: Job) -> timedelta:
    """Seconds until the next attempt, after `job.attempts` of them; the jitter follows from the id."""
    seconds = BACKOFF_S * BACKOFF_FACTOR ** (max(job.attempts, 1) - 1)
    return timedelta(seconds=_jittered(job, seconds))


def _jittered(job: Job, seconds: float) -> float:
    return seconds * (1 + JITTER * (job.pk.int % 1000) / 1000)


def record_failure(job: Job, reason: str) -> None:
    """The attempt reported why it failed: try again after the back-off, or park the job after the last try."""
    job.error = reason
    if job.attempts >= MAX_ATTEMPTS:
        _close(job)
    else:
        _wait(job, state=Job.State.FAILED, due_at=database_now(Job) + backoff(job))


def record_crash(job: Job) -> None:
    """The worker vanished without a word: again at once, or parked after the third time."""
    job.crashes += 1
    job.error = f"The worker stopped in the middle of attempt {job.attempts} (crash {job.crashes})."
    if job.crashes >= MAX_CRASHES or job.attempts >= MAX_ATTEMPTS:
        _close(job)
    else:
        _wait(job, state=Job.State.QUEUED, due_at=database_now(Job))


def record_interruption(job: Job) -> None:
    """The worker was taken away from outside: again at once, and the attempt doesn't count."""
    job.interruptions += 1
    if job.interruptions > MAX_INTERRUPTIONS:
        record_crash(job)
        return
    job.attempts = max(job.attempts - 1, 0)
    job.error = f"The worker was stopped from outside (time {job.interruptions})."
    _wait(job, state=Job.State.QUEUED, due_at=database_now(Job))


def give_back(job: Job) -> None:
    """We stopped the worker, or it read words that are gone: the attempt doesn't count, and the job is due at once."""
    job.attempts = max(job.attempts - 1, 0)
    _wait(job, state=Job.State.QUEUED, due_at=database_now(Job))


def put_off(job: Job, reason: str, seconds: float) -> None:
    """Nobody could be asked, since all who could be had failed before: the attempt doesn't count, however often."""
    job.error = reason
    job.attempts = max(job.attempts - 1, 0)
    _wait(job, state=Job.State.FAILED, due_at=database_now(Job) + timedelta(seconds=_jittered(job, seconds)))


def take_another_turn(job: Job, result: dict[str, Any]) -> None:
    """A part of the work is done and more is left: due again at once, behind others, with a fresh count of attempts.

    Where a sibling waits already, that one goes on, and this job has done its part.
    """
    lock_dedupe_key(job)
    job.result = add_up(job.result, result)
    job.error = ""
    job.lease_token = job.lease_until = None
    if find_waiting_sibling(job):
        job.state, job.finished_at = Job.State.SUCCEEDED, database_now(Job)
    else:
        job.state, job.due_at = Job.State.QUEUED, database_now(Job)
        job.attempts = job.crashes = job.interruptions = 0
        wake_for(job, at=job.due_at)
    job.save()


def add_up(before: Mapping[str, Any], result: Mapping[str, Any]) -> dict[str, Any]:
    """What the parts of a job came to: counts are added, of all else the last is kept."""
    sums = {
        name: before[name] + value for name, value in result.items() if type(value) is int and name in before
    }
    return {**before, **result, **sums}


def lock_dedupe_key(job: Job) -> None:
    """Until the transaction ends nobody else makes a job of this dedupe key waiting."""
    if not job.dedupe_key:
        return
    lock(_lock_of(job), using=router.db_for_write(Job))


def _lock_of(job: Job) -> str:
    return f"nebo.jobs:{job.tenant_id}:{job.dedupe_key}"


def find_waiting_sibling(job: Job) -> Job | None:
    """The waiting job of the same dedupe key, locked; there is one at most."""
    if not job.dedupe_key:
        return None
    check_scope(job.tenant_id, "Job")
    with connections[router.db_for_write(Job)].cursor() as cursor:
        cursor.execute(FIND_SIBLING, [job.tenant_id, job.dedupe_key, job.pk])
        return _fetch_job(cursor)


def take_key(job: Job) -> tuple[Job | None, datetime]:
    """`lock_dedupe_key`, `find_waiting_sibling` and the database's clock, in one round trip: they are asked several
    times a turn. Each statement sees what was there when the one before it was done.
    """
    check_scope(job.tenant_id, "Job")
    database = connections[router.db_for_write(Job)]
    with (
        database.cursor() as locked,
        database.cursor() as found,
        database.cursor() as clock,
        database.wrap_database_errors,
        database.connection.pipeline(),
    ):
        locked.execute(LOCK, [_lock_of(job)])
        found.execute(FIND_SIBLING, [job.tenant_id, job.dedupe_key, job.pk])
        clock.execute(CLOCK)
        return _fetch_job(found), clock.fetchone()[0]


def save_moved(job: Job) -> None:
    """What a waiting job took over of another one; it is locked."""
    given: list[Any] = [json.dumps(job.payload), job.due_at, job.lane, job.wake_id, job.tenant_id, job.pk]
    with connections[router.db_for_write(Job)].cursor() as cursor:
        cursor.execute(SAVE_MOVED, given)


def _fetch_job(cursor: CursorWrapper) -> Job | None:
    """As Django would have read it, which leaves JSON to its fields."""
    row = cursor.fetchone()
    if row is None:
        return None
    names = [column.name for column in cursor.description]
    values = dict(zip(names, row, strict=True))
    values |= {name: json.loads(values[name]) for name in JSON_COLUMNS}
    found: Job = Job.from_db(cursor.db.alias, names, list(values.values()))
    return found


def _wait(job: Job, *, state: Job.State, due_at: datetime) -> None:
    """Back among the waiting, unless a sibling waits already: then that one carries on for both."""
    lock_dedupe_key(job)
    sibling = find_waiting_sibling(job)
    if sibling:
        _merge(job, sibling, state=state, due_at=due_at)
        return
    job.state, job.due_at = state, due_at
    job.lease_token = job.lease_until = None
    wake_for(job, at=due_at)
    job.save()


def _merge(job: Job, sibling: Job, *, state: Job.State, due_at: datetime) -> None:
    """The sibling takes over attempts, crashes and reason; the job is closed and says where its work went.

    It isn't parked, since there is nothing about it for anybody to decide.
    """
    sibling.payload = {**job.payload, **sibling.payload}
    sibling.attempts = max(job.attempts, sibling.attempts)
    sibling.crashes = max(job.crashes, sibling.crashes)
    sibling.interruptions = max(job.interruptions, sibling.interruptions)
    sibling.error = job.error
    sibling.state = state
    sibling.lane = min(job.lane, sibling.lane)
    sibling.due_at = max(due_at, sibling.due_at)
    move_wake_of(sibling, at=sibling.due_at)
    sibling.save()
    job.result = {MERGED_INTO: str(sibling.pk)}
    _close(job, Job.State.SUCCEEDED)


def _close(job: Job, state: Job.State = Job.State.DEAD) -> None:
    job.state = state
    job.lease_token = job.lease_until = job.wake_id = None
    job.finished_at = database_now(Job)
    job.save()
