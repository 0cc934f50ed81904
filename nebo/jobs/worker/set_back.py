"""A clock that was set back: what was planned by it before would be due much too late.

Only the database's clock says what is due. Where it has gone back more than no time at all can account for, as when it
had run ahead and was put right, or another server has taken over, jobs that lie so far ahead are due as soon as they
were to be by the clock that planned them.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q

from nebo.jobs.models import Job
from nebo.jobs.wakeups import move_wake_of
from nebo.postgres.clock import ClockTimestamp, database_now
from nebo.tenants.scoping import OPERATOR_ALIAS, operator_scope

LEAST = timedelta(minutes=1)  # of a step that counts: clocks are put right by less all the time
BATCH = 500  # jobs looked up at once
WAITING = Q(state__in=(Job.State.QUEUED, Job.State.FAILED))


def ask_database() -> datetime:
    """What its clock says."""
    with operator_scope():
        return database_now(Job)


@dataclass
class DatabaseClock:
    """The database's clock beside one that never goes back."""

    ask: Callable[[], datetime] = ask_database
    steady: Callable[[], float] = time.monotonic
    _seen: tuple[datetime, float] | None = None

    def find_step_back(self) -> timedelta:
        """By how much it was set back since it was asked last; nothing for less than counts."""
        now, at = self.ask(), self.steady()
        before, self._seen = self._seen, (now, at)
        if before is None:
            return timedelta(0)
        step = before[0] + timedelta(seconds=at - before[1]) - now
        return step if step >= LEAST else timedelta(0)


def hasten(*, by: timedelta) -> int:
    """Jobs that are due so far ahead are due as much sooner; how many. Asked again, it finds none of them."""
    with operator_scope():
        stranded, count = WAITING & Q(due_at__gt=ClockTimestamp() + by - LEAST / 2), 0
        while keys := list(Job.unscoped.filter(stranded).values_list("tenant_id", "pk")[:BATCH]):
            done = sum(_hasten_one(stranded & Q(tenant_id=tenant_id, pk=pk), by) for tenant_id, pk in keys)
            count += done
            if done < len(keys):  # somebody holds the others, who may plan them anew
                break
        return count


def _hasten_one(found: Q, by: timedelta) -> bool:
    """Whether it is still to be found; passed over where somebody holds it."""
    with transaction.atomic(using=OPERATOR_ALIAS):
        job = Job.unscoped.select_for_update(skip_locked=True, no_key=True).filter(found).first()
        if job is not None:
            job.due_at -= by
            move_wake_of(job, at=job.due_at)
            job.save(update_fields=["due_at", "wake_id"])
        return job is not None
