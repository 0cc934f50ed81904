"""The whole way with a real worker: what happens is told within seconds, whoever is slow, and whatever is killed."""

from __future__ import annotations

import os
import signal
import time
from collections import Counter

import pytest

from nebo.jobs.models import Job
from nebo.tenants.scoping import tenant_scope
from tests.conftest import Team
from tests.events.conftest import PATH, deliveries_of, listen, types_of
from tests.jobs.conftest import StartWorker
from tests.jobs.worker_process import wait_until
from tests.memories.conftest import caller
from tests.scripted_server import ScriptedServer, raw, silent

pytestmark = [pytest.mark.worker, pytest.mark.timeout(300)]
SLOW_S = 9.0  # just under the limit of a call


@pytest.fixture(autouse=True)
def _the_workers_may_call_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEBO_WEBHOOK_NETWORKS", "127.0.0.0/8")


def ids_of(receiver: ScriptedServer) -> list[str]:
    return [request.headers["webhook-id"] for request in receiver.requests]


def tell(team: Team, count: int) -> None:
    """So many turns."""
    call = caller(team, scopes=("admin",))
    session = call("POST", "sessions/", {"user": "maya", "key": "chat"}).json()["id"]
    for number in range(count):
        said = {"messages": [{"role": "user", "content": f"Number {number} is on its way."}]}
        assert call("POST", f"sessions/{session}/turns/", said).status_code == 201


def test_what_happens_is_told_by_itself(
    start_worker: StartWorker, acme: Team, receiver: ScriptedServer
) -> None:
    endpoint, _ = listen(acme, receiver.url + PATH, "turn.recorded")
    receiver.on(PATH, raw(b"", 500))  # the first attempt fails and is made again

    start_worker(1)
    tell(acme, 2)

    wait_until(lambda: {one.state for one in deliveries_of(acme)} == {"delivered"})
    first, second = deliveries_of(acme)
    assert Counter(ids_of(receiver)) == {str(first.event_id): 2, str(second.event_id): 1}
    assert endpoint.pk == first.endpoint_id


def test_a_slow_receiver_holds_up_no_other_team(
    start_worker: StartWorker, acme: Team, rival: Team, receiver: ScriptedServer
) -> None:
    with ScriptedServer() as slow:
        slow.always(PATH, silent(SLOW_S))
        listen(acme, slow.url + PATH, "turn.recorded")
        listen(rival, receiver.url + PATH, "turn.recorded")
        tell(acme, 12)
        start_worker(1)
        wait_until(lambda: slow.requests)

        began = time.monotonic()
        for number in range(1, 4):
            tell(rival, 1)
            wait_until(lambda wanted=number: len(receiver.requests) == wanted)

        assert time.monotonic() - began < 12 * SLOW_S
        assert len(slow.requests) <= 6


def test_a_killed_worker_loses_nothing(
    start_worker: StartWorker, acme: Team, receiver: ScriptedServer
) -> None:
    listen(acme, receiver.url + PATH, "turn.recorded")
    receiver.on(PATH, raw(b"ok"), silent(60))  # the second is under way when its worker dies
    worker = start_worker(1)
    tell(acme, 5)
    wait_until(lambda: len(receiver.requests) == 2)

    os.kill(running_in(acme), signal.SIGKILL)

    wait_until(lambda: [one.state for one in deliveries_of(acme)] == ["delivered"] * 5)
    told = Counter(ids_of(receiver))
    assert set(told) == {str(one.event_id) for one in deliveries_of(acme)}
    assert sorted(told.values()) == [1, 1, 1, 1, 2]
    assert types_of(acme) == ["turn.recorded"] * 5
    assert worker.process.poll() is None


def running_in(team: Team) -> int:
    """The process that delivers."""
    with tenant_scope(team.tenant):
        job = Job.objects.for_tenant(team.tenant).get(kind="deliver-events", state="running")
    return int(job.worker.rpartition("/")[2])
