"""Statements that the server parses and plans once a connection; Django itself puts values into the text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from uuid import UUID

import psycopg
from django.db import connection
from django.db.backends.utils import CursorWrapper
from pgvector import HalfVector
from psycopg.adapt import Dumper, Loader
from psycopg.pq import Format

from nebo.postgres.layout import IS_DISTRIBUTED
from nebo.postgres.sent_statements import call_of, is_sent

# Planning takes longer than running: one plan for all values. The statements are written so that it is the
# right one for a small owner and a large one. A table that was small when it was last counted is not read from end to
# end for that: the plan stays when it has grown. Both count for these statements alone.
#
# In a distributed database the coordinator has to know the tenant to plan, so it plans each time.
_PIN = "SELECT set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true)"
_UNPIN = (
    "SELECT set_config('plan_cache_mode', 'auto', true), set_config('enable_seqscan', 'on', true), "
    "set_config('enable_bitmapscan', 'on', true)"
)
PIN = _PIN.replace("force_generic_plan", "force_custom_plan") if IS_DISTRIBUTED else _PIN
UNPIN = _UNPIN.replace("auto", "force_custom_plan") if IS_DISTRIBUTED else _UNPIN
# The same for statements that take the first few rows of many parts: a bitmap has no order, so all rows of a part would
# be read and sorted where the planner believes that there are few.
PIN_IN_ORDER = f"{PIN}, set_config('enable_bitmapscan', 'off', true)"

NAME = re.compile(r"%\((\w+)\)s")


@dataclass(frozen=True, slots=True)
class Statement:
    """SQL as the server takes it, with the names of its parameters `$1`, `$2`, …; `pin` are settings for its plan."""

    sql: str
    names: tuple[str, ...]
    pin: str = PIN

    @property
    def sent(self) -> str:
        """What is sent to the server: itself, or in a distributed database the call of its function."""
        if not IS_DISTRIBUTED or not is_sent(self.sql, self.names):
            return self.sql
        return call_of(self.sql, len(self.names))

    def values(self, parameters: Mapping[str, Any]) -> list[Any]:
        """Of `parameters`, those it has, in its order."""
        return [parameters[name] for name in self.names]


NUMBERED: list[Statement] = []  # of all modules: in a distributed database each has a function


def number_parameters(text: str) -> Statement:
    """From `%(name)s` to `$1`: psycopg would otherwise read a long statement anew each time."""
    names = tuple(dict.fromkeys(NAME.findall(text)))
    statement = Statement(NAME.sub(lambda found: f"${names.index(found[1]) + 1}", text), names)
    NUMBERED.append(statement)
    return statement


class HalfVectorDumper(Dumper):
    """Two bytes a number instead of ten; the statement's own cast says what they are."""

    format = Format.BINARY
    oid = 0

    def dump(self, obj: HalfVector) -> bytes:
        return obj.to_binary()


class UuidLoader(Loader):
    """Rows of a search name the same few sessions hundreds of times: an id that is known is not made again."""

    format = Format.BINARY

    def load(self, data: Any) -> UUID:
        return _uuid_of(bytes(data))


@lru_cache(4_000)  # 300 bytes each
def _uuid_of(data: bytes) -> UUID:
    return UUID(bytes=data)


@contextmanager
def prepared_cursor() -> Iterator[CursorWrapper]:
    """A cursor of the open connection whose parameters travel beside the statement, and rows in binary.

    psycopg prepares a statement at its third use (`prepare_threshold` in the settings).
    """
    connection.ensure_connection()
    with psycopg.RawCursor(connection.connection) as raw:
        raw.format = Format.BINARY
        raw.adapters.register_dumper(HalfVector, HalfVectorDumper)
        raw.adapters.register_loader("uuid", UuidLoader)
        wrap: Any = connection.make_debug_cursor if connection.queries_logged else connection.make_cursor
        yield wrap(raw)


@dataclass(slots=True)
class _Held:
    """The plans that are pinned for a row of statements: the settings in force, or none yet."""

    pin: str = ""


_held: ContextVar[_Held | None] = ContextVar("nebo_held_pin", default=None)


@contextmanager
def plans_held() -> Iterator[None]:
    """For a row of statements in one transaction: what the first of them pins holds for all, since to set and unset it
    around each takes longer than a short statement itself.

    What Django asks in between meets the same settings. What leaves here as an error leaves them to the transaction,
    which ends with it.
    """
    if _held.get() is not None:
        yield
        return
    held = _Held()
    token = _held.set(held)
    try:
        yield
    finally:
        _held.reset(token)
    if held.pin:
        _unpin()


def _unpin() -> None:
    with connection.wrap_database_errors, psycopg.RawCursor(connection.connection) as settings:
        settings.execute(UNPIN)


@contextmanager
def pinned_plans(pin: str = PIN) -> Iterator[None]:
    """The statement sent in here has one plan for all values. The settings travel with it, there and back, so they take
    no round trip of their own; what it found can be read afterwards.
    """
    held = _held.get() or _Held()
    if held.pin == pin:
        yield
        return
    connection.ensure_connection()
    with (
        connection.wrap_database_errors,
        psycopg.RawCursor(connection.connection) as settings,
        connection.connection.pipeline(),
    ):
        settings.execute(pin)
        yield
        stays = pin == PIN and _held.get() is not None
        if not stays:
            settings.execute(UNPIN)
    held.pin = pin if stays else ""


def fetch_rows(statement: Statement, parameters: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """All rows of a statement."""
    with prepared_cursor() as cursor:
        with pinned_plans(statement.pin):
            cursor.execute(statement.sent, statement.values(parameters))
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def execute(statement: Statement, parameters: Mapping[str, Any]) -> None:
    """Run a statement that gives no rows."""
    with prepared_cursor() as cursor, pinned_plans(statement.pin):
        cursor.execute(statement.sql, statement.values(parameters))


def execute_many(statement: Statement, rows: Sequence[Mapping[str, Any]]) -> None:
    """Run a statement that gives no rows once for each of `rows`; they travel together."""
    if not rows:
        return
    with prepared_cursor() as cursor, pinned_plans(statement.pin):
        cursor.executemany(statement.sql, [statement.values(row) for row in rows])
