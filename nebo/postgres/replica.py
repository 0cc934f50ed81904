"""A replica that follows the database (streaming replication): whether it is there, and how far it has come.

Positions are bytes of the write-ahead log since its beginning. They alone say whether something stands on the replica
already: no clocks are compared. They count within one history. When another server becomes the primary, its log goes on
from where it stood, under a new timeline's number; a replica of the old one may be past that place, without what was
written since. A replica that fails is left alone at once, and tried again by a thread of its own, so no request waits
for one that is gone.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, repeat
from select import POLLIN, poll
from typing import Any
from weakref import WeakSet

import psycopg
import structlog
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, DatabaseError, InterfaceError, connections
from psycopg.pq import ExecStatus

from nebo.metrics import REPLICA_BEHIND, REPLICA_LEFT_ALONE

REPLICA_ALIAS = "replica"
HOW_FAR = b"SELECT (pg_last_wal_replay_lsn() - '0/0')::bigint WHERE pg_is_in_recovery()"
# Another server, or a role that sees past the walls, must not answer in this one's place.
WHAT_IS_IT = """
SELECT pg_is_in_recovery(), (SELECT system_identifier FROM pg_control_system()),
       greatest((SELECT timeline_id FROM pg_control_checkpoint()),
                (SELECT min_recovery_end_timeline FROM pg_control_recovery())),
       EXISTS (SELECT FROM pg_roles WHERE (rolsuper OR rolbypassrls) AND pg_has_role(session_user, oid, 'MEMBER'))
"""
ANSWER_S = 1.0  # the longest that a replica may take to say how far it is
TRIED_AGAIN_S = (0.5, 1.0, 2.0)  # seconds, the last of them for as long as it is away
ASKED_AGAIN_S = 0.002  # while a reading may wait for it
SAMPLES = 32  # of the primary's positions, over the time that a reading may lie behind

log = structlog.get_logger(__name__)


class ReplicaGone(Exception):
    """It doesn't answer, or is none of this database; the message says which."""


def has_replica() -> bool:
    """Whether the settings name one."""
    return REPLICA_ALIAS in settings.DATABASES


@dataclass(slots=True)
class Recent:
    """Where the primary's log was over the last seconds, as this process saw it: `(when, position)`, oldest first."""

    samples: deque[tuple[float, int]] = field(default_factory=deque)
    clock: Callable[[], float] = time.monotonic
    lock: threading.Lock = field(default_factory=threading.Lock)

    def least(self, reached: int, *, within_s: float) -> int:
        """What must have been replayed to lie behind by `within_s` seconds at the most, given where the log is now."""
        now = self.clock()
        with self.lock:
            while self.samples and self.samples[0][0] < now - within_s:
                self.samples.popleft()
            if not self.samples or now - self.samples[-1][0] > within_s / SAMPLES:
                self.samples.append((now, reached))
            return min(self.samples[0][1], reached)


@dataclass(slots=True)
class Breaker:
    """Why the replica is left alone, empty while it isn't; and the thread that tries it again meanwhile."""

    reason: str = ""
    opened: WeakSet[psycopg.Connection[Any]] = field(default_factory=WeakSet)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def note_opened(self, connection: psycopg.Connection[Any]) -> None:
        """Who waits at it is let go when the replica fails."""
        with self.lock:
            self.opened.add(connection)

    def leave_alone(self, reason: str) -> None:
        """From now on nobody asks it, and who waits for it is let go: to each, its connection seems broken."""
        with self.lock:
            if self.reason:
                return
            self.reason = reason
            for connection in list(self.opened):
                _cut(connection)
            self.opened.clear()
        log.warning("replica.left_alone", reason=reason)
        REPLICA_LEFT_ALONE.set(1)
        threading.Thread(target=self._try_again, name="replica", daemon=True).start()

    def _try_again(self) -> None:
        """Until it is there and well."""
        pauses = chain(TRIED_AGAIN_S, repeat(TRIED_AGAIN_S[-1]))
        time.sleep(next(pauses))
        while not _is_well():
            time.sleep(next(pauses))
        self.reason = ""
        REPLICA_LEFT_ALONE.set(0)
        log.info("replica.back")


