"""Reading what a tenant has, on a replica where there is one that shows everything the tenant has written.

What reading leaves behind (audit lines, counts of use) is written to the primary before the answer goes out: no answer
is given without its line. Whatever goes wrong on the replica, the same is read again on the primary.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Any, TypeVar
from uuid import UUID

import psycopg
import structlog
from django.db import DEFAULT_DB_ALIAS, DatabaseError, InterfaceError, connection, connections
from psycopg.errors import ReadOnlySqlTransaction

from nebo.metrics import REPLICA_READS
from nebo.postgres.lost_connections import is_lost_connection
from nebo.postgres.replica import BREAKER, REPLICA_ALIAS, ReplicaGone, has_replayed, has_replica, is_near
from nebo.tenants.positions import EVERYBODY, find_position
from nebo.tenants.scoping import TenantRow, tenant_id_of, tenant_scope

# Who answered, besides the replica itself.
BEHIND, GONE, WRITES, FAILED = "primary: behind", "primary: gone", "primary: writes", "primary: failed"
FOLLOWS_S = 1.0  # in which one that is well has replayed where the primary is now

T = TypeVar("T")
Write = Callable[[], object]

_left: ContextVar[list[Write] | None] = ContextVar("nebo_left", default=None)
log = structlog.get_logger(__name__)


def read_in_scope(tenant: TenantRow | UUID, act: Callable[[], T]) -> T:
    """What `act` reads in the tenant's scope, on a replica or on the primary; there it may be called a second time."""
    tenant_id = tenant_id_of(tenant)
    if not has_replica() or connection.in_atomic_block:
        with tenant_scope(tenant_id):
            return act()
    by = _who_may_answer(tenant_id)
    REPLICA_READS.labels(by).inc()
    if by == REPLICA_ALIAS:
        try:
            found, left = _read_on_replica(tenant_id, act)
        except (DatabaseError, InterfaceError, psycopg.Error) as error:
            by = _judge(error)
            REPLICA_READS.labels(by).inc()
        else:
            _write_left(tenant_id, left)
            return found
    with tenant_scope(tenant_id, shows=by == WRITES):
        return act()


def write_after_reading(write: Write) -> None:
    """Do what reading leaves behind: on a replica when all is read, on the primary at once."""
    left = _left.get()
    if left is None:
        write()
    else:
        left.append(write)


def find_fault() -> str:
    """Why the replica can't be read from now, in our words; empty where it can."""
    if BREAKER.reason:
        return BREAKER.reason
    reached = find_position(EVERYBODY).reached
    by = _name_who(partial(has_replayed, reached, reached, within_s=FOLLOWS_S))
    return "it lies too far behind" if by == BEHIND else BREAKER.reason


def _who_may_answer(tenant_id: UUID) -> str:
    """The replica, or the primary and why."""
    if BREAKER.reason:
        return GONE
    return _name_who(partial(is_near, *find_position(tenant_id)))


def _name_who(is_near_enough: Callable[[], bool]) -> str:
    try:
        return REPLICA_ALIAS if is_near_enough() else BEHIND
    except (DatabaseError, InterfaceError, ReplicaGone) as error:
        connections[REPLICA_ALIAS].close()
        BREAKER.leave_alone(str(error) if isinstance(error, ReplicaGone) else "it can't be reached")
        return GONE


def _read_on_replica(tenant_id: UUID, act: Callable[[], T]) -> tuple[T, list[Write]]:
    left: list[Write] = []
    token = _left.set(left)
    try:
        with _in_place_of_primary(), tenant_scope(tenant_id, shows=False):
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION READ ONLY")  # also should it have been promoted meanwhile
            return act(), left
    finally:
        _left.reset(token)


@contextmanager
def _in_place_of_primary() -> Iterator[None]:
    """In this thread, whatever asks the database asks the replica."""
    primary: Any = connections[DEFAULT_DB_ALIAS]
    replica: Any = connections[REPLICA_ALIAS]
    replica.execute_wrappers = primary.execute_wrappers
    connections[DEFAULT_DB_ALIAS] = replica
    try:
        yield
    finally:
        connections[DEFAULT_DB_ALIAS] = primary


def _judge(error: Exception) -> str:
    """Why the primary has to read it again."""
    if isinstance(error.__cause__, ReadOnlySqlTransaction):
        log.warning("replica.was_to_write", error=str(error.__cause__).strip())
        return WRITES
    connections[REPLICA_ALIAS].close()
    if is_lost_connection(error):
        BREAKER.leave_alone("the connection broke")
        return GONE
    log.warning("replica.read_failed", error=type(error.__cause__ or error).__name__)
    return FAILED


def _write_left(tenant_id: UUID, left: list[Write]) -> None:
    if left:
        with tenant_scope(tenant_id, shows=False):
            for write in left:
                write()
