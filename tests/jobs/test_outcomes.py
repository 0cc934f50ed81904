"""How an attempt ends without success."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django_q.models import OrmQ

from nebo.errors import Conflict, NotFound
from nebo.jobs.claims import claim_job
from nebo.jobs.lanes import Lane
from nebo.jobs.models import Job
from nebo.jobs.outcomes import (
    MAX_ATTEMPTS,
    MAX_CRASHES,
    MAX_INTERRUPTIONS,
    give_back,
    record_crash,
    record_failure,
    record_interruption,
)
from nebo.jobs.services import retry_job
from nebo.postgres.clock import database_now
from nebo.tenants.scoping import tenant_scope
from tests.conftest import Team
from tests.jobs.facts import load, state_fact

pytestmark = pytest.mark.django_db
SLACK = timedelta(seconds=2)  # a slow machine's


def end(team: Team, job: Job, ending: Callable[[Job], None]) -> Job:
    """Claim the job, whenever it is due, and end the attempt."""
    with tenant_scope(team.tenant):
        Job.unscoped.filter(pk=job.pk).update(due_at=database_now(Job))
    assert claim_job(tenant_id=team.tenant.pk, job_id=job.pk)
    with tenant_scope(team.tenant):
        ending(Job.unscoped.get(pk=job.pk))
    return load(team.tenant, job.pk)


def fail(job: Job) -> None:
    record_failure(job, "openai/gpt-x: server error (500).")


def test_each_failure_waits_four_times_longer_and_the_fifth_parks_the_job(acme: Team) -> None:
    job = state_fact(acme, 1)

    for attempt, seconds in enumerate((5, 20, 80, 320), start=1):
        seen = end(acme, job, fail)
        wait = seen.due_at - database_now(Job)
        assert (seen.state, seen.attempts) == (Job.State.FAILED, attempt)
        assert timedelta(seconds=seconds) - SLACK < wait < timedelta(seconds=seconds * 1.2)

    seen = end(acme, job, fail)
    assert (seen.state, seen.attempts) == (Job.State.DEAD, MAX_ATTEMPTS)
    assert seen.error == "openai/gpt-x: server error (500)."
    assert seen.finished_at is not None


def test_the_third_crash_parks_the_job(acme: Team) -> None:
    job = state_fact(acme, 1)

    for crashes in range(1, MAX_CRASHES):
        seen = end(acme, job, record_crash)
        assert (seen.state, seen.crashes) == (Job.State.QUEUED, crashes)

    seen = end(acme, job, record_crash)
    assert (seen.state, seen.crashes, seen.attempts) == (Job.State.DEAD, MAX_CRASHES, MAX_CRASHES)
    assert "stopped in the middle of attempt 3" in seen.error


def test_a_crash_in_the_last_attempt_parks_the_job(acme: Team) -> None:
    job = state_fact(acme, 1)
    for _ in range(MAX_ATTEMPTS - 1):
        end(acme, job, fail)

    seen = end(acme, job, record_crash)

    assert (seen.state, seen.crashes, seen.attempts) == (Job.State.DEAD, 1, MAX_ATTEMPTS)


def test_a_job_whose_worker_is_taken_away_again_and_again_is_not_held_to_account(acme: Team) -> None:
    job = state_fact(acme, 1)

    for times in range(1, MAX_INTERRUPTIONS + 1):
        seen = end(acme, job, record_interruption)
        assert (seen.state, seen.attempts, seen.crashes, seen.interruptions) == (
            Job.State.QUEUED,
            0,
            0,
            times,
        )

    assert f"stopped from outside (time {MAX_INTERRUPTIONS})" in seen.error


def test_what_never_ends_is_no_accident_and_counts_as_crashes(acme: Team) -> None:
    job = state_fact(acme, 1)

    for _ in range(MAX_INTERRUPTIONS + MAX_CRASHES):
        seen = end(acme, job, record_interruption)

    assert (seen.state, seen.crashes) == (Job.State.DEAD, MAX_CRASHES)


def test_a_job_given_back_has_not_been_tried(acme: Team) -> None:
    seen = end(acme, state_fact(acme, 1), give_back)

    assert (seen.state, seen.attempts, seen.crashes, seen.lease_token) == (Job.State.QUEUED, 0, 0, None)


def test_a_failed_job_hands_its_work_to_the_sibling_that_waits(acme: Team) -> None:
    later = database_now(Job) + timedelta(minutes=5)
    job = state_fact(acme, 1, dedupe_key="fact", lane=Lane.LIVE)
    claim_job(tenant_id=acme.tenant.pk, job_id=job.pk)
    sibling = state_fact(acme, 2, dedupe_key="fact", due_at=later, lane=Lane.UPKEEP)

    with tenant_scope(acme.tenant):
        fail(Job.unscoped.get(pk=job.pk))

    old, new = load(acme.tenant, job.pk), load(acme.tenant, sibling.pk)
    assert (old.state, old.result) == (Job.State.SUCCEEDED, {"merged_into": str(new.pk)})
    assert (new.state, new.attempts, new.due_at, new.error) == (Job.State.FAILED, 1, later, old.error)
    assert new.lane == Lane.LIVE


def test_a_parked_job_can_be_brought_back_with_its_counts_at_zero(acme: Team) -> None:
    job = state_fact(acme, 1)
    for _ in range(MAX_CRASHES):
        end(acme, job, record_crash)

    with tenant_scope(acme.tenant):
        retry_job(tenant=acme.tenant, job=job.pk)

    seen = load(acme.tenant, job.pk)
    assert (seen.state, seen.attempts, seen.crashes, seen.finished_at) == (Job.State.QUEUED, 0, 0, None)
    assert OrmQ.objects.get(pk=seen.wake_id).lock == seen.due_at
    assert claim_job(tenant_id=acme.tenant.pk, job_id=job.pk)


def test_a_job_that_waits_out_its_back_off_can_be_hurried(acme: Team) -> None:
    job = end(acme, state_fact(acme, 1), fail)

    with tenant_scope(acme.tenant):
        hurried = retry_job(tenant=acme.tenant, job=job)

    assert hurried.due_at <= database_now(Job)
    assert OrmQ.objects.get(pk=hurried.wake_id).lock == hurried.due_at


@pytest.mark.parametrize("state", [Job.State.QUEUED, Job.State.RUNNING, Job.State.SUCCEEDED])
def test_a_job_in_another_state_is_not_brought_back(acme: Team, state: Job.State) -> None:
    job = state_fact(acme, 1)
    with tenant_scope(acme.tenant):
        Job.unscoped.filter(pk=job.pk).update(state=state)

        with pytest.raises(Conflict):
            retry_job(tenant=acme.tenant, job=job)


def test_a_parked_job_is_not_brought_back_beside_a_sibling_that_waits(acme: Team) -> None:
    job = state_fact(acme, 1, dedupe_key="fact")
    with tenant_scope(acme.tenant):
        Job.unscoped.filter(pk=job.pk).update(state=Job.State.DEAD)
    state_fact(acme, 2, dedupe_key="fact")

    with tenant_scope(acme.tenant), pytest.raises(Conflict, match="waiting already"):
        retry_job(tenant=acme.tenant, job=job)


def test_another_tenants_job_is_not_found(acme: Team, rival: Team) -> None:
    job = state_fact(acme, 1)

    with tenant_scope(rival.tenant), pytest.raises(NotFound):
        retry_job(tenant=rival.tenant, job=job.pk)