def _is_well() -> bool:
    try:
        with closing(connections[REPLICA_ALIAS].copy()) as own:
            open_connection(own)
    except (DatabaseError, InterfaceError, ReplicaGone):
        return False
    return True


@dataclass(slots=True)
class Primary:
    """The timeline of its log, as it was last heard; 0 before."""

    timeline: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, timeline: int) -> None:
        """Where it is another than before, every connection to the replica is looked at anew."""
        if timeline == self.timeline:
            return
        with self.lock:
            before, self.timeline = self.timeline, timeline
        if before not in (0, timeline):
            BREAKER.leave_alone("the primary is another one now")


RECENT = Recent()
BREAKER = Breaker()
PRIMARY = Primary()


def open_connection(wrapper: Any) -> int:
    """Connect where need be, and look at what is there; how far it has come. Raises ReplicaGone and DatabaseError."""
    if wrapper.connection not in BREAKER.opened:
        wrapper.close()  # it may have been cut
        wrapper.ensure_connection()
        _check(wrapper)
        BREAKER.note_opened(wrapper.connection)
    return find_replayed(wrapper.connection)


def _check(wrapper: Any) -> None:
    with wrapper.cursor() as cursor:
        cursor.execute(WHAT_IS_IT)
        follows, identifier, timeline, is_privileged = cursor.fetchone()
    fault = ""
    if not follows:
        fault = "it follows no other server"
    elif identifier != _own_identifier():
        fault = "it follows another database"
    elif PRIMARY.timeline not in (0, timeline):
        fault = "it follows a server that is no longer the primary"
    elif is_privileged:
        fault = "its role would see past row-level security"
    if fault:
        wrapper.close()
        raise ReplicaGone(fault)


@cache
def _own_identifier() -> int:
    with closing(connections[DEFAULT_DB_ALIAS].copy()) as own, own.cursor() as cursor:
        cursor.execute("SELECT system_identifier FROM pg_control_system()")
        return int(cursor.fetchone()[0])


def find_replayed(connection: psycopg.Connection[Any]) -> int:
    """How far it has come; raises ReplicaGone where no answer comes in time, or it follows nobody any more."""
    asked, until = connection.pgconn, time.monotonic() + ANSWER_S
    try:
        asked.send_query(HOW_FAR)
        while asked.is_busy() or asked.flush():
            _await(asked.socket, until)
            asked.consume_input()
        found = asked.get_result()
        while asked.get_result() is not None:
            pass
    except psycopg.OperationalError as error:
        raise ReplicaGone("the connection broke") from error
    if found is None or found.status != ExecStatus.TUPLES_OK:
        raise ReplicaGone("it refuses to answer")
    value = found.get_value(0, 0) if found.ntuples else None
    if value is None:
        raise ReplicaGone("it follows no other server")
    return int(value)


def _await(number: int, until: float) -> None:
    waiting = poll()
    waiting.register(number, POLLIN)
    if not waiting.poll(max(0.0, until - time.monotonic()) * 1000):
        raise ReplicaGone("it doesn't answer")


def _cut(connection: psycopg.Connection[Any]) -> None:
    """End the way to the server, under whoever waits at it."""
    with suppress(OSError, psycopg.Error), socket.socket(fileno=os.dup(connection.fileno())) as way:
        way.shutdown(socket.SHUT_RDWR)


def is_near(needed: int, reached: int) -> bool:
    """Whether the replica has replayed so much, and lies behind by no more than the settings allow. As long as they
    say, it is waited for. Raises ReplicaGone and DatabaseError.
    """
    least = max(needed, RECENT.least(reached, within_s=settings.REPLICA_STALENESS_S))
    return has_replayed(least, reached, within_s=settings.REPLICA_WAIT_S)


def has_replayed(least: int, reached: int, *, within_s: float) -> bool:
    """Whether it has replayed so much, or does so in so many seconds; `reached` is where the primary's log is. Raises
    ReplicaGone and DatabaseError.
    """
    until = time.monotonic() + within_s
    replica = connections[REPLICA_ALIAS]
    while True:
        replayed = open_connection(replica)
        REPLICA_BEHIND.set(max(0, reached - replayed))
        if replayed >= least or time.monotonic() >= until:
            return replayed >= least
        time.sleep(ASKED_AGAIN_S)
