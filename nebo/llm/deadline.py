"""A transport for httpx with a wall-clock deadline under every socket operation.

httpx limits each read separately, so a server that sends one byte a second never times out. Here every connect,
read and write gets the time that is left of the whole call, headers included. httpx has no way to hand in sockets
of one's own; httpcore, on which its own transport stands, takes a network backend, so this is a transport on that.
Name resolution alone is outside it: the resolver of the system has its own limits.
"""

from __future__ import annotations

import ssl
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any
from urllib.request import getproxies, proxy_bypass

import httpcore
import httpx

LOOPBACK = ("127.0.0.1", "localhost", "::1")  # never through a proxy
CONNECTIONS = 100  # at once; as many as httpx opens, and keeps for a next request
KEPT_CONNECTIONS = 20
KEPT_S = 5.0
ERRORS = (
    httpcore.TimeoutException,
    httpcore.NetworkError,
    httpcore.ProtocolError,
    httpcore.ProxyError,
    httpcore.UnsupportedProtocol,
)

_deadline: ContextVar[float | None] = ContextVar("nebo_llm_deadline", default=None)


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Everything a bounded client does inside, in this thread, ends within `seconds`."""
    token = _deadline.set(time.monotonic() + seconds)
    try:
        yield
    finally:
        _deadline.reset(token)


@cache
def usual_context() -> ssl.SSLContext:
    """What httpx trusts, read once a process: that takes 20 ms, and each delivery of a webhook has its own client."""
    return httpx.create_ssl_context()


class DeadlineTransport(httpx.BaseTransport):
    """HTTP/1.1, straight or through the proxies that the environment names; one pool of connections for each way.

    `backend` opens the sockets instead of the usual one. With `direct` no proxy is used, and with `context` other
    certificates are trusted.
    """

    def __init__(
        self,
        *,
        backend: httpcore.NetworkBackend | None = None,
        direct: bool = False,
        context: ssl.SSLContext | None = None,
    ) -> None:
        self._context = context or usual_context()
        self._proxies = {} if direct else getproxies()
        self._backend = _DeadlineBackend(backend or httpcore.SyncBackend())
        self._pools: dict[str, httpcore.ConnectionPool] = {}  # by the proxy's address, "" for none

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Raises httpx.TransportError."""
        url = request.url
        asked = httpcore.Request(
            request.method,
            httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
            headers=request.headers.raw,
            content=request.stream,
            extensions=request.extensions,
        )
        with _as_errors_of_httpx():
            answer = self._pool(self._proxy_for(url)).handle_request(asked)
        return httpx.Response(
            answer.status,
            headers=answer.headers,
            stream=_Body(answer),
            extensions=answer.extensions,
        )

    def close(self) -> None:
        """Close all connections."""
        for pool in self._pools.values():
            pool.close()

    def _proxy_for(self, url: httpx.URL) -> str:
        if url.host in LOOPBACK or proxy_bypass(url.host):
            return ""
        proxy = self._proxies.get(url.scheme) or self._proxies.get("all") or ""
        return proxy if "://" in proxy or not proxy else f"http://{proxy}"

    def _pool(self, proxy: str) -> httpcore.ConnectionPool:
        if proxy not in self._pools:
            self._pools[proxy] = self._open_pool(proxy)
        return self._pools[proxy]

    def _open_pool(self, proxy: str) -> httpcore.ConnectionPool:
        kept: dict[str, Any] = {
            "ssl_context": self._context,
            "max_connections": CONNECTIONS,
            "max_keepalive_connections": KEPT_CONNECTIONS,
            "keepalive_expiry": KEPT_S,
            "network_backend": self._backend,
        }
        if not proxy:
            return httpcore.ConnectionPool(**kept)
        way = httpx.Proxy(proxy)
        if way.url.scheme not in ("http", "https"):
            raise httpx.UnsupportedProtocol("Only proxies of HTTP can be used.")
        return httpcore.HTTPProxy(str(way.url), proxy_auth=way.raw_auth, **kept)


class _Body(httpx.SyncByteStream):
    def __init__(self, answer: httpcore.Response) -> None:
        self._answer = answer

    def __iter__(self) -> Iterator[bytes]:
        with _as_errors_of_httpx():
            yield from self._answer.iter_stream()

    def close(self) -> None:
        self._answer.close()


@contextmanager
def _as_errors_of_httpx() -> Iterator[None]:
    """It has one of the same name for each of httpcore's."""
    try:
        yield
    except ERRORS as error:
        raise getattr(httpx, type(error).__name__, httpx.TransportError)(str(error)) from error


def _seconds_left(timeout: float | None, late: type[httpcore.TimeoutException]) -> float | None:
    deadline = _deadline.get()
    if deadline is None:
        return timeout
    left = deadline - time.monotonic()
    if left <= 0:
        raise late("deadline")
    return left if timeout is None else min(timeout, left)


class _DeadlineStream(httpcore.NetworkStream):
    def __init__(self, stream: httpcore.NetworkStream) -> None:
        self._stream = stream

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, _seconds_left(timeout, httpcore.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, _seconds_left(timeout, httpcore.WriteTimeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        left = _seconds_left(timeout, httpcore.ConnectTimeout)
        return _DeadlineStream(self._stream.start_tls(ssl_context, server_hostname, left))

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


class _DeadlineBackend(httpcore.NetworkBackend):
    def __init__(self, backend: httpcore.NetworkBackend) -> None:
        self._backend = backend

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        left = _seconds_left(timeout, httpcore.ConnectTimeout)
        return _DeadlineStream(self._backend.connect_tcp(host, port, left, local_address, socket_options))

    def sleep(self, seconds: float) -> None:
        self._backend.sleep(seconds)
