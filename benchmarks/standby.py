"""A standby of an embedded server: copied by pg_basebackup, following by streaming replication, thrown away."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from benchmarks.chaos.faults import list_descendants
from nebo.embedded.postmaster import HOST, SETTINGS, find_free_port
from nebo.embedded.programs import Programs, get_programs
from nebo.embedded.server import Server
from nebo.embedded.state import find_state

START_S = 60.0


@dataclass(frozen=True, slots=True)
class Standby:
    """A second server that follows the first; `folder` is its cluster."""

    folder: Path
    port: int
    programs: Programs
    settings: Mapping[str, str]

    def start(self) -> None:
        """Again and again, since the memory of one that was killed may still be held. Raises RuntimeError."""
        options = shlex.join(f"--{name}={value}" for name, value in self.settings.items())
        log = self.folder / "start.log"
        command = ("pg_ctl", "start", "-w", "-D", str(self.folder), "-o", options, "-l", str(log))
        until = time.monotonic() + START_S
        while (done := self.programs.run(*command)).returncode:
            if time.monotonic() > until:
                raise RuntimeError(f"{done.stdout}\n{log.read_text()[-2000:]}")
            time.sleep(0.5)

    def stop(self) -> None:
        """At once, as far as it runs."""
        self.programs.run("pg_ctl", "stop", "-m", "immediate", "-D", str(self.folder))

    def kill(self) -> None:
        """kill -9 to its first process and all below it."""
        self.send(signal.SIGKILL)

    def send(self, number: signal.Signals) -> None:
        """A signal to all its processes: SIGSTOP freezes it, SIGCONT lets it go on."""
        first = self.pid
        for pid in [first, *list_descendants(first)]:
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    @property
    def pid(self) -> int:
        """Of its first process."""
        return int((self.folder / "postmaster.pid").read_text().splitlines()[0])

    def url(self, like: str) -> str:
        """`like` is a URL of the first server; the same database and role here."""
        parts = urlsplit(like)
        who = parts.netloc.rpartition("@")[0]
        return urlunsplit(parts._replace(netloc=f"{who}@{HOST}:{self.port}"))


def standby_of(data_dir: Path, folder: Path, port: int, settings: Mapping[str, str]) -> Standby:
    """The one in that folder, running or not, of the server of a data directory."""
    state = find_state(data_dir)
    if state is None:
        raise RuntimeError("There is no server to follow.")
    return Standby(folder, port, get_programs(state), {**SETTINGS, **settings, "port": str(port)})


@contextmanager
def running_standby(server: Server, folder: Path, settings: Mapping[str, str]) -> Iterator[Standby]:
    """Copy the server and follow it. `folder` must not be there yet."""
    standby = standby_of(server.data_dir, folder, find_free_port(), settings)
    folder.mkdir(mode=0o700)
    standby.programs.give(folder)
    copied = standby.programs.run(
        *("pg_basebackup", "-d", server.admin_url, "-D", str(folder), "-R", "-X", "stream", "-c", "fast"),
        "--no-sync",
    )
    if copied.returncode:
        raise RuntimeError(copied.stdout)
    try:
        standby.start()
        yield standby
    finally:
        standby.stop()
        shutil.rmtree(folder, ignore_errors=True)
