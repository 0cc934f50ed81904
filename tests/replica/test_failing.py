"""A replica that is killed or frozen costs nobody an answer, is told of, and is read from again once it is well."""

from __future__ import annotations

import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import httpx
import pytest
from django.test import Client

from benchmarks.standby import Standby
from nebo.postgres.replica import BREAKER
from nebo.tenants.models import Tenant
from nebo.tenants.reading import read_in_scope
from tests.conftest import Team
from tests.documented import take_faults
from tests.live_server import live_server
from tests.operations.waiting import wait_until
from tests.replica.conftest import Agent, ask_primary, ask_standby, count_reads, let_catch_up

READERS = 4
SLOWEST_S = 8.0  # of an answer while it fails: one second to notice, and a busy machine


@pytest.fixture
def told(agent: Agent, standby: Standby) -> Agent:
    """Somebody with ten memories, which stand on the replica."""
    for number in range(10):
        agent.call(
            "post", "users/alice/memories/", {"key": f"boat_{number}", "value": f"Owns boat {number}."}
        )
    let_catch_up(standby)
    return agent


@contextmanager
def reading(agent: Agent) -> Iterator[list[tuple[str, float]]]:
    """Searches and lists by several at once meanwhile: `(status, seconds)` of each call."""
    answers: list[tuple[str, float]] = []
    stop = threading.Event()
    with live_server() as url, ThreadPoolExecutor(READERS) as pool:
        loops = [pool.submit(_read, url, agent.key, stop, answers) for _ in range(READERS)]
        try:
            yield answers
        finally:
            stop.set()
            for loop in loops:
                loop.result()


def _read(url: str, key: str, stop: threading.Event, answers: list[tuple[str, float]]) -> None:
    with httpx.Client(
        base_url=f"{url}/api/v1/", headers={"Authorization": f"Bearer {key}"}, timeout=60
    ) as client:
        while not stop.is_set():
            for ask in (_search, _list):
                began = time.monotonic()
                status = ask(client)
                answers.append((status, time.monotonic() - began))


def _search(client: httpx.Client) -> str:
    answer = client.post("users/alice/search/", json={"query": "boat"})
    return str(answer.status_code) if answer.status_code != 200 or answer.json()["results"] else "empty"


def _list(client: httpx.Client) -> str:
    answer = client.get("users/alice/memories/")
    return (
        str(answer.status_code)
        if answer.status_code != 200 or len(answer.json()["results"]) == 10
        else "less"
    )


def await_reads(by: str, count: int) -> None:
    goal = count_reads()[by] + count
    wait_until(lambda: count_reads()[by] >= goal, seconds=60)


def kill_and_start(standby: Standby) -> Callable[[], None]:
    standby.kill()
    return standby.start


def freeze(standby: Standby) -> Callable[[], None]:
    standby.send(signal.SIGSTOP)
    return lambda: standby.send(signal.SIGCONT)


@pytest.mark.parametrize("harm", [kill_and_start, freeze])
def test_no_request_fails_while_it_is_away_and_it_comes_back_by_itself(
    told: Agent, standby: Standby, harm: Callable[[Standby], Callable[[], None]]
) -> None:
    with reading(told) as answers:
        await_reads("replica", 20)
        mend = harm(standby)
        try:
            await_reads("primary: gone", 20)
            away = ask_ready()
        finally:
            mend()
        wait_until(lambda: not BREAKER.reason, seconds=60)
        await_reads("replica", 20)

    assert Counter(status for status, _ in answers) == {"200": len(answers)}
    assert max(seconds for _, seconds in answers) < SLOWEST_S
    assert away["status"] == "degraded"
    assert ask_ready()["status"] == "ok"


def ask_ready() -> dict[str, str]:
    """What /readyz says of the replica."""
    parts = Client().get("/readyz").json()["parts"]
    return dict(parts["replica"])


def test_one_that_is_too_late_is_told_of(told: Agent, standby: Standby, settings: object) -> None:
    settings.REPLICA_STALENESS_S = 0.0  # type: ignore[attr-defined]
    ask_standby(standby, "SELECT pg_wal_replay_pause()")
    try:
        told.call("post", "users/alice/memories/", {"key": "boat_10", "value": "Owns boat 10."})

        assert ask_ready() == {
            "status": "degraded",
            "detail": "it lies too far behind: everything is read from the primary",
        }
    finally:
        ask_standby(standby, "SELECT pg_wal_replay_resume()")


def test_metrics_tell_who_answered(told: Agent) -> None:
    told.call("get", "users/alice/memories/")

    text = Client().get("/metrics").content.decode()

    assert 'nebo_replica_reads_total{by="replica"}' in text
    assert "nebo_replica_left_alone" in text
    assert "nebo_replica_behind_bytes" in text


def test_what_would_write_is_read_again_on_the_primary(told: Agent, acme: Team) -> None:
    calls = []

    def act() -> int:
        calls.append(1)
        return Tenant.objects.filter(pk=acme.tenant.pk).update(first_call_at=None)

    assert read_in_scope(acme.tenant, act) == 1
    assert len(calls) == 2
    assert told.read_by()["primary: writes"] == 1


# --- What reading leaves behind -------------------------------------------------------------------------


def test_a_search_on_the_replica_leaves_its_line_and_counts_its_use(told: Agent) -> None:
    before = told.read_by()["replica"]

    told.call("post", "users/alice/recall/", {"query": "Which boat?", "min_similarity": 0.0})

    assert told.read_by()["replica"] > before
    assert ask_primary("SELECT count(*) FROM memories_auditentry WHERE action = 'memory.recalled'") == (1,)
    assert ask_primary("SELECT max(access_count) FROM memories_memory") == (1,)


def test_without_its_line_there_is_no_answer(told: Agent) -> None:
    ask_primary(
        "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'no lines today'; END $$; "
        "CREATE TRIGGER refuse BEFORE INSERT ON memories_auditentry FOR EACH ROW "
        "WHEN (NEW.action = 'memory.searched') EXECUTE FUNCTION refuse()"
    )
    try:
        assert told.call("post", "users/alice/search/", {"query": "boat"}) == 500
        assert len(take_faults()) == 1  # what isn't documented: a 500
        assert told.call("get", "users/alice/memories/")["results"]
    finally:
        ask_primary("DROP TRIGGER refuse ON memories_auditentry; DROP FUNCTION refuse()")
