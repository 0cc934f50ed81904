"""How often a key, and all keys of a tenant together, may call."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rest_framework.request import Request
from rest_framework.settings import api_settings
from rest_framework.throttling import BaseThrottle

from nebo.api.shared_counts import SharedCounts
from nebo.tenants.selectors import Caller

if TYPE_CHECKING:  # REST framework reads this module while it is being imported itself
    from rest_framework.views import APIView

COUNTS = SharedCounts()
PERIODS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}  # seconds, by a period's first letter


@dataclass(frozen=True, slots=True)
class Allowance:
    """What is left of a rate: `name` says whose it is, `left` is below zero where a call was too many."""

    name: str
    allowed: int
    window_s: int
    left: int
    ends_in_s: float

    @property
    def wait_s(self) -> float:
        """Seconds until the next call may be made; 0.0 where this one may."""
        return self.ends_in_s if self.left < 0 else 0.0

    def as_headers(self) -> dict[str, str]:
        """As the IETF's draft on rate limit fields has them (draft-ietf-httpapi-ratelimit-headers-10)."""
        left, ends = max(self.left, 0), math.ceil(self.ends_in_s)
        return {
            "RateLimit-Policy": f'"{self.name}";q={self.allowed};w={self.window_s}',
            "RateLimit": f'"{self.name}";r={left};t={ends}',
        }


class KeyThrottle(BaseThrottle):
    """Counts calls in fixed windows, exactly: in memory that the web server's processes share."""

    wait_s = 0.0

    def allow_request(self, request: Request, view: APIView) -> bool:
        allowance = count_call_of(request.user) if isinstance(request.user, Caller) else None
        if allowance is None:
            return True
        view.headers |= allowance.as_headers()
        self.wait_s = allowance.wait_s
        return not self.wait_s

    def wait(self) -> float:
        return self.wait_s


def count_call_of(caller: Caller) -> Allowance | None:
    """One more call of a key: what is left to it, or to its tenant where that is less; None without any limit."""
    rates: Mapping[str, Any] = api_settings.DEFAULT_THROTTLE_RATES
    of_tenant = f"{caller.tenant_calls}/min" if caller.tenant_calls else rates.get("tenant")
    counted = [
        count_call("key", str(caller.key_id), rates.get("key")),
        count_call("tenant", str(caller.tenant_id), of_tenant),
    ]
    return min(filter(None, counted), key=lambda allowance: allowance.left, default=None)


def count_call(name: str, whose: str, rate: str | None) -> Allowance | None:
    """One more call under this name; None without a rate."""
    if not rate:
        return None
    allowed, window_s = read_rate(rate)
    now = time.time()
    until = (int(now) // window_s + 1) * window_s
    calls = COUNTS.add(f"{name}:{whose}", until=until)
    return Allowance(name, allowed, window_s, allowed - calls, until - now)


def read_rate(rate: str) -> tuple[int, int]:
    """`6000/min` as calls and seconds."""
    calls, _, period = rate.partition("/")
    return int(calls), PERIODS[period[0]]
