"""The broker under the jobs, and what of django-q2 must not be seen."""

from __future__ import annotations

import os
import re
import time
from datetime import timedelta

import pytest
from django.contrib import admin
from django.db import connection
from django_q.models import OrmQ, Schedule
from django_q.signing import SignedPackage

from nebo import queue
from nebo.jobs.models import Job
from nebo.postgres.clock import database_now
from nebo.queue import (
    TAKE_ONE_WAKE,
    Room,
    Slots,
    StopFlag,
    Wake,
    WakeBroker,
    move_wake,
    next_wake,
    take_wake,
    wake,
)

A_DAY = timedelta(days=1)
PATIENCE = (0.0, 10.0, 60.0)


def wait_for(owner: str, content: str, *, lane: int = 0, ago_s: float = 1.0) -> int:
    """A wake that has been due for so long."""
    return wake(content, lane=lane, owner=owner, at=database_now(Job) - timedelta(seconds=ago_s))


def take_all(last: int | None = None) -> str:
    found = iter(lambda: take_wake(patience=PATIENCE, last=last), None)
    return " ".join(one.content for one in found)


@pytest.mark.django_db
def test_of_one_owner_the_earliest_wake_is_taken_first_and_only_when_it_is_due() -> None:
    wait_for("acme", "second", ago_s=1)
    wait_for("acme", "first", ago_s=2)
    wait_for("acme", "not-yet", ago_s=-3600)

    assert take_all() == "first second"


@pytest.mark.django_db
def test_owners_take_turns_however_much_one_of_them_has_waiting() -> None:
    for number in range(5):
        wait_for("acme", f"a{number}", ago_s=100 - number)
    wait_for("rival", "r0", ago_s=3)
    wait_for("third", "t0", ago_s=2)
    wait_for("rival", "r1", ago_s=1)

    assert take_all() == "a0 r0 t0 a1 r1 a2 a3 a4"


@pytest.mark.django_db
def test_an_earlier_lane_goes_before_a_later_one() -> None:
    wait_for("acme", "import", lane=1, ago_s=5)
    wait_for("acme", "upkeep", lane=2, ago_s=50)
    wait_for("rival", "live", lane=0, ago_s=1)

    assert take_all() == "live import upkeep"


@pytest.mark.django_db
def test_a_later_lane_has_one_turn_when_its_patience_is_over_and_waits_again() -> None:
    for number in range(3):
        wait_for("acme", f"live{number}", lane=0, ago_s=1)
        wait_for("acme", f"import{number}", lane=1, ago_s=100)

    assert take_all() == "import0 live0 live1 live2 import1 import2"


@pytest.mark.django_db
def test_only_wakes_up_to_a_lane_are_taken_if_wanted() -> None:
    wait_for("acme", "import", lane=1, ago_s=100)
    wait_for("acme", "live", lane=0)

    assert take_all(last=0) == "live"
    assert take_all() == "import"


@pytest.mark.django_db
def test_a_wake_that_was_taken_cannot_be_moved() -> None:
    wake_id = wait_for("acme", "1")
    assert move_wake(wake_id, lane=1, owner="acme", at=database_now(Job) - timedelta(seconds=2))

    assert take_wake(patience=PATIENCE) == Wake(1, "acme", "1")

    assert not move_wake(wake_id, lane=1, owner="acme", at=database_now(Job))


@pytest.mark.django_db
def test_a_cluster_hears_its_own_beat_first_and_is_told_when_a_wake_is_due() -> None:
    broker = WakeBroker(task="some.task", beat="some.beat")
    pulled = [broker.dequeue(), broker.dequeue()]
    wait_for("acme", "1")
    pulled.append(broker.dequeue())

    tasks = [SignedPackage.loads(one[0][1])["func"] if one else None for one in pulled]

    assert tasks == ["some.beat", None, "some.task"]


@pytest.mark.django_db
def test_work_that_lasts_leaves_room_for_short_work_and_for_the_first_lane(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    room = Room(Slots(2), Slots(1), short=1)
    monkeypatch.setattr(queue, "_room", room)
    for lane, name in enumerate(("live", "short", "long")):
        wait_for("acme", name, lane=lane, ago_s=300 if name == "long" else 1)

    occupy(room.beyond_short)
    assert take_next() == "live"
    assert take_next() == "short"
    assert take_next() == ""
    assert not WakeBroker().is_due()
    room.beyond_short.free(OTHER)
    assert WakeBroker().is_due()
    assert take_next() == "long"


@pytest.mark.django_db
def test_with_every_worker_busy_the_one_more_takes_what_is_in_the_first_lane(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    room = Room(Slots(1), Slots(1), short=1)
    monkeypatch.setattr(queue, "_room", room)
    occupy(room.all_but_first)
    wait_for("acme", "short", lane=1)
    assert not WakeBroker().is_due()

    wait_for("acme", "live", lane=0)

    assert WakeBroker().is_due()
    assert (take_next(), take_next()) == ("live", "")


def test_what_a_wake_does_not_need_is_free_while_it_is_worked_on() -> None:
    room = Room(Slots(1), Slots(1), short=1)
    assert room.take() is None

    room.keep_for(lane=1)

    assert (room.beyond_short.take(), room.all_but_first.take()) == (True, False)


OTHER = 1  # a process that isn't ours


def occupy(slots: Slots) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "getpid", lambda: OTHER)
        assert slots.take()


def take_next() -> str:
    with next_wake(patience=PATIENCE) as wake:
        return wake.content if wake else ""


def test_a_slot_is_free_again_when_its_process_is_gone() -> None:
    slots = Slots(2)
    assert (slots.take(), slots.take(), slots.take()) == (True, True, False)

    slots.free(os.getpid() + 1)
    assert not slots.take()

    slots.free(os.getpid())
    assert slots.take()


@pytest.mark.django_db
def test_taking_a_wake_costs_the_same_whatever_lies_behind_it() -> None:
    """A look into the index for each owner, and none at the 10,000 wakes that wait, or the 5,000 of later."""
    now = database_now(Job)
    lines = [f"{number % 2}:{number % 100:03}" for number in range(10_000)]
    past = [OrmQ(key=key, payload="x", lock=now - timedelta(seconds=60)) for key in lines]
    later = [OrmQ(key=key, payload="x", lock=now + A_DAY) for key in lines[:5_000]]
    OrmQ.objects.bulk_create(past + later)

    plan = explain_taking()

    read = sum(
        int(rows) * int(loops)
        for rows, loops in re.findall(r"actual time=\S+ rows=(\d+)\S* loops=(\d+)", plan)
    )
    assert "Seq Scan on django_q_ormq" not in plan
    assert read < 2_000


def explain_taking() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")  # the table has no statistics yet
        told = {"last": len(PATIENCE) - 1, "patience": list(PATIENCE)}
        cursor.execute("EXPLAIN (ANALYZE, FORMAT TEXT) " + TAKE_ONE_WAKE, told)
        return "\n".join(row[0] for row in cursor.fetchall())


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
