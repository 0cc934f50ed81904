"""A real worker: when jobs start, in what order, as whom, and what is left when it stops."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from memories.models import Todo
from nebo.database import database_urls
from nebo.env import env
from nebo.jobs.lanes import Lane
from nebo.jobs.models import Job
from nebo.jobs.selectors import find_beat_age_s, wait_for_job
from nebo.jobs.worker.cluster import NICENESS
from nebo.postgres.clock import database_now
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import tenant_scope
from tests.conftest import Team
from tests.jobs.conftest import StartWorker
from tests.jobs.facts import list_facts, load, state_fact
from tests.jobs.worker_process import ROOT, environment, is_running, wait_until

pytestmark = [pytest.mark.worker, pytest.mark.timeout(300)]
DEBOUNCE = timedelta(seconds=1.5)  # ten steps: a busy machine may take that long for one
STEP = timedelta(seconds=0.15)
LATEST_START = timedelta(seconds=5)  # on a busy machine; a second is usual
PATIENCE_S = 120.0


def ended(tenant: Tenant, *jobs: Job) -> list[Job]:
    """The jobs, once all have succeeded."""
    found = [wait_for_job(tenant=tenant, job_id=job.pk, seconds=PATIENCE_S) for job in jobs]
    assert {job.state for job in found} == {Job.State.SUCCEEDED}
    return found


def wait_for_time(moment: datetime) -> None:
    wait_until(lambda: database_now(Job) >= moment)


def test_twelve_enqueues_over_time_make_one_run_soon_after_its_time(
    start_worker: StartWorker, acme: Team
) -> None:
    start_worker(2)
    ended(acme.tenant, state_fact(acme, 0))
    began = database_now(Job)

    jobs = []
    for number in range(12):
        wait_for_time(began + number * STEP)
        due_at = database_now(Job) + DEBOUNCE
        jobs.append(state_fact(acme, 1, dedupe_key="extract:1", due_at=due_at))

    (job,) = ended(acme.tenant, jobs[-1])
    assert {one.pk for one in jobs} == {job.pk}
    assert list_facts(acme.tenant) == ["0", "1"]
    assert job.due_at == due_at
    assert timedelta(0) <= job.started_at - job.due_at < LATEST_START


def test_jobs_make_way_for_requests(start_worker: StartWorker, acme: Team) -> None:
    worker = start_worker(1)
    ended(acme.tenant, state_fact(acme, 1))

    family = worker.list_family()
    assert family
    assert {os.getpriority(os.PRIO_PROCESS, pid) for pid in family} == {
        os.getpriority(os.PRIO_PROCESS, worker.process.pid) + NICENESS
    }


def test_jobs_run_in_the_order_they_are_due(start_worker: StartWorker, acme: Team) -> None:
    now = database_now(Job)
    jobs = [state_fact(acme, n, due_at=now - timedelta(seconds=n)) for n in (1, 3, 2, 5, 4)]

    start_worker(1)
    ended(acme.tenant, *jobs)

    assert list_facts(acme.tenant) == ["5", "4", "3", "2", "1"]


def test_two_processes_share_the_work_and_do_each_job_once(start_worker: StartWorker, acme: Team) -> None:
    jobs = [state_fact(acme, number, sleep_s=0.2, lane=Lane.READING) for number in range(8)]

    start_worker(2)
    done = ended(acme.tenant, *jobs)

    assert sorted(list_facts(acme.tenant)) == [str(number) for number in range(8)]
    assert {job.attempts for job in done} == {1}
    assert len({job.worker for job in done}) == 2


def test_two_jobs_of_a_key_never_run_at_once(start_worker: StartWorker, acme: Team) -> None:
    start_worker(2)
    first = state_fact(acme, 1, sleep_s=1.0, dedupe_key="extract:1")
    wait_until(lambda: load(acme.tenant, first.pk).state == Job.State.RUNNING)

    second = state_fact(acme, 2, dedupe_key="extract:1")
    first, second = ended(acme.tenant, first, second)

    assert second.started_at >= first.finished_at


def test_jobs_run_as_the_role_without_privileges_and_the_worker_stays_small(
    start_worker: StartWorker, acme: Team
) -> None:
    worker = start_worker(1)
    ended(acme.tenant, state_fact(acme, 1))

    with tenant_scope(acme.tenant):
        role = Todo.objects.for_tenant(acme.tenant).get().quote
    maps = "".join(Path(f"/proc/{pid}/maps").read_text() for pid in worker.list_family())
    assert role == database_urls(env).roles()["app"]
    assert "onnxruntime" not in maps


def test_the_worker_shows_that_it_lives(start_worker: StartWorker) -> None:
    assert find_beat_age_s() is None

    worker = start_worker(1)
    wait_until(lambda: find_beat_age_s() is not None)

    worker.process.send_signal(signal.SIGTERM)
    assert worker.process.wait(PATIENCE_S) == 0
    assert find_beat_age_s() is None


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_told_to_stop_it_leaves_no_process_and_gives_its_job_back(
    start_worker: StartWorker, acme: Team, number: signal.Signals
) -> None:
    worker = start_worker(2)
    job = state_fact(acme, 1, sleep_s=60)
    wait_until(lambda: load(acme.tenant, job.pk).state == Job.State.RUNNING)
    family = worker.list_family()

    worker.process.send_signal(number)
    seconds = wait_until(lambda: worker.process.poll() is not None)

    seen = load(acme.tenant, job.pk)
    assert worker.process.returncode == 0
    assert seconds < 30
    assert len(family) == 6
    assert not any(is_running(pid) for pid in family)
    assert (seen.state, seen.attempts, seen.crashes) == (Job.State.QUEUED, 0, 0)


def test_a_supervisor_killed_without_warning_leaves_no_orphans(start_worker: StartWorker, acme: Team) -> None:
    worker = start_worker(2)
    ended(acme.tenant, state_fact(acme, 1))
    family = worker.list_family()

    os.kill(worker.process.pid, signal.SIGKILL)

    assert len(family) == 6
    wait_until(lambda: not any(is_running(pid) for pid in family), within_s=30)


def test_the_worker_refuses_a_role_that_sees_past_the_walls(committed_db: None) -> None:
    variables = environment(database_urls(env), env.test_database)
    variables["DATABASE_APP_URL"] = variables["DATABASE_OPERATOR_URL"]

    command = [sys.executable, "manage.py", "worker"]
    done = subprocess.run(
        command, cwd=ROOT, env=variables, capture_output=True, text=True, timeout=PATIENCE_S
    )

    assert done.returncode == 1
    assert "BYPASSRLS" in done.stderr
