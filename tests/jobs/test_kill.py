"""kill -9: work goes on by itself, nothing acknowledged is lost, nothing is done twice. The long version is
`python -m tests.jobs.kill_drill`.
"""

from __future__ import annotations

import json

import pytest

from nebo.jobs.models import Job
from nebo.jobs.outcomes import MAX_CRASHES
from nebo.jobs.services import enqueue
from nebo.tenants.scoping import tenant_scope
from tests.conftest import Team
from tests.jobs.conftest import StartWorker
from tests.jobs.drill import Drill
from tests.jobs.facts import load, state_fact
from tests.jobs.worker_process import wait_until

pytestmark = [pytest.mark.worker, pytest.mark.timeout(600)]
RECOVERY_S = 60


@pytest.mark.parametrize("processes", [1, 2])
@pytest.mark.parametrize("when", ["idle", "busy"])
def test_work_goes_on_after_a_worker_was_killed(
    start_worker: StartWorker, acme: Team, processes: int, when: str
) -> None:
    drill = Drill(acme, start_worker(processes), processes)
    drill.list_workers()

    one = drill.kill_idle(0) if when == "idle" else drill.kill_busy(0)

    assert one.done_s < RECOVERY_S
    assert one.replaced_s < RECOVERY_S
    assert (drill.missing(), drill.doubled()) == (0, 0)


def test_the_job_of_a_killed_worker_counts_one_crash_and_says_so(
    start_worker: StartWorker, acme: Team
) -> None:
    worker = start_worker(1)
    drill = Drill(acme, worker, 1)

    drill.kill_busy(0)

    job = load(acme.tenant, drill.stated[0].pk)
    events = [json.loads(line) for line in worker.log.read_text().splitlines() if line.startswith("{")]
    lost = [event for event in events if event["event"] == "process_lost"]
    assert (job.crashes, job.attempts, job.error) == (1, 2, "")
    assert [event["crashed"] for event in lost] == [1]


def test_a_job_that_kills_its_worker_is_parked_after_the_third_time(
    start_worker: StartWorker, acme: Team
) -> None:
    start_worker(1)
    with tenant_scope(acme.tenant):
        job = enqueue(tenant=acme.tenant, kind="poison", payload={})
    well = state_fact(acme, 1)

    wait_until(lambda: load(acme.tenant, job.pk).state == Job.State.DEAD)
    wait_until(lambda: load(acme.tenant, well.pk).state == Job.State.SUCCEEDED)

    assert load(acme.tenant, job.pk).crashes == MAX_CRASHES


def test_when_every_process_of_the_cluster_is_killed_in_turn_work_goes_on(
    start_worker: StartWorker, acme: Team
) -> None:
    drill = Drill(acme, start_worker(1), 1)

    rounds = [drill.kill_any(turn) for turn in range(4)]

    assert max(one.done_s for one in rounds) < RECOVERY_S
    assert (drill.missing(), drill.doubled()) == (0, 0)
