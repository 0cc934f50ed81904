"""Moments as the API writes them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import overload


@overload
def as_utc(moment: datetime) -> str: ...
@overload
def as_utc(moment: None) -> None: ...
@overload
def as_utc(moment: datetime | None) -> str | None: ...
def as_utc(moment: datetime | None) -> str | None:
    """ISO 8601 in UTC, with a Z; None stays None."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z") if moment else None
