"""When a delivery is tried again, and when an endpoint is given up."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from uuid import UUID

MINUTE, HOUR = 60, 3_600
PAUSES_S: Sequence[int] = (
    5, 30, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, 12 * HOUR, 24 * HOUR,
)  # fmt: skip
MOST_ATTEMPTS = len(PAUSES_S) + 1  # over some two days
JITTER = 0.2  # share of a pause, so that what failed together doesn't come back together
LONGEST_WISH_S = 24 * HOUR  # of a Retry-After
LONGEST_HOLD_S = HOUR
FAILING_FOR = timedelta(days=5)  # without one success, then the endpoint is switched off
GONE = 410
BUSY = (429, 502, 503, 504)  # the receiver as a whole can't take anything now


def pause_after(attempts: int, *, delivery_id: UUID, wish: str, now: datetime) -> timedelta | None:
    """Until the next attempt, after so many of them; None after the last. `wish` is what Retry-After said."""
    if attempts >= MOST_ATTEMPTS:
        return None
    seconds = PAUSES_S[max(attempts, 1) - 1] * (1 + JITTER * (delivery_id.int % 1000) / 1000)
    return timedelta(seconds=max(seconds, read_wish(wish, now=now)))


def hold_after(failures: int, *, wish: str, now: datetime) -> timedelta:
    """How long nothing at all is sent to an endpoint that can't be reached, after so many failures in a row."""
    seconds = PAUSES_S[min(max(failures, 1), len(PAUSES_S)) - 1]
    return timedelta(seconds=max(min(seconds, LONGEST_HOLD_S), read_wish(wish, now=now)))


def read_wish(text: str, *, now: datetime) -> float:
    """Seconds that a Retry-After asks for, a day at most; 0 for none, or nonsense."""
    if text.isascii() and text.isdigit():
        return float(min(int(text[:9]), LONGEST_WISH_S))
    try:
        at = parsedate_to_datetime(text)
    except (TypeError, ValueError):
        return 0.0
    aware = at if at.tzinfo else at.replace(tzinfo=UTC)
    return min(max((aware - now).total_seconds(), 0.0), float(LONGEST_WISH_S))
