"""How often a key may call."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from django.core.cache import cache
from rest_framework.request import Request
from rest_framework.settings import api_settings
from rest_framework.throttling import BaseThrottle

from nebo.tenants.selectors import Caller

if TYPE_CHECKING:  # REST framework reads this module while it is being imported itself
    from rest_framework.views import APIView


PERIODS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}  # seconds, by a period's first letter


class KeyThrottle(BaseThrottle):
    """Counts a key's calls in fixed windows: one atomic increment a call, whatever the rate."""

    remaining = 0.0  # seconds until the next window

    def allow_request(self, request: Request, view: APIView) -> bool:
        self.remaining = count_call_of(request.user) if isinstance(request.user, Caller) else 0.0
        return not self.remaining

    def wait(self) -> float:
        return self.remaining


def count_call_of(caller: Caller) -> float:
    """One more call of a key; 0.0 where it may be made, else the seconds until the next window."""
    allowed, seconds = read_rate(str(api_settings.DEFAULT_THROTTLE_RATES["key"]))
    window, into_window = divmod(time.time(), seconds)
    calls = count_call(f"calls:{caller.key_id}:{int(window)}", seconds)
    return 0.0 if calls <= allowed else seconds - into_window


def read_rate(rate: str) -> tuple[int, int]:
    """`6000/min` as calls and seconds."""
    calls, _, period = rate.partition("/")
    return int(calls), PERIODS[period[0]]


def count_call(name: str, seconds: int) -> int:
    """One more under this name, forgotten after `seconds`; how many there are now."""
    cache.add(name, 0, timeout=seconds)
    try:
        return int(cache.incr(name))
    except ValueError:  # forgotten between the two
        return 1
