"""What a woken worker does with one job."""

from __future__ import annotations

import time
from datetime import timedelta
from uuid import UUID

import pytest
from django.db import connection

from nebo.jobs.claims import Claim, claim_job
from nebo.jobs.failures import describe
from nebo.jobs.models import Heartbeat, Job
from nebo.jobs.outcomes import MAX_ATTEMPTS, record_failure
from nebo.jobs.registry import handler
from nebo.jobs.selectors import wait_for_job
from nebo.jobs.services import enqueue
from nebo.jobs.worker import running
from nebo.jobs.worker.leases import keep_lease
from nebo.jobs.worker.running import run_job, run_next, work
from nebo.llm.breakers import forget_breakers
from nebo.llm.errors import AllModelsFailed, Attempt, PermanentError, RetryableError
from nebo.llm.routing import complete
from nebo.llm.types import ChatRequest
from nebo.postgres.clock import database_now
from nebo.queue import TimeLimitReached
from nebo.tenants.scoping import operator_scope, tenant_scope
from tests.conftest import Team
from tests.jobs.facts import list_facts, load, state_fact
from tests.jobs.inline import run_jobs
from tests.jobs.worker_process import wait_until
from tests.llm.fake_model import FakeModel

REFUSAL = PermanentError("openai", "gpt-x", "the key was refused (401)", kind="refused", status=401)


@handler("full")
def full(claim: Claim) -> None:
    """The server has no disk left, as it says so itself."""
    with tenant_scope(claim.tenant_id), connection.cursor() as cursor:
        cursor.execute("DO $$ BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = 'disk_full'; END $$")


@handler("endless")
def endless(claim: Claim) -> None:
    """Never publishes."""


@handler("unpaid")
def unpaid(claim: Claim) -> None:
    """Every model says no."""
    raise AllModelsFailed([Attempt.of(REFUSAL, seconds=0.2)])


@handler("cut")
def cut(claim: Claim) -> None:
    """The database ends its connection in the middle."""
    with tenant_scope(claim.tenant_id), connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")


@handler("slow")
def slow(claim: Claim) -> None:
    """As if SIGALRM had struck."""
    raise TimeLimitReached("too long")


def put(team: Team, kind: str) -> Job:
    with tenant_scope(team.tenant):
        return enqueue(tenant=team.tenant, kind=kind, payload={})


@pytest.mark.django_db
def test_a_job_runs_and_its_effect_stands(acme: Team) -> None:
    job = state_fact(acme, 1)

    run_job(str(acme.tenant.pk), str(job.pk))

    seen = load(acme.tenant, job.pk)
    assert (seen.state, seen.result) == (Job.State.SUCCEEDED, {"attempt": 1})
    assert list_facts(acme.tenant) == ["1"]


@pytest.mark.django_db
def test_being_woken_twice_does_the_work_once(acme: Team) -> None:
    job = state_fact(acme, 1)

    for _ in range(2):
        run_job(str(acme.tenant.pk), str(job.pk))

    assert list_facts(acme.tenant) == ["1"]


@handler("counted")
def counted(claim: Claim) -> None:
    """Work in several pieces: each job but the last leaves the next one behind it, `pause_s` from now."""
    left = claim.payload["left"] - 1
    with claim.publish():
        if left:
            count_down(claim.tenant_id, left=left, pause_s=claim.payload["pause_s"])


def count_down(tenant_id: UUID, *, left: int, pause_s: int = 0) -> Job:
    with tenant_scope(tenant_id):
        return enqueue(
            tenant=tenant_id,
            kind="counted",
            payload={"left": left, "pause_s": pause_s},
            due_at=database_now(Job) + timedelta(seconds=pause_s),
            dedupe_key="counted",
        )


def list_states(team: Team) -> list[str]:
    with tenant_scope(team.tenant):
        rows = Job.objects.for_tenant(team.tenant).filter(kind="counted")
        return list(rows.order_by("created_at").values_list("state", flat=True))


@pytest.mark.usefixtures("committed_db")
def test_work_in_pieces_goes_on_in_the_same_worker(acme: Team) -> None:
    count_down(acme.tenant.pk, left=3)

    run_next()

    assert list_states(acme) == [Job.State.SUCCEEDED] * 3


@pytest.mark.usefixtures("committed_db")
def test_between_two_pieces_others_have_their_turn(acme: Team, rival: Team) -> None:
    count_down(acme.tenant.pk, left=2)
    state_fact(rival, 1)

    run_next()

    with operator_scope():
        rows = Job.unscoped.filter(finished_at__isnull=False).order_by("finished_at")
        assert list(rows.values_list("kind", flat=True)) == ["counted", "fact", "counted"]


@pytest.mark.django_db
def test_a_piece_that_is_due_later_waits_for_its_time(acme: Team) -> None:
    count_down(acme.tenant.pk, left=3, pause_s=60)

    run_jobs(acme.tenant, kind="counted")

    assert list_states(acme) == [Job.State.SUCCEEDED, Job.State.QUEUED]


@pytest.mark.usefixtures("committed_db")
def test_after_a_while_a_worker_goes_back_to_where_beats_come_by(
    acme: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "GO_ON_S", 0.0)
    count_down(acme.tenant.pk, left=3)

    run_next()

    assert list_states(acme) == [Job.State.SUCCEEDED, Job.State.QUEUED]


@pytest.mark.django_db
def test_a_job_that_failed_is_not_tried_again_before_its_time(acme: Team) -> None:
    with tenant_scope(acme.tenant):
        job = enqueue(tenant=acme.tenant, kind="unpaid", payload={}, dedupe_key="unpaid")

    run_job(str(acme.tenant.pk), str(job.pk))

    seen = load(acme.tenant, job.pk)
    assert (seen.state, seen.attempts) == (Job.State.FAILED, 1)


