"""Claim and publish: one worker a job, and no outcome without the lease."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from uuid import uuid4

import pytest
from django_q.models import OrmQ

from memories.models import Todo
from nebo.jobs.claims import LEASE, Claim, LeaseLost, claim_job, hasten_sibling, renew_lease
from nebo.jobs.models import Job
from nebo.jobs.services import enqueue
from nebo.postgres.clock import ClockTimestamp, database_now
from nebo.tenants.scoping import tenant_scope
from sessions.models import Session
from tests.conftest import Team
from tests.jobs.facts import list_facts, load, state_fact

pytestmark = pytest.mark.django_db
PAST = timedelta(seconds=1)


def claim(team: Team, job: Job) -> Claim | None:
    return claim_job(tenant_id=team.tenant.pk, job_id=job.pk)


def claimed(team: Team, job: Job) -> Claim:
    found = claim(team, job)
    assert found is not None
    return found


def change(job: Job, **values: object) -> None:
    with tenant_scope(job.tenant_id):
        Job.objects.for_tenant(job.tenant_id).filter(pk=job.pk).update(**values)


def publish_fact(team: Team, of: Claim, text: str = "fact 1") -> None:
    with of.publish() as result:
        Todo.objects.for_tenant(team.tenant).create(person=team.person, text=text)
        result["written"] = 1


def test_a_claim_counts_the_attempt_before_the_work(acme: Team) -> None:
    job = state_fact(acme, 1)

    taken = claimed(acme, job)

    seen = load(acme.tenant, job.pk)
    assert (seen.state, seen.attempts, seen.lease_token) == (Job.State.RUNNING, 1, taken.token)
    assert seen.lease_until == seen.started_at + LEASE
    assert (taken.kind, taken.person_id, taken.payload["number"]) == ("fact", acme.person.pk, 1)


def test_a_job_that_is_not_due_is_not_claimed(acme: Team) -> None:
    job = state_fact(acme, 1, due_at=database_now(Job) + timedelta(minutes=1))

    assert claim(acme, job) is None


@pytest.mark.parametrize("state", [Job.State.RUNNING, Job.State.SUCCEEDED, Job.State.DEAD])
def test_a_second_wake_finds_nothing_to_do(acme: Team, state: Job.State) -> None:
    job = state_fact(acme, 1)
    change(job, state=state)

    assert claim(acme, job) is None


def test_another_tenants_job_is_not_claimed(acme: Team, rival: Team) -> None:
    job = state_fact(acme, 1)

    assert claim_job(tenant_id=rival.tenant.pk, job_id=job.pk) is None


def test_what_is_published_and_the_jobs_success_are_one(acme: Team) -> None:
    job = state_fact(acme, 1)

    publish_fact(acme, claimed(acme, job))

    seen = load(acme.tenant, job.pk)
    assert (seen.state, seen.result, seen.lease_token) == (Job.State.SUCCEEDED, {"written": 1}, None)
    assert list_facts(acme.tenant) == ["1"]


def test_an_error_while_publishing_takes_everything_back(acme: Team) -> None:
    job = state_fact(acme, 1)
    taken = claimed(acme, job)

    with pytest.raises(ZeroDivisionError), taken.publish():
        Todo.objects.for_tenant(acme.tenant).create(person=acme.person, text="fact 1")
        _ = 1 / 0

    assert list_facts(acme.tenant) == []
    assert load(acme.tenant, job.pk).state == Job.State.RUNNING


@pytest.mark.parametrize(
    "lost",
    [
        lambda: {"lease_until": ClockTimestamp() - PAST},
        lambda: {"lease_token": uuid4()},
        lambda: {"state": Job.State.QUEUED, "lease_token": None},
    ],
    ids=["expired", "given to another", "swept"],
)
def test_nothing_is_published_without_the_lease(acme: Team, lost: Callable[[], dict[str, object]]) -> None:
    job = state_fact(acme, 1)
    taken = claimed(acme, job)
    change(job, **lost())

    with pytest.raises(LeaseLost):
        publish_fact(acme, taken)

    assert list_facts(acme.tenant) == []
    assert load(acme.tenant, job.pk).state != Job.State.SUCCEEDED


def test_a_claim_publishes_once(acme: Team) -> None:
    taken = claimed(acme, state_fact(acme, 1))
    publish_fact(acme, taken)

    with pytest.raises(LeaseLost):
        publish_fact(acme, taken)

    assert list_facts(acme.tenant) == ["1"]


def test_a_lease_is_renewed_only_by_its_holder(acme: Team) -> None:
    job = state_fact(acme, 1)
    taken = claimed(acme, job)
    first = load(acme.tenant, job.pk).lease_until

    assert renew_lease(taken)
    assert load(acme.tenant, job.pk).lease_until > first
    change(job, lease_token=uuid4())
    assert not renew_lease(taken)


def test_a_job_whose_sibling_runs_waits_another_second(acme: Team) -> None:
    claimed(acme, state_fact(acme, 1, dedupe_key="fact"))
    second = state_fact(acme, 2, dedupe_key="fact")

    assert claim(acme, second) is None

    seen = load(acme.tenant, second.pk)
    assert (seen.state, seen.attempts, seen.due_at) == (Job.State.QUEUED, 0, second.due_at)
    wake = OrmQ.objects.get(pk=seen.wake_id)
    assert timedelta(seconds=0.5) < wake.lock - database_now(Job) <= timedelta(seconds=1)


def test_what_waited_for_a_job_is_due_when_that_has_ended(acme: Team) -> None:
    first = claimed(acme, state_fact(acme, 1, dedupe_key="fact"))
    second = state_fact(acme, 2, dedupe_key="fact")
    assert claim(acme, second) is None

    publish_fact(acme, first)
    hasten_sibling(first)

    seen = load(acme.tenant, second.pk)
    assert OrmQ.objects.get(pk=seen.wake_id).lock == second.due_at
    assert claim(acme, second)


def test_what_waited_is_woken_anew_where_a_worker_has_taken_its_wake(acme: Team) -> None:
    first = claimed(acme, state_fact(acme, 1, dedupe_key="fact"))
    second = state_fact(acme, 2, dedupe_key="fact")
    OrmQ.objects.filter(pk=second.wake_id).delete()

    publish_fact(acme, first)
    hasten_sibling(first)

    seen = load(acme.tenant, second.pk)
    assert seen.wake_id != second.wake_id
    assert OrmQ.objects.get(pk=seen.wake_id).lock == second.due_at


def test_one_job_of_a_lane_runs_at_a_time_on_a_session_and_others_beside_it(acme: Team) -> None:
    with tenant_scope(acme.tenant):
        sessions = Session.objects.for_tenant(acme.tenant)
        here, there = (sessions.create(person=acme.person, key=key).pk for key in ("here", "there"))
        told = [("fact", here), ("extract", here), ("flush", here), ("flush", there)]
        jobs = [
            enqueue(tenant=acme.tenant, kind=kind, payload={}, session_id=session) for kind, session in told
        ]

    assert [claim(acme, job) is not None for job in jobs] == [True, True, False, True]


def test_a_job_that_gives_way_waits_for_another_turn_and_adds_up_what_it_did(acme: Team) -> None:
    job = state_fact(acme, 1)
    for _ in range(2):
        part = claimed(acme, job)
        with part.publish() as result:
            result.update(read=12, model="a/b")
            part.give_way()
        seen = load(acme.tenant, job.pk)
        assert (seen.state, seen.attempts, seen.lease_token) == (Job.State.QUEUED, 0, None)
        assert OrmQ.objects.filter(pk=seen.wake_id).exists()

    with claimed(acme, job).publish() as result:
        result["read"] = 1

    seen = load(acme.tenant, job.pk)
    assert (seen.state, seen.result) == (Job.State.SUCCEEDED, {"read": 25, "model": "a/b"})


def test_a_job_that_gives_way_leaves_the_rest_to_one_of_its_key_that_waits(acme: Team) -> None:
    first = claimed(acme, state_fact(acme, 1, dedupe_key="fact"))
    second = state_fact(acme, 2, dedupe_key="fact")

    with first.publish():
        first.give_way()

    assert load(acme.tenant, first.job_id).state == Job.State.SUCCEEDED
    assert load(acme.tenant, second.pk).state == Job.State.QUEUED
