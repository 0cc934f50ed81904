"""`jobs/`: what became of work that was asked for."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django_q.models import OrmQ

from nebo.jobs.models import Job
from nebo.jobs.services import enqueue
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.services import get_or_create_person
from tests.api.conftest import Agent, agent_of, assert_problem
from tests.conftest import Team
from tests.jobs.facts import state_fact
from tests.jobs.inline import run_jobs

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _rates() -> None:
    cache.clear()


@pytest.fixture
def agent(acme: Team) -> Agent:
    return agent_of(acme)


def set_state(job: Job, state: Job.State, **values: object) -> None:
    with tenant_scope(job.tenant_id):
        Job.unscoped.filter(pk=job.pk).update(state=state, **values)


def test_a_job_shows_its_state_its_attempts_and_its_result(agent: Agent, acme: Team) -> None:
    job = state_fact(acme, 1)
    run_jobs(acme.tenant)

    shown = agent.get(f"jobs/{job.pk}/").json()

    assert (shown["id"], shown["kind"], shown["state"]) == (str(job.pk), "fact", "succeeded")
    assert (shown["attempts"], shown["error"], shown["result"]) == (1, "", {"attempt": 1})
    assert shown["finished_at"] >= shown["created_at"]


def test_jobs_are_listed_newest_first_by_state_and_kind(agent: Agent, acme: Team) -> None:
    jobs = [state_fact(acme, number) for number in range(3)]
    set_state(jobs[0], Job.State.DEAD)

    everything = agent.get("jobs/").json()["results"]
    dead = agent.get("jobs/?state=dead&kind=fact").json()["results"]
    others = agent.get("jobs/?kind=echo").json()["results"]

    assert [job["id"] for job in everything] == [str(job.pk) for job in reversed(jobs)]
    assert [job["id"] for job in dead] == [str(jobs[0].pk)]
    assert others == []


@pytest.mark.parametrize("query", ["state=lost", "kind=no+such+kind", "limit=0"])
def test_a_filter_that_cannot_match_is_named(agent: Agent, query: str) -> None:
    problem = assert_problem(agent.get(f"jobs/?{query}"), 400, "invalid-input")

    assert problem["errors"][0]["pointer"] == f"?{query.partition('=')[0]}"


def test_a_list_takes_the_same_number_of_queries_however_long(agent: Agent, acme: Team) -> None:
    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert agent.get("jobs/").status_code == 200
        return len(queries)

    state_fact(acme, 0)
    count()  # the first call of a tenant is noted
    short = count()
    for number in range(20):
        state_fact(acme, number)

    assert count() == short


def test_a_parked_job_is_brought_back(agent: Agent, acme: Team) -> None:
    job = state_fact(acme, 1)
    set_state(job, Job.State.DEAD, attempts=5, error="It failed.")
    OrmQ.objects.all().delete()

    answer = agent.post(f"jobs/{job.pk}/retry/")

    assert (answer.status_code, answer.json()["state"], answer.json()["attempts"]) == (200, "queued", 0)
    assert OrmQ.objects.count() == 1


def test_a_job_that_succeeded_is_not_done_again(agent: Agent, acme: Team) -> None:
    job = state_fact(acme, 1)
    run_jobs(acme.tenant)

    assert_problem(agent.post(f"jobs/{job.pk}/retry/"), 409, "conflict")


def test_a_key_bound_to_a_person_sees_that_persons_jobs_alone(acme: Team) -> None:
    with tenant_scope(acme.tenant):
        bob = get_or_create_person(tenant=acme.tenant, external_id="bob")
        enqueue(tenant=acme.tenant, kind="echo", payload={})
    agent = agent_of(acme, person=bob)
    alices = state_fact(acme, 1)

    assert agent.get("jobs/").json()["results"] == []
    assert_problem(agent.get(f"jobs/{alices.pk}/"), 404, "not-found")
    assert_problem(agent.post(f"jobs/{alices.pk}/retry/"), 404, "not-found")


def test_another_tenants_job_is_not_found(agent: Agent, rival: Team) -> None:
    theirs = state_fact(rival, 1)

    assert_problem(agent.get(f"jobs/{theirs.pk}/"), 404, "not-found")
    assert_problem(agent.post(f"jobs/{theirs.pk}/retry/"), 404, "not-found")
    assert agent.get("jobs/").json()["results"] == []


def test_a_key_that_only_reads_brings_nothing_back(acme: Team) -> None:
    agent = agent_of(acme, scopes=("read",))
    job = state_fact(acme, 1)

    assert agent.get(f"jobs/{job.pk}/").status_code == 200
    assert_problem(agent.post(f"jobs/{job.pk}/retry/"), 403, "forbidden")
