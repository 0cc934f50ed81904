"""One round of killing a worker process without warning, and what became of the work."""

from __future__ import annotations

import os
import signal
from collections import Counter
from dataclasses import dataclass, field

from nebo.jobs.models import Job
from tests.conftest import Team
from tests.jobs.facts import list_facts, load, state_fact
from tests.jobs.worker_process import WorkerProcess, is_running, wait_until

WORK_S = 1.5  # of a fact whose worker is killed in the middle
AUXILIARIES = 4  # guard, monitor, pusher, and the worker of the first lane
PROBE_S = 0.4  # of a fact that shows which process runs it


@dataclass(frozen=True, slots=True)
class Round:
    """Seconds until everything acknowledged was done, and until a new cluster stood in the old one's place."""

    killed: int
    done_s: float
    replaced_s: float


@dataclass
class Drill:
    """Kills and counts; every fact ever stated is remembered here, so that none can get lost unseen."""

    team: Team
    worker: WorkerProcess
    processes: int
    stated: list[Job] = field(default_factory=list)

    def kill_busy(self, turn: int) -> Round:
        """In the middle of a fact's work; another fact is stated right after the kill."""
        job = self.state(sleep_s=WORK_S)
        wait_until(lambda: self.is_in(job, Job.State.RUNNING))
        return self._kill(self.runner_of(job))

    def kill_idle(self, turn: int) -> Round:
        """While every process waits for work, each of them in turn."""
        pids = self.list_workers()
        return self._kill(pids[turn % len(pids)])

    def kill_any(self, turn: int) -> Round:
        """Every process below the supervisor in turn: the guard, the workers, the monitor, the pusher."""
        wait_until(lambda: len(self.worker.list_family()) == self.processes + AUXILIARIES)
        family = sorted(self.worker.list_family())
        return self._kill(family[turn % len(family)])

    def kill_frozen(self, turn: int) -> Round:
        """Nothing dies, nothing moves: only the missing beats can tell."""
        pids = self.list_workers()
        for pid in pids[1:]:
            os.kill(pid, signal.SIGSTOP)
        return self._kill(pids[0], signal.SIGSTOP)

    def list_workers(self) -> list[int]:
        """The processes that run jobs: as many facts at once as there are processes, and who ran them."""
        probes = [self.state(sleep_s=PROBE_S) for _ in range(self.processes)]
        wait_until(lambda: all(self.is_in(job, Job.State.SUCCEEDED) for job in probes))
        return sorted({self.runner_of(job) for job in probes})

    def state(self, *, sleep_s: float = 0.0) -> Job:
        """One more fact, acknowledged by its commit."""
        job = state_fact(self.team, len(self.stated) + 1, sleep_s=sleep_s)
        self.stated.append(job)
        return job

    def is_in(self, job: Job, state: Job.State) -> bool:
        return load(self.team.tenant, job.pk).state == state

    def runner_of(self, job: Job) -> int:
        return int(load(self.team.tenant, job.pk).worker.rpartition("/")[2])

    def is_done(self) -> bool:
        return all(self.is_in(job, Job.State.SUCCEEDED) for job in self.stated[-3:])

    def missing(self) -> int:
        """Facts acknowledged and not written."""
        return len({str(number + 1) for number in range(len(self.stated))} - set(self.facts()))

    def doubled(self) -> int:
        """Facts written more than once."""
        return sum(count > 1 for count in Counter(self.facts()).values())

    def facts(self) -> list[str]:
        return list_facts(self.team.tenant)

    def _kill(self, pid: int, how: signal.Signals = signal.SIGKILL) -> Round:
        family = self.worker.list_family()
        os.kill(pid, how)
        self.state()
        done = wait_until(self.is_done)
        replaced = done + wait_until(lambda: not any(is_running(one) for one in family))
        return Round(pid, done, replaced)
