"""Milliseconds, and what is said about many of them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Spread:
    """Percentiles of `count` measurements."""

    p50: float
    p95: float
    p99: float
    count: int


def percentile(ordered: list[float], share: float) -> float:
    """The smallest value that `share` of all values do not exceed (nearest rank); raises IndexError for none."""
    return ordered[max(math.ceil(share * len(ordered)), 1) - 1]


def spread_of(values: Iterable[float]) -> Spread:
    """Percentiles of at least one value."""
    ordered = sorted(values)
    p50, p95, p99 = (percentile(ordered, share) for share in (0.50, 0.95, 0.99))
    return Spread(p50, p95, p99, len(ordered))
