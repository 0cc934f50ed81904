"""Whose key a request carries, by the API's own authentication, and how often it may call."""

from __future__ import annotations

from django.http import HttpRequest
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from nebo.api.authentication import KeyAuthentication
from nebo.tenants.selectors import Caller


def caller_of(request: HttpRequest) -> Caller | None:
    """None without a key, or with one that opens nothing."""
    try:
        found = KeyAuthentication().authenticate(Request(request))
    except AuthenticationFailed:
        return None
    return found[0] if found else None
