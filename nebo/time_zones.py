"""In whose time a page tells times: the person's own zone, or else the browser's, or else UTC."""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from django.utils import timezone

COOKIE = "nebo_zone"  # set by static/nebo/js/theme-boot.js


def find_zone(name: str) -> ZoneInfo | None:
    """The zone of that name; None for what is none, wherever it comes from."""
    return ZoneInfo(name) if name in _names() else None


def in_zone(*names: str) -> AbstractContextManager[None]:
    """Inside, times are told in the first of these that is a zone; in the one before where none is."""
    found = next(filter(None, map(find_zone, names)), None)
    return timezone.override(found or timezone.get_current_timezone())


@cache
def _names() -> frozenset[str]:
    return frozenset(available_timezones())
