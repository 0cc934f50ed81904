"""Keeps a cluster of workers at work, whatever is killed, and sweeps up what a kill leaves behind.

One loop, one thread, one connection (the operator's). A cluster is replaced when it ends, when a signal has killed
one of its processes, and when no beat has come through its queue for 45 s.
"""

from __future__ import annotations

import os
import select
import signal
import time
from dataclasses import dataclass, field
from datetime import timedelta

import structlog
from django.db import Error as DatabaseError
from django.db import connections

from nebo.jobs.periodic import run_due
from nebo.jobs.worker.blame import Losses
from nebo.jobs.worker.cluster import Cluster, start_cluster
from nebo.jobs.worker.logged_errors import LoggedErrors
from nebo.jobs.worker.set_back import DatabaseClock, hasten
from nebo.jobs.worker.sweeper import (
    OVERDUE,
    count_crashes,
    find_silence_s,
    forget_beats,
    give_back_jobs,
    holds_jobs,
    interrupt_orphans,
    list_jobs_of,
    sweep,
)
from nebo.tenants.scoping import OPERATOR_ALIAS

log = structlog.get_logger(__name__)

SILENCE_S = 45.0  # without a beat, then a cluster counts as stuck: nine beats (docs/design.md#job-numbers)
SWEEP_S = 5.0
TICK_S = 1.0
DRAIN_S = 10.0  # for the healthy workers of a damaged cluster to finish what they run
STOP_S = 5.0  # for everything to finish after Ctrl-C
LONG_LIFE_S = 20.0  # after it a cluster is started again without a pause
PAUSES_S = (0.0, 1.0, 2.0, 5.0)  # before the next start, by the number of short lives in a row
STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


@dataclass
class Supervisor:
    """`run()` returns after SIGTERM, SIGINT or SIGHUP, when nothing of it is left."""

    processes: int
    cluster: Cluster | None = None
    stopping: bool = False
    draining_since: float | None = None  # all times are time.monotonic()
    deaf_until: float = 0.0
    next_start: float = 0.0
    next_sweep: float = 0.0
    short_lives: int = 0
    losses: Losses = field(default_factory=Losses)
    clock: DatabaseClock = field(default_factory=DatabaseClock)
    wakeups: tuple[int, int] = field(default_factory=os.pipe)

    def run(self) -> None:
        self._catch_signals()
        log.info("worker_started", pid=os.getpid(), processes=self.processes)
        while not self.stopping:
            self._tick()
            self._pause()
        self._shut_down()
        log.info("worker_stopped", pid=os.getpid())

    def _catch_signals(self) -> None:
        """The flag ends the loop; the byte that Python writes for each signal ends its pause."""
        os.set_blocking(self.wakeups[1], False)
        signal.set_wakeup_fd(self.wakeups[1])
        for number in STOP_SIGNALS:
            signal.signal(number, lambda *_: setattr(self, "stopping", True))

    def _pause(self) -> None:
        """Until the next tick, or until a signal came or the cluster has news (its end is news too)."""
        news = [self.wakeups[0]] + ([self.cluster.notices] if self.cluster else [])
        select.select(news, [], [], TICK_S)

    def _tick(self) -> None:
        try:
            self._mind_cluster()
            if time.monotonic() >= self.next_sweep:
                self._sweep(OVERDUE)
        except DatabaseError as error:
            log.warning("worker_database_unreachable", error=type(error).__name__)
            connections[OPERATOR_ALIAS].close()
            self.deaf_until = time.monotonic()
            self.losses.note_outage()

    def _sweep(self, overdue: timedelta) -> None:
        self.next_sweep = time.monotonic() + SWEEP_S
        if step := self.clock.find_step_back():
            log.warning("clock_set_back", seconds=round(step.total_seconds()), hastened=hasten(by=step))
        if swept := sweep(overdue=overdue, from_outside=self.losses.come_from_outside()):
            tell = log.warning if swept.crashed else log.info  # jobs that are merely late are nobody's fault
            tell("jobs_swept", crashed=swept.crashed, woken=swept.woken, interrupted=swept.interrupted)
        with LoggedErrors("rounds_not_run", passing=(DatabaseError,)):
            if found := run_due():
                log.info("rounds_run", **found)

    # --- The cluster -----------------------------------------------------------------------------------

    def _mind_cluster(self) -> None:
        if self.cluster is None:
            if time.monotonic() >= self.next_start:
                self._start()
            return
        self._note_losses(self.cluster)
        if not self.cluster.process.is_alive():
            self._replace(self.cluster, "ended")
        elif self.draining_since is not None:
            self._drain(self.cluster, self.draining_since)
        elif self._is_silent(self.cluster):
            self._replace(self.cluster, "silent")

    def _start(self) -> None:
        self.cluster = start_cluster(workers=self.processes)
        log.info("cluster_started", cluster=self.cluster.name, pid=self.cluster.process.pid)
        if orphans := interrupt_orphans():
            log.info("orphans_given_back", interrupted=orphans)
        self._sweep(timedelta(0))  # what the one before had pulled and not begun

    def _note_losses(self, cluster: Cluster) -> None:
        """A killed process may have held a lock for ever, so its cluster takes nothing new from now on."""
        lost = cluster.list_lost()
        if lost and self.draining_since is None:
            self.draining_since = time.monotonic()
            cluster.stop()
        for pid in lost:
            self.losses.note_process(list_jobs_of(workers=cluster.worker_of(pid)))
        outside = self.losses.come_from_outside()
        for pid in lost:
            gone = count_crashes(workers=cluster.worker_of(pid), from_outside=outside)
            log.warning("process_lost", cluster=cluster.name, pid=pid, crashed=gone, from_outside=outside)

    def _drain(self, cluster: Cluster, since: float) -> None:
        if time.monotonic() - since > DRAIN_S or not holds_jobs(workers=cluster.workers):
            self._replace(cluster, "damaged")

    def _is_silent(self, cluster: Cluster) -> bool:
        """Time before its start, or when the database could not be asked, doesn't count."""
        if time.monotonic() - max(cluster.started, self.deaf_until) < SILENCE_S:
            return False
        silence = find_silence_s(beat=cluster.beat_name)
        return silence is None or silence > SILENCE_S

    def _replace(self, cluster: Cluster, reason: str) -> None:
        """Kill what is left of it. Jobs of a damaged cluster's healthy workers don't count as crashed."""
        cluster.kill()
        log.warning("cluster_replaced", cluster=cluster.name, reason=reason, age_s=round(cluster.age_s, 1))
        self.short_lives = 0 if cluster.age_s > LONG_LIFE_S else self.short_lives + 1
        self.next_start = time.monotonic() + PAUSES_S[min(self.short_lives, len(PAUSES_S) - 1)]
        drained = self.draining_since is not None
        self.cluster = self.draining_since = None
        if drained:
            give_back_jobs(workers=cluster.workers)
        else:
            count_crashes(workers=cluster.workers, from_outside=self.losses.come_from_outside())
        forget_beats(beat=cluster.beat_name)

    def _shut_down(self) -> None:
        """Everything is given a few seconds to finish; what does not is killed and its job given back."""
        if self.cluster is None:
            return
        self.cluster.stop()
        in_time = self.cluster.wait(STOP_S)
        self.cluster.kill()
        try:
            given_back = give_back_jobs(workers=self.cluster.workers)
            forget_beats(beat=self.cluster.beat_name)
            log.info("cluster_stopped", cluster=self.cluster.name, in_time=in_time, given_back=given_back)
        except DatabaseError as error:
            log.warning("worker_database_unreachable", error=type(error).__name__)
