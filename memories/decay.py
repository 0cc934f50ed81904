"""How memories fade: the ranking of what is used, and the life of what was observed."""

from __future__ import annotations

from datetime import datetime, timedelta

DECAY_BASE = 0.7  # factor a period; docs/design.md#prompt-numbers
DECAY_PERIOD_DAYS = 30.0  # days
# An observation's life, for each time it was seen
LIFESPAN_PER_OBSERVATION = timedelta(days=14)
DAY_S = 86_400.0  # seconds


def decay_score(access_count: int, accessed_at: datetime | None, *, now: datetime) -> float:
    """Rank of a memory by use: `access_count * 0.7 ** (days / 30)`.

    A memory never accessed scores 0; a clock that runs ahead counts as now.
    """
    if accessed_at is None:
        return 0.0
    days = max(0.0, (now - accessed_at).total_seconds() / DAY_S)
    return float(access_count * DECAY_BASE ** (days / DECAY_PERIOD_DAYS))


def lifespan(reinforced_count: int) -> timedelta:
    """How long an observation lives after it was last seen: 14 days an observation, at least one."""
    return LIFESPAN_PER_OBSERVATION * max(1, reinforced_count)


def has_faded(reinforced_count: int, last_reinforced: datetime, *, now: datetime) -> bool:
    """Whether an observation has outlived its lifespan; the last moment counts as outlived."""
    return now - last_reinforced >= lifespan(reinforced_count)
