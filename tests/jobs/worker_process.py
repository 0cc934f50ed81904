"""A real worker for tests: `manage.py worker` in its own process, on the test database, with the tests' handlers.

Run as a program it is that process; imported, it starts, watches and stops one.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from nebo.database import DatabaseUrls

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 120.0  # for a busy machine
POLL_S = 0.05


@dataclass
class WorkerProcess:
    """The supervisor's process, and what it says."""

    process: subprocess.Popen[bytes]
    log: Path

    def list_family(self) -> list[int]:
        """Process ids of everything that descends from the supervisor."""
        return list(descendants(self.process.pid))


def wait_until(condition: Callable[[], object], *, within_s: float = PATIENCE_S) -> float:
    """Seconds until the condition held; raises TimeoutError."""
    started = time.monotonic()
    while not condition():
        if time.monotonic() - started > within_s:
            raise TimeoutError(f"not within {within_s} s: {getattr(condition, '__name__', condition)}")
        time.sleep(POLL_S)
    return time.monotonic() - started


def environment(urls: DatabaseUrls, database: str) -> dict[str, str]:
    """The variables that point a process at `database` with this installation's roles."""
    names = {"DATABASE_URL": "admin"} | {
        f"DATABASE_{role.upper()}_URL": role for role in ("owner", "app", "operator")
    }
    placed = {name: _on(getattr(urls, purpose), database) for name, purpose in names.items()}
    return {**os.environ, **placed, "DJANGO_SETTINGS_MODULE": "nebo.settings", "NEBO_LOG_FORMAT": "json"}


def _on(url: str, database: str) -> str:
    return urlunsplit(urlsplit(url)._replace(path=f"/{database}"))


@contextmanager
def running_worker(
    env: dict[str, str], *, processes: int, log: Path, stop: bool = True
) -> Iterator[WorkerProcess]:
    """A worker with so many processes; at the end it is told to stop and must be gone in time."""
    command = [sys.executable, "-m", "tests.jobs.worker_process", str(processes)]
    with log.open("ab") as output:
        process = subprocess.Popen(command, cwd=ROOT, env=env, stdout=output, stderr=output)
    worker = WorkerProcess(process, log)
    try:
        yield worker
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE_S)


def descendants(pid: int) -> Iterator[int]:
    """Children, their children, and so on, as /proc has them."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and (parent := parent_of(int(entry.name))):
            children.setdefault(parent, []).append(int(entry.name))
    yield from _below(pid, children)


def _below(pid: int, children: dict[int, list[int]]) -> Iterator[int]:
    for child in children.get(pid, []):
        yield child
        yield from _below(child, children)


def parent_of(pid: int) -> int | None:
    """The parent of a process that runs; None for one that is gone or a zombie."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return None if fields[0] == "Z" else int(fields[1])


def is_running(pid: int) -> bool:
    """Whether a process lives."""
    return parent_of(pid) is not None


def main(processes: str) -> None:
    """`manage.py worker`, after the tests' own handlers have been registered."""
    import django

    django.setup()
    from django.core.management import call_command

    import tests.jobs.facts  # noqa: F401

    call_command("worker", processes=int(processes))


if __name__ == "__main__":
    main(sys.argv[1])
