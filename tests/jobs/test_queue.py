"""The broker under the jobs, and what of django-q2 must not be seen."""

from __future__ import annotations

import time
from datetime import timedelta

import pytest
from django.contrib import admin
from django.db import connection
from django_q.models import OrmQ, Schedule
from django_q.signing import SignedPackage

from nebo.jobs.models import Job
from nebo.postgres.clock import database_now
from nebo.queue import TAKE_ONE_WAKE, StopFlag, WakeBroker, move_wake, wake

TASK = "tests.jobs.nothing"


def arguments(payload: str | None) -> tuple[str, ...]:
    assert payload is not None
    found: tuple[str, ...] = SignedPackage.loads(payload)["args"]
    return found


@pytest.mark.django_db
def test_the_earliest_wake_is_taken_first_and_only_when_it_is_due() -> None:
    now = database_now(Job) - timedelta(seconds=60)
    wake(TASK, ("second",), at=now + timedelta(seconds=2))
    wake(TASK, ("first",), at=now + timedelta(seconds=1))
    wake(TASK, ("not yet",), at=now + timedelta(hours=1))
    broker = WakeBroker()

    taken = [arguments(broker.take()) for _ in range(2)]

    assert taken == [("first",), ("second",)]
    assert broker.take() is None


@pytest.mark.django_db
def test_a_wake_that_was_taken_cannot_be_moved() -> None:
    wake_id = wake(TASK, ("1",), at=database_now(Job) - timedelta(seconds=1))
    assert move_wake(wake_id, at=database_now(Job) - timedelta(seconds=2))

    WakeBroker().take()

    assert not move_wake(wake_id, at=database_now(Job))


@pytest.mark.django_db
def test_a_cluster_hears_its_own_beat_first_and_then_the_wakes() -> None:
    wake(TASK, ("1",), at=database_now(Job) - timedelta(seconds=1))
    broker = WakeBroker(beat="some.beat")

    tasks = [SignedPackage.loads(pulled[0][1])["func"] for pulled in (broker.dequeue(), broker.dequeue())]

    assert tasks == ["some.beat", TASK]


@pytest.mark.django_db
def test_finding_the_next_wake_does_not_read_those_that_lie_in_the_future() -> None:
    later = database_now(Job) + timedelta(days=1)
    OrmQ.objects.bulk_create([OrmQ(key="nebo", payload="x", lock=later) for _ in range(5_000)])

    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")  # the table has no statistics yet
        cursor.execute("EXPLAIN (ANALYZE, FORMAT TEXT) " + TAKE_ONE_WAKE, ["nebo"])
        plan = "\n".join(row[0] for row in cursor.fetchall())

    assert "django_q_ormq_due" in plan
    assert "Rows Removed by Filter" not in plan


def test_the_queues_own_admin_pages_are_hidden() -> None:
    assert not admin.site.is_registered(Schedule)
    assert not admin.site.is_registered(OrmQ)


def test_a_raised_flag_ends_the_wait_at_once() -> None:
    flag = StopFlag()
    assert not flag.wait(0.01)

    flag.set()

    started = time.monotonic()
    assert flag.wait(30)
    assert time.monotonic() - started < 5
