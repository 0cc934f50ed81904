"""The only module that knows django-q2: rows that wake a worker at their time, and the cluster of workers.

A wake is a hint, never the truth about work: it leaves the table the moment a worker takes it, may be lost with
the process that held it, and may come twice. Our own job rows and the sweeper make up for all of that, so
django-q2's retry clock, acknowledgements and attempt counts, which go wrong after a kill, play no part.

Wakes stand in lines: one for each lane and owner. What django-q2 hands to a worker says only that something is due;
the worker takes the wake whose turn it is when it is free, so nothing waits in memory behind somebody else's work.
"""

from __future__ import annotations

import importlib
import os
import select
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from multiprocessing.sharedctypes import SynchronizedArray
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

ALL_LANES = 9
HANDOVER_S = 0.02  # for a worker to take what it was told of, before another is told

# Every name of a line is found with one step of the index, whatever stands in it: what this costs grows with the
# owners that wait, not with their wakes. `now()` and not `clock_timestamp()`: only a stable function can be looked up.
#
# A lane's turn comes when its patience is over: so long after its last one, or after its oldest wake was due. In the
# lane it is the owner's turn who has waited longest since a wake of theirs was due or taken.
TAKE_ONE_WAKE = """
WITH RECURSIVE line(key) AS (
    (SELECT key FROM django_q_ormq ORDER BY key LIMIT 1)
    UNION ALL
    SELECT (SELECT later.key FROM django_q_ormq later WHERE later.key > line.key ORDER BY later.key LIMIT 1)
    FROM line WHERE line.key IS NOT NULL
), due AS MATERIALIZED (
    SELECT line.key, split_part(line.key, ':', 1)::smallint AS lane, greatest(head.lock, turn.taken_at) AS since
    FROM line
    CROSS JOIN LATERAL (
        SELECT lock FROM django_q_ormq one WHERE one.key = line.key AND one.lock <= now() ORDER BY lock LIMIT 1
    ) head
    LEFT JOIN jobs_turn turn ON turn.line = line.key
    WHERE split_part(line.key, ':', 1)::smallint <= %(last)s
), lane AS MATERIALIZED (
    SELECT lane, greatest(min(since), (SELECT max(taken_at) FROM jobs_turn WHERE jobs_turn.lane = due.lane))
           + make_interval(secs => (%(patience)s::float8[])[lane + 1]) AS turn_at
    FROM due GROUP BY lane
), taken AS (
    DELETE FROM django_q_ormq WHERE id = (
        SELECT head.id
        FROM (SELECT due.key FROM due JOIN lane USING (lane) ORDER BY lane.turn_at, due.since, due.key) AS next
        CROSS JOIN LATERAL (
            SELECT id FROM django_q_ormq one WHERE one.key = next.key AND one.lock <= now()
            ORDER BY lock, id LIMIT 1 FOR UPDATE SKIP LOCKED
        ) head LIMIT 1
    ) RETURNING key, payload
), noted AS (
    INSERT INTO jobs_turn (line, lane, taken_at)
    SELECT key, split_part(key, ':', 1)::smallint, clock_timestamp() FROM taken
    ON CONFLICT (line) DO UPDATE SET taken_at = excluded.taken_at
)
SELECT key, payload FROM taken
"""
IS_ANY_DUE = "SELECT EXISTS (SELECT FROM django_q_ormq WHERE lock <= now())"
IS_ANY_DUE_UP_TO = "SELECT EXISTS (SELECT FROM django_q_ormq WHERE key < %s AND lock <= now())"

OnLoss = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Wake:
    """What was taken: whose it is, and what is to be done (an id)."""

    lane: int
    owner: str
    content: str


def wake(content: str, *, lane: int, owner: object, at: datetime) -> int:
    """Have a worker take `content` (an id) at `at`, in a lane (0 to 9) and in turn with other owners; the row's id.

    Part of the caller's transaction: without its commit nobody is woken.
    """
    row = OrmQ.objects.create(key=_line(lane, owner), payload=content, lock=at)
    wake_id: int = row.pk
    return wake_id


def move_wake(wake_id: int, *, lane: int, owner: object, at: datetime) -> bool:
    """Let a wake come at another time or in another lane; False when a worker has already taken it."""
    return bool(OrmQ.objects.filter(pk=wake_id).update(key=_line(lane, owner), lock=at))


def _line(lane: int, owner: object) -> str:
    return f"{lane}:{owner}"


def take_wake(*, patience: Sequence[float], last: int | None = None) -> Wake | None:
    """The wake whose turn it is, out of the table; None when none is due up to the lane `last`. `patience` is seconds,
    a lane each.

    SQL: the ORM can't delete and return in one statement.
    """
    up_to = ALL_LANES if last is None else last
    with connections[Conf.ORM].cursor() as cursor:
        cursor.execute(TAKE_ONE_WAKE, {"last": up_to, "patience": list(patience)})
        row = cursor.fetchone()
    if row is None:
        return None
    lane, _, owner = row[0].partition(":")
    return Wake(int(lane), owner, row[1])


def without_wake(column: str) -> Combinable:
    """A filter for rows whose wake, named by `column`, is in the table no longer."""
    return ~Exists(OrmQ.objects.filter(pk=OuterRef(column)))


