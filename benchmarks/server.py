"""A Nebo of our own for the length of a run: a free port, data that is thrown away, settings that are stated."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from nebo import embedded
from nebo.embedded.postmaster import find_free_port

ROOT = Path(__file__).resolve().parent.parent
TENANT = "bench"
START_LIMIT_S = 300
STOP_LIMIT_S = 60
COMMAND_LIMIT_S = 120
MODULE_LIMIT_S = 900
POLL_S = 0.25


class ServerFailed(RuntimeError):
    """It ended or did not become ready; the message carries the end of what it said."""


@dataclass(frozen=True, slots=True)
class Server:
    """`environment` is what it was started with: other commands of the checkout find its database by it."""

    url: str
    key: str
    environment: Mapping[str, str]
    start_s: float
    pid: int = 0  # of `manage.py start`


@contextmanager
def throwaway_server() -> Iterator[Server]:
    """Start, hand over, stop and remove. Raises ServerFailed."""
    with throwaway_folder() as folder, running_server(folder, {}) as server:
        yield server


@contextmanager
def throwaway_folder() -> Iterator[Path]:
    """A place for the data of a server that is started more than once; its database is stopped at the end."""
    folder = Path(tempfile.mkdtemp(prefix="nebo-bench-"))
    folder.chmod(0o755)  # root hands PostgreSQL to another account, which must get in
    try:
        yield folder
    finally:
        embedded.stop(folder / "data")
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def running_server(folder: Path, settings: Mapping[str, str]) -> Iterator[Server]:
    """Start on the data in `folder` with these settings, hand over, stop. Raises ServerFailed."""
    port = find_free_port()
    environment = {**_environment(folder, port), **settings}
    began = time.monotonic()
    with (folder / "log").open("w+") as log:
        process = _start(environment, log.fileno())
        try:
            _wait_until_ready(process, port, folder / "log")
            start_s = time.monotonic() - began
            yield Server(
                f"http://127.0.0.1:{port}", issue_key(environment, TENANT), environment, start_s, process.pid
            )
        finally:
            _stop(process)


def _environment(folder: Path, port: int) -> dict[str, str]:
    """Ours, without what would lead to another database, and with no limit on calls."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("DATABASE_")}
    limits = {"NEBO_REQUESTS_PER_MINUTE": "1000000"}
    return kept | limits | {"NEBO_DATA_DIR": str(folder / "data"), "PORT": str(port), "HOST": "127.0.0.1"}


def find_admin_url(server: Server) -> str:
    """How to reach our own server's database past its walls. Raises ServerFailed when it does not run."""
    running = embedded.find_running(Path(server.environment["NEBO_DATA_DIR"]))
    if running is None:
        raise ServerFailed("The server's database does not run.")
    return running.admin_url


def manage(environment: Mapping[str, str], *command: str) -> str:
    """What a command of manage.py prints, run beside our own server. Raises ServerFailed."""
    done = subprocess.run(  # noqa: S603  our own words
        [sys.executable, "manage.py", *command],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=COMMAND_LIMIT_S,
        check=False,
    )
    if done.returncode:
        raise ServerFailed(f"manage.py {command[0]} failed.\n{done.stderr[-2000:]}")
    return done.stdout


def run_beside(server: Server, module: str, *arguments: str, given: str = "") -> Any:
    """What a module of ours prints as JSON, run beside our own server with its environment."""
    done = subprocess.run(  # noqa: S603  our own words
        [sys.executable, "-m", module, "--tenant", TENANT, *arguments],
        cwd=ROOT,
        env=server.environment,
        input=given,
        capture_output=True,
        text=True,
        timeout=MODULE_LIMIT_S,
        check=True,
    )
    return json.loads(done.stdout)


def _start(environment: Mapping[str, str], log: int) -> subprocess.Popen[bytes]:
    """In a process group of its own: Ctrl-C reaches us, and we stop it."""
    return subprocess.Popen(
        [sys.executable, "manage.py", "start", "--no-demo"],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=log,
        start_new_session=True,
    )


def _wait_until_ready(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    deadline = time.monotonic() + START_LIMIT_S
    while not _is_ready(port):
        if process.poll() is not None or time.monotonic() > deadline:
            raise ServerFailed(f"Nebo did not become ready.\n{log.read_text()[-2000:]}")
        time.sleep(POLL_S)


def _is_ready(port: int) -> bool:
    """Process, database and worker."""
    connection = HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


def issue_key(environment: Mapping[str, str], slug: str) -> str:
    """A key of a tenant, which is made if there is none. Raises ServerFailed."""
    told = manage(environment, "issue_key", "--tenant", slug, "--create", "--json")
    return str(json.loads(told)["key"])


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGINT)
    try:
        process.wait(STOP_LIMIT_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
