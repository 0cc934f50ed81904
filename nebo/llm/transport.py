"""The one seam to providers over HTTP: JSON out, a bounded answer back, failures in Nebo's own words."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import httpcore
import httpx

from nebo.llm.deadline import DeadlineTransport, time_limit
from nebo.llm.errors import PermanentError, ProviderError, RetryableError

CONNECT_TIMEOUT_S = 5.0  # a provider that can't be reached in this time is down for us
MAX_ANSWER_BYTES = 2 * 1024 * 1024  # 2 MiB, far above any sane reply; embedding batches ask for more

Payload = Mapping[str, Any]


class AddressRefused(httpcore.ConnectError):
    """The name leads to an address that isn't called."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One address of one provider, with the headers that let us in."""

    provider: str
    model: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def host(self) -> str:
        """Host and port, without credentials or path."""
        return self.url.partition("://")[2].partition("/")[0].rpartition("@")[2]


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """A complete answer of any status; header names are lower case."""

    status: int
    body: bytes = field(default=b"", repr=False)
    headers: Mapping[str, str] = field(default_factory=dict)


class Transport(Protocol):
    """Anything that can post JSON to a provider."""

    def post_json(
        self, endpoint: Endpoint, payload: Payload, *, timeout_s: float, max_bytes: int = MAX_ANSWER_BYTES
    ) -> HttpAnswer:
        """Post and read the whole answer within `timeout_s` seconds of wall clock, whatever its status.

        Raises RetryableError for a timeout or a connection that fails or breaks, and PermanentError for an
        address that can't be used or an answer of more than `max_bytes`.
        """
        ...


def _open_client() -> httpx.Client:
    return httpx.Client(transport=DeadlineTransport())


class HttpTransport:
    """httpx behind it: one client a process, opened on first use, so that a fork never shares a socket."""

    def __init__(self, open_client: Callable[[], httpx.Client] = _open_client) -> None:
        self._open_client = open_client
        self._clients: dict[int, httpx.Client] = {}

    def post_json(
        self, endpoint: Endpoint, payload: Payload, *, timeout_s: float, max_bytes: int = MAX_ANSWER_BYTES
    ) -> HttpAnswer:
        """See Transport."""
        timeout_s = max(timeout_s, 0.001)
        try:
            with time_limit(timeout_s):
                return self._exchange(endpoint, payload, timeout_s=timeout_s, max_bytes=max_bytes)
        except (httpx.HTTPError, httpx.InvalidURL, UnicodeEncodeError) as error:
            # `from None`: these messages can quote a header, and so the key
            raise _failure(endpoint, error, timeout_s=timeout_s) from None

    def close(self) -> None:
        """Close this process's connections; the next call opens new ones."""
        client = self._clients.pop(os.getpid(), None)
        if client is not None:
            client.close()

    def _exchange(
        self, endpoint: Endpoint, payload: Payload, *, timeout_s: float, max_bytes: int
    ) -> HttpAnswer:
        timeout = httpx.Timeout(timeout_s, connect=min(CONNECT_TIMEOUT_S, timeout_s))
        headers = {**endpoint.headers, "content-type": "application/json", "accept-encoding": "identity"}
        content = json.dumps(payload).encode("ascii")
        client = self._get_client()
        with client.stream(
            "POST", endpoint.url, content=content, headers=headers, timeout=timeout
        ) as response:
            body = _bounded_body(endpoint, response, max_bytes=max_bytes)
            return HttpAnswer(response.status_code, body, dict(response.headers))

    def _get_client(self) -> httpx.Client:
        pid = os.getpid()
        if pid not in self._clients:
            self._clients[pid] = self._open_client()
        return self._clients[pid]


SHARED_TRANSPORT = HttpTransport()


def _bounded_body(endpoint: Endpoint, response: httpx.Response, *, max_bytes: int) -> bytes:
    body = bytearray()
    for chunk in response.iter_bytes():
        body += chunk
        if len(body) > max_bytes:
            reason = f"its answer is larger than {max_bytes // 1024} KiB"
            raise PermanentError(
                endpoint.provider, endpoint.model, reason, kind="too-large", status=response.status_code
            )
    return bytes(body)


def _failure(endpoint: Endpoint, error: Exception, *, timeout_s: float) -> ProviderError:
    names = (endpoint.provider, endpoint.model)
    if isinstance(error, httpx.ConnectTimeout):
        return RetryableError(*names, f"no connection to {endpoint.host} in time", kind="timeout")
    if isinstance(error, httpx.TimeoutException):
        return RetryableError(*names, f"no complete answer within {timeout_s:.3g} s", kind="timeout")
    if isinstance(error.__cause__, AddressRefused):
        return PermanentError(
            *names, "its address leads into a network where Nebo sends nothing", kind="refused"
        )
    if isinstance(error, httpx.ConnectError):
        return RetryableError(*names, f"can't connect to {endpoint.host}", kind="connection")
    if isinstance(error, httpx.NetworkError | httpx.RemoteProtocolError | httpx.ProxyError):
        return RetryableError(
            *names, "the connection broke before the answer was complete", kind="connection"
        )
    if isinstance(error, httpx.DecodingError):
        return RetryableError(*names, "its answer can't be decompressed", kind="unreadable")
    return PermanentError(*names, "its address or key can't be sent in a request", kind="refused")
