"""The providers behind the gateway. Only the operator's settings say where they are."""

from __future__ import annotations

import os
from collections.abc import Sequence
from urllib.parse import urlsplit

import httpx
from django.conf import settings

from nebo.errors import NeboError, NotFound
from nebo.llm.deadline import DeadlineTransport
from nebo.product.gateway.refusals import ProviderTimeout, ProviderUnreachable

CONNECT_S = 5.0
BETWEEN_PIECES_S = 600.0  # a model may think that long before it says anything: the SDKs' own limit
TIMEOUT = httpx.Timeout(BETWEEN_PIECES_S, connect=CONNECT_S, write=60.0, pool=CONNECT_S)
VERSION = "v1"
STATUSES = range(200, 600)  # what an answer can have


def address_of(provider: str, path: str, query: str = "") -> str:
    """Where that path is at the provider. Raises NotFound where the operator has closed it."""
    base = settings.GATEWAY_UPSTREAMS[provider].rstrip("/")
    if not base:
        raise NotFound("This provider isn't served here.")
    place = urlsplit(base).path
    if (provider == "openai" and not place) or (
        provider == "anthropic" and not place.endswith(f"/{VERSION}")
    ):
        base = f"{base}/{VERSION}"
    return f"{base}/{path}?{query}" if query else f"{base}/{path}"


def send(method: str, url: str, headers: Sequence[tuple[str, str]], body: bytes) -> httpx.Response:
    """The head of the answer; its body is still to come, and to be closed. Raises ProviderUnreachable and
    ProviderTimeout.
    """
    failure: NeboError = ProviderUnreachable()
    try:
        response = _transport().handle_request(_request(method, url, headers, body))
        if response.status_code in STATUSES:
            return response
        response.close()
    except httpx.TimeoutException:
        failure = ProviderTimeout()
    except (httpx.HTTPError, httpx.InvalidURL, UnicodeError):
        pass
    raise failure  # out here: what an exception says may have a header in it, and so a key


def _request(method: str, url: str, headers: Sequence[tuple[str, str]], body: bytes) -> httpx.Request:
    """Headers as they came: WSGI has read each byte as a character."""
    passed = [(name.encode("ascii"), value.encode("latin-1")) for name, value in headers]
    host = httpx.URL(url).netloc
    own = [(b"host", host), (b"accept-encoding", b"identity"), (b"content-length", str(len(body)).encode())]
    return httpx.Request(
        method, url, headers=[*own, *passed], content=body, extensions={"timeout": TIMEOUT.as_dict()}
    )


class _Transports:
    """One a process, made on first use, so that a fork never shares a socket. No client stands over it: that would keep
    a provider's cookies, and send them with the next request, whose ever it is.
    """

    def __init__(self) -> None:
        self.by_process: dict[int, DeadlineTransport] = {}


_transports = _Transports()


def _transport() -> DeadlineTransport:
    process = os.getpid()
    if process not in _transports.by_process:
        _transports.by_process[process] = DeadlineTransport()
    return _transports.by_process[process]