def find_wakes(wake_ids: Sequence[int]) -> set[int]:
    """Those of them that are in the table still."""
    return set(OrmQ.objects.filter(pk__in=wake_ids).values_list("pk", flat=True))


def _package(task: str) -> str:
    """A call without arguments, signed as a django-q2 worker wants it."""
    package: dict[str, Any] = {
        "id": uuid4().hex,
        "name": task.rpartition(".")[2],
        "func": task,
        "args": (),
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


class Slots:
    """Room for so many processes of a cluster; each slot holds a process id, or 0."""

    def __init__(self, count: int) -> None:
        self._holders: SynchronizedArray[int] = get_context("fork").Array("i", count)

    def take(self) -> bool:
        """Whether there was one for this process."""
        with self._holders.get_lock():
            free = [number for number, pid in enumerate(self._holders[:]) if pid == 0]
            if free:
                self._holders[free[0]] = os.getpid()
            return bool(free)

    def free(self, pid: int) -> None:
        """Give back what a process holds; also for one that can't do so any more."""
        with self._holders.get_lock():
            for number, holder in enumerate(self._holders[:]):
                if holder == pid:
                    self._holders[number] = 0


@dataclass(frozen=True, slots=True)
class Room:
    """How far down the lanes a cluster's processes may take work at a moment: `short` is the last lane whose work is
    short enough for anybody to wait for it.
    """

    all_but_first: Slots
    beyond_short: Slots
    short: int

    def take(self) -> int | None:
        """The last lane that this process may take from; None for any. Holds room until it is freed."""
        if not self.all_but_first.take():
            return 0
        return None if self.beyond_short.take() else self.short

    def keep_for(self, lane: int) -> None:
        """Free what work of that lane doesn't need."""
        if lane <= self.short:
            self.beyond_short.free(os.getpid())
        if lane == 0:
            self.all_but_first.free(os.getpid())

    def free(self, pid: int) -> None:
        """Give back what a process holds."""
        self.beyond_short.free(pid)
        self.all_but_first.free(pid)


_room: Room | None = None


def run_cluster(*, workers: int, short: int, task: str, beat: str, on_loss: OnLoss) -> None:
    """Run worker processes as children of this one until SIGTERM, then let them finish.

    Of `workers`, one never takes what is beyond the lane `short` (if there are several), and one more takes only what
    is in the first lane: so neither waits for work that lasts. When something is due, one of them calls `task` (a
    dotted path). Every five seconds one calls `beat`, as a sign that the whole way through the queue is open.
    `on_loss(pid, signal)` is called when a signal killed a child: a lock it held may be held for ever, so the cluster
    can't be trusted from then on (with one idle worker it never works again).
    """
    global _room
    _room = Room(Slots(workers), Slots(max(workers - 1, 1)), short)
    Conf.WORKERS = workers + 1
    Conf.QUEUE_LIMIT = workers
    _Cluster(WakeBroker(task=task, beat=beat), on_loss)


@contextmanager
def next_wake(*, patience: Sequence[float]) -> Iterator[Wake | None]:
    """Take a wake that there is room for in this cluster; the room is held until the end."""
    try:
        wake = take_wake(patience=patience, last=_room.take() if _room else None)
        if wake and _room:
            _room.keep_for(wake.lane)
        yield wake
    finally:
        if _room:
            _room.free(os.getpid())


class WakeBroker(ORM):  # type: ignore[misc]  # django-q2 has no types
    """Tells workers when a wake is due, by the database's clock. They take it themselves."""

    def __init__(self, list_key: str | None = None, *, task: str = "", beat: str = "") -> None:
        super().__init__(list_key or Conf.CLUSTER_NAME)
        self.task = task
        self.beat = beat
        self.next_beat = 0.0
        self.next_call = 0.0

    def dequeue(self) -> list[tuple[int, str]] | None:
        """`[(0, package)]`, or None after a pause; 0 because nothing is left to acknowledge."""
        if self.beat and time.monotonic() >= self.next_beat:
            self.next_beat = time.monotonic() + BEAT_S
            return [(0, _package(self.beat))]
        time.sleep(max(self.next_call - time.monotonic(), 0.0))
        try:
            due = self.is_due()
        except DatabaseError as error:
            log.warning("queue_unreachable", error=type(error).__name__)
            connections[Conf.ORM].close()
            time.sleep(RECONNECT_S)
            return None
        if not due:
            time.sleep(Conf.POLL)
            return None
        self.next_call = time.monotonic() + HANDOVER_S
        return [(0, _package(self.task))]

    def is_due(self) -> bool:
        """Whether there is a wake that a worker would take now."""
        last = _room.take() if _room else None
        if _room:
            _room.free(os.getpid())
        with connections[Conf.ORM].cursor() as cursor:
            if last is None:
                cursor.execute(IS_ANY_DUE)
            else:
                cursor.execute(IS_ANY_DUE_UP_TO, [_line(last + 1, "")])
            (due,) = cursor.fetchone()
        return bool(due)

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
        if _room:
            _room.free(process.pid or 0)
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
