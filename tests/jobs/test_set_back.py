"""The database's clock is set back: nothing is due later than it was to be."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from nebo.jobs.models import Job
from nebo.jobs.services import enqueue
from nebo.jobs.worker.set_back import DatabaseClock, ask_database, hasten
from nebo.postgres.clock import database_now
from nebo.queue import find_wakes
from nebo.tenants.scoping import tenant_scope
from tests.conftest import Team
from tests.jobs.facts import load

HOUR = timedelta(hours=1)
NOON = datetime(2031, 5, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("told_s", "step_s"),
    [(5, 0), (3_605, 0), (0, 0), (-50, 0), (-56, 61), (-3_595, 3_600)],
)
def test_a_step_back_is_told_from_the_time_that_went_by(told_s: int, step_s: int) -> None:
    told = iter((NOON, NOON + timedelta(seconds=told_s)))
    steady = iter((100.0, 105.0))
    clock = DatabaseClock(ask=lambda: next(told), steady=lambda: next(steady))

    assert clock.find_step_back() == timedelta(0)
    assert clock.find_step_back() == timedelta(seconds=step_s)


def test_the_database_itself_goes_on(committed_db: None) -> None:
    clock = DatabaseClock()

    assert [clock.find_step_back(), clock.find_step_back()] == [timedelta(0)] * 2
    assert ask_database().tzinfo is not None


@pytest.mark.usefixtures("committed_db")
def test_what_was_planned_ahead_is_due_as_it_was_to_be(acme: Team, rival: Team) -> None:
    jobs = {}
    for name, team, ahead in (
        ("stranded", acme, HOUR + timedelta(seconds=20)),
        ("theirs", rival, HOUR + timedelta(seconds=40)),
        ("soon", acme, timedelta(seconds=20)),
        ("running", acme, HOUR),
    ):
        with tenant_scope(team.tenant):
            due_at = database_now(Job) + ahead
            jobs[name] = enqueue(tenant=team.tenant, kind="echo", payload={}, due_at=due_at)
            if name == "running":
                Job.objects.for_tenant(team.tenant).filter(pk=jobs[name].pk).update(state=Job.State.RUNNING)

    hastened = [hasten(by=HOUR), hasten(by=HOUR)]

    tenants = {"theirs": rival.tenant}
    now = {name: load(tenants.get(name, acme.tenant), job.pk) for name, job in jobs.items()}
    assert hastened == [2, 0]
    moved = {name: jobs[name].due_at - job.due_at for name, job in now.items()}
    assert moved == {"stranded": HOUR, "theirs": HOUR, "soon": timedelta(0), "running": timedelta(0)}
    assert len(find_wakes([job.wake_id for job in now.values()])) == 4
