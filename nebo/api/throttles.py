"""How often a key may call."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from django.core.cache import cache
from rest_framework.request import Request
from rest_framework.settings import api_settings
from rest_framework.throttling import SimpleRateThrottle

from nebo.tenants.selectors import Caller

if TYPE_CHECKING:  # REST framework reads this module while it is being imported itself
    from rest_framework.views import APIView


class KeyThrottle(SimpleRateThrottle):
    """Counts a key's calls in fixed windows: one atomic increment a call, whatever the rate."""

    scope = "key"

    def get_rate(self) -> str | None:
        """`DEFAULT_THROTTLE_RATES["key"]` as the settings have it now."""
        rate: str | None = api_settings.DEFAULT_THROTTLE_RATES[self.scope]
        return rate

    def allow_request(self, request: Request, view: APIView) -> bool:
        if not isinstance(request.user, Caller) or self.num_requests is None or self.duration is None:
            return True
        window, into_window = divmod(time.time(), self.duration)
        self.remaining_seconds = self.duration - into_window
        return count_call(f"calls:{request.user.key_id}:{int(window)}", self.duration) <= self.num_requests

    def wait(self) -> float:
        """Seconds until the next window."""
        return self.remaining_seconds


def count_call(name: str, seconds: int) -> int:
    """One more under this name, forgotten after `seconds`; how many there are now."""
    cache.add(name, 0, timeout=seconds)
    try:
        return cache.incr(name)
    except ValueError:  # forgotten between the two
        return 1
