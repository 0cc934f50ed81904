"""`/metrics` for Prometheus: what the processes counted, and what one look into the database tells.

It answers to the bearer token of `NEBO_METRICS_TOKEN`; where that isn't set, to callers on this machine alone, and to
nobody who comes through a proxy. Tenants appear by id; no names, no people, no texts.
"""

from __future__ import annotations

import ipaddress
from secrets import compare_digest

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from nebo.env import env
from nebo.product.operations.database_figures import DatabaseFigures

DATABASE = DatabaseFigures()


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """All figures in Prometheus's text format; 403 for callers who may not see them."""
    if not may_see(request):
        return HttpResponse("Not for you: see NEBO_METRICS_TOKEN.\n", status=403, content_type="text/plain")
    return HttpResponse(generate_latest(make_registry()), content_type=CONTENT_TYPE_LATEST)


def may_see(request: HttpRequest) -> bool:
    """Whether the caller has the token, or none is set and they are on this machine, with no proxy between."""
    if env.metrics_token:
        given = request.headers.get("Authorization", "").removeprefix("Bearer ")
        return compare_digest(given.encode(), env.metrics_token.encode())
    if env.trusted_proxies or "X-Forwarded-For" in request.headers:
        return False
    return ipaddress.ip_address(request.META["REMOTE_ADDR"]).is_loopback


def make_registry() -> CollectorRegistry:
    """What all processes counted, where they share a folder, or else this one; and the database's figures."""
    registry = CollectorRegistry()
    if env.metrics_dir:
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    else:
        registry.register(REGISTRY)
    registry.register(DATABASE)
    return registry
