"""Every address of the API, as the product's own table of addresses has it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

from nebo.product.mem0.api.account import UnsupportedView
from nebo.product.mem0.urls import urlpatterns as mem0_addresses


def list_routes(method: str) -> dict[str, list[str]]:
    """Names of every address under /api/v1/ that answers to a method, with the names in it."""
    api = next(one for one in get_resolver("nebo.urls").url_patterns if str(one.pattern) == "api/v1/")
    return {
        pattern.name or "": list(pattern.pattern.regex.groupindex)
        for pattern in _walk(api.url_patterns)
        if hasattr(pattern.callback.cls, method)
    }


def list_mem0_routes(method: str) -> dict[str, list[str]]:
    """The same of mem0's addresses, without those that say that something isn't supported."""
    return {
        pattern.name or "": list(pattern.pattern.regex.groupindex)
        for pattern in mem0_addresses
        if hasattr(pattern.callback.cls, method) and pattern.callback.cls is not UnsupportedView
    }


def _walk(patterns: list[Any]) -> Iterator[URLPattern]:
    for one in patterns:
        if isinstance(one, URLResolver):
            yield from _walk(one.url_patterns)
        else:
            yield one
