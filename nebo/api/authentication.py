"""Which key a request carries."""

from __future__ import annotations

import structlog
from django.http import HttpRequest
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from nebo.tenants.scoping import tenant_scope
from nebo.tenants.selectors import Caller, find_caller
from nebo.tenants.services import mark_use

CHALLENGE = 'Bearer realm="nebo"'  # RFC 6750 §3
AUTHORIZATION_SCHEMES = ("bearer", "token")


class KeyAuthentication(BaseAuthentication):
    """`Authorization: Bearer …` or `Token …`, or `X-API-Key: …`; `request.user` is then the Caller."""

    def authenticate(self, request: Request) -> tuple[Caller, None] | None:
        token = find_token(request)
        if token is None:
            return None
        caller = let_in(token)
        if caller is None:
            raise AuthenticationFailed
        return caller, None

    def authenticate_header(self, request: Request) -> str:
        return CHALLENGE


def let_in(token: str) -> Caller | None:
    """Whose key it is, which then stands in the log and is marked as used; None for one that opens nothing."""
    caller = find_caller(token)
    if caller is None:
        return None
    structlog.contextvars.bind_contextvars(tenant_id=str(caller.tenant_id), key_id=str(caller.key_id))
    if caller.is_unmarked:
        with tenant_scope(caller.tenant_id, shows=False):
            mark_use(caller=caller)
    return caller


def find_token(request: Request | HttpRequest) -> str | None:
    """The key's text; None when none was sent, "" when what was sent is no key."""
    header = request.headers.get("Authorization", "")
    scheme, _, token = header.partition(" ")
    if scheme.lower() in AUTHORIZATION_SCHEMES:
        return token.strip()
    return request.headers.get("X-API-Key", "" if header else None)  # another scheme may be a gateway's
