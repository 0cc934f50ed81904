"""What happens at the same moment: several workers, several enqueuers, real commits."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import TypeVar

import pytest
from django.db import connection, connections
from django_q.models import OrmQ

from nebo.jobs.claims import Claim, LeaseLost, claim_job
from nebo.jobs.lanes import PATIENCE
from nebo.jobs.models import Job
from nebo.jobs.worker.heartbeat import beat
from nebo.jobs.worker.sweeper import SweepCounts, sweep
from nebo.postgres.clock import ClockTimestamp, database_now
from nebo.queue import take_wake
from nebo.tenants.scoping import OPERATOR_ALIAS, tenant_scope
from tests.conftest import Team
from tests.jobs.facts import list_facts, load, state_fact
from tests.jobs.worker_process import wait_until

pytestmark = pytest.mark.usefixtures("committed_db")
T = TypeVar("T")
THREADS = 8


def at_once(act: Callable[[int], T]) -> list[T]:
    """`act(0)` to `act(7)`, each in a thread with a connection of its own, all from the same moment on."""
    start = Barrier(THREADS)

    def alone(number: int) -> T:
        try:
            connection.ensure_connection()
            start.wait(timeout=30)
            return act(number)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(alone, range(THREADS)))


def claim(team: Team, job: Job) -> Claim:
    found = claim_job(tenant_id=team.tenant.pk, job_id=job.pk)
    assert found is not None
    return found


def test_eight_workers_claim_a_job_once(acme: Team) -> None:
    job = state_fact(acme, 1)

    claims = at_once(lambda _: claim_job(tenant_id=acme.tenant.pk, job_id=job.pk))

    assert sum(found is not None for found in claims) == 1
    assert load(acme.tenant, job.pk).attempts == 1


def test_eight_enqueuers_of_a_key_make_one_job_with_one_wake(acme: Team) -> None:
    now = database_now(Job)

    jobs = at_once(lambda n: state_fact(acme, n, dedupe_key="fact:1", due_at=now + timedelta(seconds=60 + n)))

    last = now + timedelta(seconds=60 + THREADS - 1)
    assert len({job.pk for job in jobs}) == 1
    assert load(acme.tenant, jobs[0].pk).due_at == last
    assert list(OrmQ.objects.values_list("lock", flat=True)) == [last]


def test_a_worker_who_finds_the_job_held_by_an_enqueuer_is_woken_again(acme: Team) -> None:
    job = state_fact(acme, 1, dedupe_key="fact:1")
    OrmQ.objects.all().delete()

    with tenant_scope(acme.tenant):
        Job.objects.for_tenant(acme.tenant).select_for_update().get(pk=job.pk)
        claims = at_once(lambda _: claim_job(tenant_id=acme.tenant.pk, job_id=job.pk))

    assert claims == [None] * THREADS
    assert OrmQ.objects.count() == THREADS
    assert claim_job(tenant_id=acme.tenant.pk, job_id=job.pk)


def test_eight_workers_take_each_wake_once(acme: Team) -> None:
    for number in range(20):
        state_fact(acme, number)

    taken = at_once(lambda _: list(iter(lambda: take_wake(patience=PATIENCE), None)))

    ids = [wake.content for one in taken for wake in one]
    assert len(ids) == len(set(ids)) == 20
    assert not OrmQ.objects.exists()


def test_a_sweep_does_not_take_a_job_whose_lease_ends_while_it_is_published(acme: Team) -> None:
    job = state_fact(acme, 1)
    claimed = claim(acme, job)
    lease_until = database_now(Job) + timedelta(seconds=0.5)
    with tenant_scope(acme.tenant):
        Job.unscoped.filter(pk=job.pk).update(lease_until=lease_until)

    with claimed.publish():
        wait_until(lambda: database_now(Job) > lease_until)
        swept = at_once(lambda _: sweep_without_waiting())

    assert not any(swept)
    seen = load(acme.tenant, job.pk)
    assert (seen.state, seen.crashes) == (Job.State.SUCCEEDED, 0)


def sweep_without_waiting() -> SweepCounts:
    with connections[OPERATOR_ALIAS].cursor() as cursor:
        cursor.execute("SET lock_timeout = '2s'")  # a sweep that waits for the publisher's lock fails
    return sweep()


def test_the_attempt_that_was_swept_away_publishes_nothing(acme: Team) -> None:
    job = state_fact(acme, 1)
    first = claim(acme, job)
    with tenant_scope(acme.tenant):
        Job.unscoped.filter(pk=job.pk).update(lease_until=ClockTimestamp() - timedelta(seconds=1))
    beat()
    sweep()
    second = claim(acme, job)

    with pytest.raises(LeaseLost), first.publish():
        pass
    with second.publish() as result:
        result["by"] = "second"

    seen = load(acme.tenant, job.pk)
    assert (seen.result, seen.attempts, seen.crashes) == ({"by": "second"}, 2, 1)
    assert list_facts(acme.tenant) == []
