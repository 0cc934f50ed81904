"""The only module that knows django-q2: rows that wake a worker at their time, and the cluster of workers.

A wake is a hint, never the truth about work: it leaves the table the moment a cluster pulls it, may be lost with
the process that held it, and may come twice. Our own job rows and the sweeper make up for all of that, so
django-q2's retry clock, acknowledgements and attempt counts, which go wrong after a kill, play no part.
"""

from __future__ import annotations

import importlib
import os
import select
import signal
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from multiprocessing.process import BaseProcess
from typing import Any
from uuid import uuid4

import structlog
from django.contrib import admin
from django.db import Error as DatabaseError
from django.db import connections
from django.db.models import Exists, OuterRef
from django.db.models.expressions import Combinable
from django.utils import timezone
from django_q.brokers.orm import ORM
from django_q.cluster import Sentinel
from django_q.conf import Conf
from django_q.exceptions import TimeoutException
from django_q.models import Failure, OrmQ, Schedule, Success
from django_q.signing import SignedPackage

log = structlog.get_logger(__name__)

TimeLimitReached = TimeoutException  # raised in the middle of work after TIME_LIMIT_S; a SystemExit
TIME_LIMIT_S: int = Conf.TIMEOUT
BEAT_S = 5.0  # seconds between two beats through the queue
RECONNECT_S = 1.0  # seconds until a database that can't be reached is asked again

# `now()` and not `clock_timestamp()`: only a stable function can be looked up in the index on (key, lock, id).
TAKE_ONE_WAKE = """
    DELETE FROM django_q_ormq WHERE id = (
        SELECT id FROM django_q_ormq WHERE key = %s AND lock <= now()
        ORDER BY lock, id LIMIT 1 FOR UPDATE SKIP LOCKED
    ) RETURNING payload
"""

OnLoss = Callable[[int, int], None]


def wake(task: str, arguments: Sequence[str], *, at: datetime) -> int:
    """Have a worker call `task` (a dotted path) with `arguments` (ids only) at `at`; the broker row's id.

    Part of the caller's transaction: without its commit nobody is woken.
    """
    row = OrmQ.objects.create(key=Conf.CLUSTER_NAME, payload=_package(task, arguments), lock=at)
    wake_id: int = row.pk
    return wake_id


def move_wake(wake_id: int, *, at: datetime) -> bool:
    """Let a wake come at another time; False when a cluster has already taken it."""
    return bool(OrmQ.objects.filter(pk=wake_id).update(lock=at))


def without_wake(column: str) -> Combinable:
    """A filter for rows whose wake, named by `column`, is in the table no longer."""
    return ~Exists(OrmQ.objects.filter(pk=OuterRef(column)))


def _package(task: str, arguments: Sequence[str]) -> str:
    """The signed payload as a django-q2 worker wants it."""
    package: dict[str, Any] = {
        "id": uuid4().hex,
        "name": task.rpartition(".")[2],
        "func": task,
        "args": tuple(arguments),
        "kwargs": {},
        "started": timezone.now(),
    }
    signed: str = SignedPackage.dumps(package)
    return signed


def hide_admin_pages() -> None:
    """Take django-q2's own pages out of the admin: a schedule names any function, and payloads are pickles."""
    importlib.import_module("django_q.admin")  # registers them, if autodiscovery has not been there yet
    for model in (Schedule, Success, Failure, OrmQ):
        if admin.site.is_registered(model):
            admin.site.unregister(model)


# --- The cluster -------------------------------------------------------------------------------------


def run_cluster(*, workers: int, beat: str, on_loss: OnLoss) -> None:
    """Run `workers` worker processes as children of this one until SIGTERM, then let them finish.

    Every five seconds a worker calls `beat` (a dotted path), as a sign that the whole way through the queue is
    open. `on_loss(pid, signal)` is called when a signal killed a child: a lock it held may be held for ever, so
    the cluster can't be trusted from then on (with one idle worker it never works again).
    """
    Conf.WORKERS = Conf.QUEUE_LIMIT = workers
    _Cluster(WakeBroker(beat=beat), on_loss)


class WakeBroker(ORM):  # type: ignore[misc]  # django-q2 has no types
    """Takes wakes out of the table, one by one and the earliest first, by the database's clock."""

    def __init__(self, list_key: str | None = None, *, beat: str = "") -> None:
        super().__init__(list_key or Conf.CLUSTER_NAME)
        self.beat = beat
        self.next_beat = 0.0

    def dequeue(self) -> list[tuple[int, str]] | None:
        """`[(0, payload)]`, or None after a pause; 0 because nothing is left to acknowledge."""
        if self.beat and time.monotonic() >= self.next_beat:
            self.next_beat = time.monotonic() + BEAT_S
            return [(0, _package(self.beat, ()))]
        try:
            payload = self.take()
        except DatabaseError as error:
            log.warning("queue_unreachable", error=type(error).__name__)
            connections[Conf.ORM].close()
            time.sleep(RECONNECT_S)
            return None
        if payload is None:
            time.sleep(Conf.POLL)
            return None
        return [(0, payload)]

    def take(self) -> str | None:
        """The payload of the wake that is due first. SQL: the ORM can't delete and return in one statement."""
        with connections[Conf.ORM].cursor() as cursor:
            cursor.execute(TAKE_ONE_WAKE, [self.list_key])
            row = cursor.fetchone()
        return row[0] if row else None

    def set_stat(self, key: str, value: str, timeout: int) -> None:
        """Nobody reads django-q2's statistics: the cache is a process's own."""


class _Cluster(Sentinel):  # type: ignore[misc]  # django-q2 has no types
    """django-q2's guard of the workers, in the process that calls it; tells when one of them was killed."""

    def __init__(self, broker: WakeBroker, on_loss: OnLoss) -> None:
        self.on_loss = on_loss
        super().__init__(StopFlag(), StopFlag(), uuid4(), broker, TIME_LIMIT_S)

    def start(self) -> None:
        signal.signal(signal.SIGTERM, lambda *_: self.stop_event.set())
        super().start()

    def reincarnate(self, process: BaseProcess) -> None:
        if process.exitcode is not None and process.exitcode < 0:
            self.on_loss(process.pid or 0, -process.exitcode)
        super().reincarnate(process)


class StopFlag:
    """An event that a signal handler may set while the same thread waits for it (multiprocessing's would hang)."""

    def __init__(self) -> None:
        self.reader, self.writer = os.pipe()
        self.raised = False

    def is_set(self) -> bool:
        return self.raised

    def set(self) -> None:
        self.raised = True
        os.write(self.writer, b"!")

    def wait(self, timeout: float | None = None) -> bool:
        select.select([self.reader], [], [], timeout)
        return self.raised
