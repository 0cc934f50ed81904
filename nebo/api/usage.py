"""Calls counted by day, key and operation: in memory first, and added to the rows every few seconds.

A process that is killed forgets what it counted in its last seconds; nothing else depends on these counts.
"""

from __future__ import annotations

import atexit
import math
import time
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from threading import Lock
from uuid import UUID

import structlog
from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection

from nebo.tenants.ids import uuid7
from nebo.tenants.scoping import tenant_scope

BOUNDS_MS = (5, 10, 20, 35, 50, 75, 100, 150, 250, 500, 1_000, 2_500, 5_000, 10_000)  # and above
# Each of the fifteen by itself: in a distributed database, what is set may hold no question.
ADD = """
INSERT INTO api_callsofday AS held (id, tenant_id, day, key_id, what, calls, errors, times)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s)
ON CONFLICT (tenant_id, day, key_id, what) DO UPDATE SET
    calls = held.calls + excluded.calls, errors = held.errors + excluded.errors,
    times = ARRAY[
        held.times[1] + excluded.times[1], held.times[2] + excluded.times[2], held.times[3] + excluded.times[3],
        held.times[4] + excluded.times[4], held.times[5] + excluded.times[5], held.times[6] + excluded.times[6],
        held.times[7] + excluded.times[7], held.times[8] + excluded.times[8], held.times[9] + excluded.times[9],
        held.times[10] + excluded.times[10], held.times[11] + excluded.times[11], held.times[12] + excluded.times[12],
        held.times[13] + excluded.times[13], held.times[14] + excluded.times[14], held.times[15] + excluded.times[15]]
"""

Name = tuple[date, UUID, str]
log = structlog.get_logger(__name__)


@dataclass(slots=True)
class Count:
    """Of one operation: calls, errors, and calls by time."""

    calls: int = 0
    errors: int = 0
    times: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS_MS) + 1))


_counts: dict[UUID, dict[Name, Count]] = {}
_lock = Lock()
_added_at = time.monotonic()


def note_call(*, tenant_id: UUID, key_id: UUID, what: str, status: int, seconds: float) -> None:
    """Count a call that has been answered; opens no transaction but every few seconds."""
    name = (datetime.now(UTC).date(), key_id, what[:80])
    with _lock:
        count = _counts.setdefault(tenant_id, defaultdict(Count))[name]
        count.calls += 1
        count.errors += status >= 400
        count.times[bisect_left(BOUNDS_MS, seconds * 1000)] += 1
        is_due = time.monotonic() - _added_at >= settings.USAGE_ADDED_EVERY_S
    if is_due and not connection.in_atomic_block:
        add_counts()


def add_counts() -> None:
    """Add what was counted to the rows; what can't be added is forgotten, and logged."""
    global _added_at
    with _lock:
        held, _added_at = dict(_counts), time.monotonic()
        _counts.clear()
    for tenant_id, counts in held.items():
        try:
            _add(tenant_id, counts)
        except (DatabaseError, InterfaceError) as error:
            log.warning("usage_not_added", error=type(error).__name__)


def _add(tenant_id: UUID, counts: Mapping[Name, Count]) -> None:
    rows = [
        (uuid7(), tenant_id, day, key_id, what, count.calls, count.errors, count.times)
        for (day, key_id, what), count in sorted(counts.items())
    ]
    with tenant_scope(tenant_id, shows=False), connection.cursor() as cursor:
        cursor.executemany(ADD, rows)


def _add_at_the_end() -> None:
    if math.isfinite(settings.USAGE_ADDED_EVERY_S):
        add_counts()


atexit.register(_add_at_the_end)
