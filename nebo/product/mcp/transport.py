"""Whether an HTTP request is one to listen to: from where, in which form, how long."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.utils.encoding import escape_uri_path
from django.utils.http import is_same_domain

from nebo.api.authentication import CHALLENGE, find_token
from nebo.api.parsers import list_refused, parse_json
from nebo.api.throttles import count_call_of
from nebo.errors import InvalidInput
from nebo.product.mcp.api.door import caller_of
from nebo.product.mcp.protocol import INVALID_REQUEST, PARSE_ERROR, RpcError
from nebo.tenants.selectors import Caller

MAX_BODY = 4 * 1024 * 1024  # bytes, as the official server has it; longer histories go to the API
METADATA = "/.well-known/oauth-protected-resource"  # RFC 9728 §3.1
NO_KEY = "Send a key of Nebo: the header Authorization: Bearer nebo_…. `manage.py issue_key` makes one."
BAD_KEY = "This key opens nothing: it is mistyped, revoked or expired. Ask for a new one."


class Unheard(RpcError):
    """A request that isn't looked into: a status of HTTP, and what its headers say."""

    def __init__(self, status: int, message: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(INVALID_REQUEST, message, status=status)
        self.headers = headers or {}


def check_form(request: HttpRequest) -> None:
    """Raise Unheard for a page of another site, for what is no JSON, and for what is too long."""
    origin = request.headers.get("Origin")
    if origin and not is_own_origin(request, origin):
        raise Unheard(403, "This Origin may not call. CSRF_TRUSTED_ORIGINS names those that may.")
    if request.content_type != "application/json":
        raise Unheard(415, "Send Content-Type: application/json.")
    if not request.accepts("application/json"):
        raise Unheard(406, "Accept application/json.")
    length = request.headers.get("Content-Length") or ""
    if not length.isdigit():
        raise Unheard(411, "A body needs a Content-Length.")
    if int(length) > MAX_BODY:
        raise Unheard(413, f"At most {MAX_BODY:,} bytes at once.")


def is_own_origin(request: HttpRequest, origin: str) -> bool:
    """Whether a browser's page is one of ours or of a site that is trusted (a name may be rebound to this address)."""
    if origin == f"{request.scheme}://{request.get_host()}":
        return True
    return any(_is_of(origin, trusted) for trusted in settings.CSRF_TRUSTED_ORIGINS)


def _is_of(origin: str, trusted: str) -> bool:
    """A trusted one may begin its name with `*`."""
    theirs, ours = urlsplit(origin), urlsplit(trusted.replace("://*", "://"))
    return theirs.scheme == ours.scheme and is_same_domain(theirs.netloc, ours.netloc)


def open_door(request: HttpRequest) -> Caller:
    """Whose key it is; raises Unheard with the way to a key."""
    caller = caller_of(request)
    if caller is not None:
        return caller
    resource = request.build_absolute_uri(METADATA + escape_uri_path(request.path.rstrip("/")))
    is_bad = bool(find_token(request))
    error = ', error="invalid_token"' if is_bad else ""  # RFC 6750 §3.1
    challenge = f'{CHALLENGE}{error}, resource_metadata="{resource}"'
    raise Unheard(401, BAD_KEY if is_bad else NO_KEY, {"WWW-Authenticate": challenge})


def count_message(caller: Caller) -> None:
    """One more call; raises Unheard where there were too many."""
    allowance = count_call_of(caller)
    if allowance and allowance.wait_s:
        seconds = math.ceil(allowance.wait_s)
        raise Unheard(429, f"Too many calls: wait {seconds} s.", {"Retry-After": str(seconds)})


def read_json(body: bytes) -> Any:
    """What the body says; raises RpcError."""
    try:
        value = parse_json(body)
    except InvalidInput as error:
        raise RpcError(PARSE_ERROR, error.detail) from error
    _check_storable(value)
    return value


def _check_storable(value: Any) -> None:
    try:
        refusal = next((why for _, why in list_refused({"": value})), "")
    except InvalidInput as error:  # nested too deep
        refusal = error.detail
    if refusal:
        raise RpcError(INVALID_REQUEST, refusal)