@handler("asking")
def asking(claim: Claim) -> None:
    """Asks a model that is down."""
    complete(ChatRequest(task="rolling", system="", prompt="Who?"), models=[DOWN], backoff_s=(0.0, 0.0, 0.0))


DOWN = FakeModel(RetryableError("fake", "fake-1", "server error (500)", kind="busy") for _ in range(20))


@pytest.mark.django_db
def test_a_job_asks_a_failing_model_eight_times_in_all(acme: Team) -> None:
    put(acme, "asking")

    states = []
    for _ in range(MAX_ATTEMPTS):
        forget_breakers()  # a job's pauses are longer than a provider's
        states.append(run_jobs(acme.tenant, kind="asking")[0].state)

    assert states == [Job.State.FAILED] * 4 + [Job.State.DEAD]
    assert len(DOWN.requests) == 4 + 1 + 1 + 1 + 1


@pytest.mark.django_db
def test_while_a_model_is_left_alone_jobs_wait_for_it_and_no_attempt_is_counted(acme: Team) -> None:
    put(acme, "asking")
    run_jobs(acme.tenant, kind="asking")
    asked = len(DOWN.requests)

    for _ in range(MAX_ATTEMPTS + 1):
        (job,) = run_jobs(acme.tenant, kind="asking")

    assert (job.state, job.attempts) == (Job.State.FAILED, 1)
    assert "not asked" in job.error
    assert len(DOWN.requests) == asked


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("kind", "says"),
    [
        ("unpaid", "No chat model answered. openai/gpt-x: the key was refused (401), 0.2 s."),
        ("endless", "Unexpected NotPublished; the worker's log says where."),
        ("slow", "The work took longer than 150 s and was stopped."),
        ("refused", "Unexpected ValueError; the worker's log says where."),
    ],
)
def test_the_page_says_why_without_a_users_words(acme: Team, kind: str, says: str) -> None:
    put(acme, kind)

    (job,) = run_jobs(acme.tenant)

    assert (job.state, job.error) == (Job.State.FAILED, says)


@pytest.mark.django_db
def test_a_kind_this_worker_does_not_know_waits_for_one_that_does(acme: Team) -> None:
    job = state_fact(acme, 1)
    with tenant_scope(acme.tenant):
        Job.unscoped.filter(pk=job.pk).update(kind="from the future")

    (seen,) = run_jobs(acme.tenant)

    assert seen.state == Job.State.FAILED
    assert "doesn't know this kind of job" in seen.error


def test_an_error_without_words_of_its_own_gives_only_its_type() -> None:
    assert "hunter2" not in describe(ValueError("my password is hunter2"))


def test_work_inside_a_transaction_is_refused(committed_db: None, acme: Team) -> None:
    job = state_fact(acme, 1)
    claim = claim_job(tenant_id=acme.tenant.pk, job_id=job.pk)

    with tenant_scope(acme.tenant), pytest.raises(RuntimeError, match="durable"):
        work(claim)


def test_long_work_keeps_its_lease_and_shows_that_the_worker_lives(committed_db: None, acme: Team) -> None:
    job = state_fact(acme, 1)
    claim = claim_job(tenant_id=acme.tenant.pk, job_id=job.pk)
    first = load(acme.tenant, job.pk).lease_until

    with keep_lease(claim, every_s=0.02):
        wait_until(lambda: load(acme.tenant, job.pk).lease_until > first, within_s=10)

    beat = Heartbeat.objects.get(name__startswith="worker:")
    assert database_now(Job) - beat.beat_at < timedelta(seconds=10)


def test_stuck_work_loses_its_lease_in_the_end(committed_db: None, acme: Team) -> None:
    job = state_fact(acme, 1)
    claim = claim_job(tenant_id=acme.tenant.pk, job_id=job.pk)
    first = load(acme.tenant, job.pk).lease_until

    started = time.monotonic()
    with keep_lease(claim, every_s=0.02, limit_s=0.01):
        wait_until(lambda: time.monotonic() - started > 0.2)

    assert load(acme.tenant, job.pk).lease_until == first


@pytest.mark.usefixtures("committed_db")
@pytest.mark.parametrize(
    ("kind", "error"),
    [
        ("cut", "The connection to the database was lost."),
        ("full", "The database had no disk, memory or connection left."),
    ],
)
def test_a_database_that_is_away_or_full_is_not_the_jobs_fault(acme: Team, kind: str, error: str) -> None:
    job = put(acme, kind)

    for _ in range(MAX_ATTEMPTS + 1):
        with tenant_scope(acme.tenant):
            Job.unscoped.filter(pk=job.pk).update(due_at=database_now(Job))
        run_job(str(acme.tenant.pk), str(job.pk))

    seen = load(acme.tenant, job.pk)
    assert (seen.state, seen.attempts, seen.crashes) == (Job.State.FAILED, 0, 0)
    assert seen.error == error
    assert seen.due_at - database_now(Job) < timedelta(seconds=3)


@pytest.mark.usefixtures("committed_db")
def test_who_waits_for_a_job_that_another_goes_on_with_gets_the_other(acme: Team) -> None:
    job = state_fact(acme, 1, dedupe_key="fact")
    claim_job(tenant_id=acme.tenant.pk, job_id=job.pk)
    sibling = state_fact(acme, 2, dedupe_key="fact", due_at=database_now(Job) + timedelta(minutes=5))
    with tenant_scope(acme.tenant):
        record_failure(Job.unscoped.get(pk=job.pk), "refused")

    waited_for = wait_for_job(tenant=acme.tenant, job_id=job.pk, seconds=0.1)

    assert (waited_for.pk, waited_for.state) == (sibling.pk, Job.State.FAILED)
