"""Counted calls of the last days: by day, by key and by what was asked for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import TypeVar
from uuid import UUID

from django.utils.translation import gettext as _

from nebo.api.models import CallsOfDay
from nebo.api.usage import BOUNDS_MS
from nebo.tenants.models import ApiKey, Tenant

K = TypeVar("K")
TYPICAL, SLOW = 0.5, 0.95  # quantiles


@dataclass(slots=True)
class Figures:
    """Calls, how many of them were refused or failed, and how long they took."""

    calls: int = 0
    errors: int = 0
    times: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS_MS) + 1))

    def add(self, row: CallsOfDay) -> None:
        """And these."""
        self.calls += row.calls
        self.errors += row.errors
        self.times = [here + more for here, more in zip(self.times, row.times, strict=True)]

    @property
    def typical_ms(self) -> float | None:
        """Half of the calls were answered in this time."""
        return quantile_ms(self.times, TYPICAL)

    @property
    def slow_ms(self) -> float | None:
        """95 of 100 were."""
        return quantile_ms(self.times, SLOW)


@dataclass(frozen=True, slots=True)
class Usage:
    """Of some days: each day, each key with its name, and each operation, the busiest first."""

    days: Sequence[tuple[date, Figures]]
    keys: Sequence[tuple[str, UUID, Figures]]
    operations: Sequence[tuple[str, Figures]]
    total: Figures


def read_usage(*, tenant: Tenant, days: int, key_id: UUID | None = None) -> Usage:
    """The last `days` days (UTC), today included; of one key alone, if named. Two queries."""
    today = datetime.now(UTC).date()
    first = today - timedelta(days=days - 1)
    rows = list(CallsOfDay.objects.for_tenant(tenant).filter(day__gte=first))
    names = {
        pk: name or f"nebo_{public_id}_…"
        for pk, name, public_id in ApiKey.objects.for_tenant(tenant).values_list("pk", "name", "public_id")
    }
    chosen = [row for row in rows if key_id is None or row.key_id == key_id]
    by_day = _grouped(chosen, lambda row: row.day)
    total = Figures()
    for row in chosen:
        total.add(row)
    return Usage(
        days=[(day, by_day.get(day, Figures())) for day in (first + timedelta(days=n) for n in range(days))],
        keys=[
            (names.get(pk, _("A key that is gone")), pk, found)
            for pk, found in _busiest(_grouped(rows, lambda row: row.key_id))
        ],
        operations=[(_(what), found) for what, found in _busiest(_grouped(chosen, lambda row: row.what))],
        total=total,
    )


def quantile_ms(times: Sequence[int], share: float) -> float | None:
    """The time within which that share of the calls was answered, evenly spread in its bucket; None without calls."""
    wanted = sum(times) * share
    if not wanted:
        return None
    below = 0.0
    lower = 0.0
    for count, upper in zip(times, (*BOUNDS_MS, BOUNDS_MS[-1]), strict=True):
        if count and below + count >= wanted:
            return lower + (upper - lower) * (wanted - below) / count
        below, lower = below + count, float(upper)
    return lower


def _grouped(rows: Iterable[CallsOfDay], name: Callable[[CallsOfDay], K]) -> dict[K, Figures]:
    groups: dict[K, Figures] = defaultdict(Figures)
    for row in rows:
        groups[name(row)].add(row)
    return groups


def _busiest(groups: dict[K, Figures]) -> list[tuple[K, Figures]]:
    return sorted(groups.items(), key=lambda item: -item[1].calls)
