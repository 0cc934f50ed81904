"""One start of the workers: a child process in its own session, with the workers below it."""

from __future__ import annotations

import gc
import multiprocessing
import os
import secrets
import signal
import time
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.process import BaseProcess
from pathlib import Path

from django.db import connections

from nebo.jobs.lanes import LAST_SHORT
from nebo.jobs.registry import load_handlers
from nebo.jobs.worker.heartbeat import BEAT, WORKER_PREFIX
from nebo.jobs.worker.parent_death import die_with
from nebo.jobs.worker.running import RUN_NEXT
from nebo.jobs.workers import host_name, join_cluster
from nebo.queue import run_cluster

NICENESS = 5  # where processors are short, a request gets three times what a job gets (sched(7))
LAST_WORDS_S = 2.0  # for the kernel to end a killed group


@dataclass
class Cluster:
    """A running cluster, seen from the supervisor."""

    name: str
    process: BaseProcess
    notices: int
    started: float = field(default_factory=time.monotonic)

    @property
    def workers(self) -> str:
        """What the names of its workers begin with."""
        return f"{host_name()}/{self.name}/"

    @property
    def beat_name(self) -> str:
        """Its row among the signs of life."""
        return f"{WORKER_PREFIX}{host_name()}/{self.name}"

    @property
    def age_s(self) -> float:
        return time.monotonic() - self.started

    def worker_of(self, pid: int) -> str:
        """The name of one worker of it."""
        return f"{self.workers}{pid}"

    def list_lost(self) -> list[int]:
        """Process ids that a signal has killed since the last call."""
        try:
            text = os.read(self.notices, 4096).decode()
        except BlockingIOError:
            return []
        return [int(line) for line in text.split()]

    def stop(self) -> None:
        """Ask it to finish what runs and end."""
        self.process.terminate()

    def wait(self, seconds: float) -> bool:
        """Whether it has ended, after at most so long."""
        self.process.join(seconds)
        return not self.process.is_alive()

    def kill(self) -> None:
        """End the whole group at once, and be sure that it is gone."""
        try:
            os.killpg(self.process.pid or 0, signal.SIGKILL)
        except ProcessLookupError:
            self.process.kill()  # not yet, or no longer, a group of its own
        self.process.join(LAST_WORDS_S)
        os.close(self.notices)


def start_cluster(*, workers: int) -> Cluster:
    """Fork a cluster off this process, which must have no threads; its connections are closed first."""
    load_handlers()
    connections.close_all()
    gc.freeze()  # what is loaded now stays shared with the children
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    name = secrets.token_hex(3)
    context = multiprocessing.get_context("fork")
    process = context.Process(target=_run, args=(name, workers, os.getpid(), writer), name=f"cluster-{name}")
    process.start()
    os.close(writer)
    return Cluster(name, process, reader)


def _run(name: str, workers: int, supervisor_pid: int, notices: int) -> None:
    """The child: its own session, so that a Ctrl-C reaches the supervisor alone and a kill reaches all of it."""
    signal.set_wakeup_fd(-1)
    os.setsid()
    _make_way()
    die_with(supervisor_pid)
    join_cluster(name)

    def report(pid: int, signal_number: int) -> None:
        os.write(notices, f"{pid}\n".encode())

    run_cluster(workers=workers, short=LAST_SHORT, task=RUN_NEXT, beat=BEAT, on_loss=report)


def _make_way() -> None:
    """Requests go before jobs, also where the kernel shares out time among sessions first (autogroups)."""
    os.nice(NICENESS)
    with suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(NICENESS), encoding="ascii")
