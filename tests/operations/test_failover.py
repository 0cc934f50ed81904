"""The primary is gone for good: a standby takes its place, and nothing that it had is lost.

Three servers of its own: the primary, the standby that is promoted, and one that was further when the primary died, and
so holds what the new one never had, and nothing of what comes after.
"""

from __future__ import annotations

import json
import os
import signal
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from benchmarks.chaos.faults import list_descendants
from benchmarks.server import manage, running_server
from benchmarks.standby import Standby, running_standby
from nebo import embedded
from nebo.embedded.server import Server
from tests.operations.waiting import wait_until

SETTINGS = {"fsync": "off", "wal_writer_delay": "10ms"}
REACHED = "SELECT pg_current_wal_insert_lsn()::text"
LOST = "\n".join(f"Line {number} of what the new primary never had." for number in range(1_000))
GOES_ON_S = 60.0

pytestmark = [pytest.mark.slow, pytest.mark.worker, pytest.mark.timeout(600)]


@dataclass(frozen=True)
class Agent:
    """Calls a Nebo as one team, whose key outlives the primary."""

    url: str
    key: str

    def call(self, method: str, path: str, body: Any = None) -> Any:
        headers = {"Authorization": f"Bearer {self.key}"}
        answer = httpx.request(method, f"{self.url}/{path}", headers=headers, json=body, timeout=60)
        assert answer.status_code < 300, answer.text
        return answer.json() if "json" in answer.headers["content-type"] else answer.text

    def tell(self, session: str, *texts: str) -> None:
        said = [{"role": "user", "content": text} for text in texts]
        self.call("POST", f"api/v1/sessions/{session}/turns/", {"messages": said})

    def shows(self, value: str) -> bool:
        return value in str(self.call("GET", "api/v1/users/maya/memories/"))

    def count_reads(self, by: str) -> float:
        lines = self.call("GET", "metrics").splitlines()
        name = f'nebo_replica_reads_total{{by="{by}"}}'
        return sum(float(line.rpartition(" ")[2]) for line in lines if line.startswith(name))


@dataclass(frozen=True)
class Place:
    """The primary, and the folder that holds everybody's data."""

    folder: Path
    primary: Server

    @contextmanager
    def nebo(self, database: str, replica: Standby) -> Iterator[Mapping[str, str]]:
        """A Nebo on that database; its address and environment."""
        settings = {
            "DATABASE_URL": database,
            "DATABASE_REPLICA_URL": f"postgresql://127.0.0.1:{replica.port}/nebo",
            "NEBO_EMBEDDING_MODEL": "hashing/384",
            "NEBO_WORKER_PROCESSES": "1",
        }
        with running_server(self.folder, settings) as server:
            yield {**server.environment, "url": server.url}

    def kill_primary(self) -> None:
        for pid in [self.primary.pid, *list_descendants(self.primary.pid)]:
            os.kill(pid, signal.SIGKILL)


@pytest.fixture
def place() -> Iterator[Place]:
    with tempfile.TemporaryDirectory(prefix="nebo-failover-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        folder.chmod(0o755)  # root hands PostgreSQL to another account, which must get in
        server = embedded.ensure_running(folder / "data", settings=SETTINGS)
        try:
            yield Place(folder, server)
        finally:
            embedded.stop(folder / "data")


def ask(url: str, statement: str) -> Any:
    with psycopg.connect(url, autocommit=True) as connection:
        (value,) = connection.execute(statement.encode()).fetchone() or (None,)
        return value


def await_all_of(primary: str, standby: Standby) -> None:
    reached = ask(primary, REACHED)
    caught_up = f"SELECT pg_last_wal_replay_lsn() >= '{reached}'"
    wait_until(lambda: ask(standby.url(primary), caught_up), seconds=GOES_ON_S)


def issue_key(environment: Mapping[str, str]) -> str:
    told = manage(environment, "issue_key", "--tenant", "acme", "--create", "--json")
    return str(json.loads(told)["key"])


def test_a_standby_takes_the_place_of_a_primary_that_is_gone(place: Place) -> None:
    old = place.primary.admin_url
    with (
        running_standby(place.primary, place.folder / "next", SETTINGS) as following,
        running_standby(place.primary, place.folder / "ahead", SETTINGS) as ahead,
    ):
        new = following.url(old)
        with place.nebo(old, following) as before:
            agent = Agent(before["url"], issue_key(before))
            opened = agent.call("POST", "api/v1/sessions/", {"user": "maya", "key": "one"})
            agent.tell(opened["id"], "I live in Lisbon.")
            wait_until(lambda: agent.shows("Lisbon"), seconds=GOES_ON_S)
            agent.tell(opened["id"], "My sister is called Ines.")  # its job is left to the new primary
            await_all_of(old, following)
            following.stop()
            agent.tell(opened["id"], LOST)
            await_all_of(old, ahead)
            place.kill_primary()

        following.start()
        assert ask(new, "SELECT pg_promote()")
        behind = ask(ahead.url(old), "SELECT pg_last_wal_replay_lsn()::text")
        assert ask(new, f"SELECT pg_current_wal_insert_lsn() < '{behind}'")

        with place.nebo(new, ahead) as after:
            agent = Agent(after["url"], agent.key)
            assert agent.shows("Lisbon")
            wait_until(lambda: agent.shows("Ines"), seconds=GOES_ON_S)
            for number in range(20):
                value = f"Owns boat {number}."
                agent.call("POST", "api/v1/users/maya/memories/", {"value": value})
                assert agent.shows(value)
            assert agent.count_reads("replica") == 0
            assert "is no longer the primary" in str(agent.call("GET", "readyz"))
            manage(after, "audit", "verify")
