"""Putting work into the queue: one transaction with its wake, and one waiting job a dedupe key."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.db import transaction
from django_q.models import OrmQ

from nebo.jobs.lanes import Lane
from nebo.jobs.models import Job
from nebo.jobs.registry import UnknownKind, handler
from nebo.jobs.services import enqueue
from nebo.postgres.clock import database_now
from nebo.tenants.scoping import tenant_scope
from tests.conftest import Team

pytestmark = pytest.mark.django_db
SOON = timedelta(seconds=5)


def put(team: Team, *, due_at: datetime | None = None, key: str = "", **payload: object) -> Job:
    with tenant_scope(team.tenant):
        return enqueue(tenant=team.tenant, kind="echo", payload=payload, due_at=due_at, dedupe_key=key)


def wake_of(job: Job) -> OrmQ:
    return OrmQ.objects.get(pk=job.wake_id)


def test_a_job_is_due_now_and_its_wake_lies_at_the_same_moment(acme: Team) -> None:
    before = database_now(Job)

    job = put(acme)

    assert before <= job.due_at <= database_now(Job)
    assert wake_of(job).lock == job.due_at


def test_a_wake_stands_in_the_line_of_its_lane_and_tenant_and_carries_the_jobs_id(acme: Team) -> None:
    job = put(acme, session_id="s-1")

    assert wake_of(job).key == f"{Lane.SESSION:d}:{acme.tenant.pk}"
    assert wake_of(job).payload == str(job.pk)


def test_a_job_that_waits_moves_to_the_lane_of_one_that_goes_before_it(acme: Team) -> None:
    with tenant_scope(acme.tenant):
        options = {"tenant": acme.tenant, "kind": "echo", "payload": {}, "dedupe_key": "embed:1"}
        first = enqueue(**options, lane=Lane.BACKFILL)
        joined = enqueue(**options, lane=Lane.LIVE)
        again = enqueue(**options, lane=Lane.BACKFILL)

    assert first.pk == joined.pk == again.pk
    assert again.lane == Lane.LIVE
    assert [row.key for row in OrmQ.objects.all()] == [f"{Lane.LIVE:d}:{acme.tenant.pk}"]


def test_a_rolled_back_transaction_leaves_neither_job_nor_wake(acme: Team) -> None:
    with pytest.raises(RuntimeError), transaction.atomic():
        put(acme)
        raise RuntimeError

    with tenant_scope(acme.tenant):
        assert not Job.objects.for_tenant(acme.tenant).exists()
    assert not OrmQ.objects.exists()


def test_a_kind_without_a_handler_is_refused(acme: Team) -> None:
    with tenant_scope(acme.tenant), pytest.raises(UnknownKind):
        enqueue(tenant=acme.tenant, kind="no such kind", payload={})


def test_two_handlers_for_one_kind_are_refused() -> None:
    with pytest.raises(ValueError, match="echo"):
        handler("echo")(lambda claim: None)


def test_a_second_job_of_the_key_moves_the_one_that_waits(acme: Team) -> None:
    now = database_now(Job)

    first = put(acme, key="extract:1", due_at=now + SOON, session_id="s-1")
    second = put(acme, key="extract:1", due_at=now + 2 * SOON, watermark=7)

    assert second.pk == first.pk
    assert second.due_at == wake_of(second).lock == now + 2 * SOON
    assert second.payload == {"session_id": "s-1", "watermark": 7}
    assert OrmQ.objects.count() == 1


def test_an_earlier_time_does_not_hurry_the_one_that_waits(acme: Team) -> None:
    now = database_now(Job)

    put(acme, key="extract:1", due_at=now + 2 * SOON)
    job = put(acme, key="extract:1", due_at=now + SOON)

    assert job.due_at == wake_of(job).lock == now + 2 * SOON


def test_a_job_that_is_due_keeps_its_place_when_it_is_wanted_again(acme: Team) -> None:
    now = database_now(Job)

    put(acme, key="extract:1", due_at=now)
    job = put(acme, key="extract:1", watermark=7)

    assert job.due_at == wake_of(job).lock == now
    assert job.payload == {"watermark": 7}


def test_a_wake_that_was_taken_already_is_replaced(acme: Team) -> None:
    now = database_now(Job)
    first = put(acme, key="extract:1", due_at=now)
    wake_of(first).delete()

    moved = put(acme, key="extract:1", due_at=now + SOON)

    assert wake_of(moved).lock == now + SOON


def test_a_failed_job_that_waits_is_joined_and_keeps_its_attempts(acme: Team) -> None:
    job = put(acme, key="extract:1")
    with tenant_scope(acme.tenant):
        Job.objects.for_tenant(acme.tenant).filter(pk=job.pk).update(state="failed", attempts=2)

    joined = put(acme, key="extract:1", due_at=database_now(Job) + SOON)

    assert (joined.pk, joined.state, joined.attempts) == (job.pk, Job.State.FAILED, 2)


@pytest.mark.parametrize("state", [Job.State.RUNNING, Job.State.SUCCEEDED, Job.State.DEAD])
def test_a_job_that_no_longer_waits_is_not_joined(acme: Team, state: Job.State) -> None:
    job = put(acme, key="extract:1")
    with tenant_scope(acme.tenant):
        Job.objects.for_tenant(acme.tenant).filter(pk=job.pk).update(state=state)

    assert put(acme, key="extract:1").pk != job.pk


def test_keys_of_two_tenants_do_not_meet(acme: Team, rival: Team) -> None:
    ours = put(acme, key="extract:1")
    theirs = put(rival, key="extract:1")

    assert ours.pk != theirs.pk
