"""Calls to other systems: each socket only to an address that may be called, nothing followed, all within seconds.

A name is resolved here, the addresses are judged, and the socket is opened to one of those very addresses: between the
judgement and the connection no name is resolved again. TLS and the Host header keep the name.
"""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any

import httpcore
import httpx

from nebo.llm.deadline import DeadlineTransport, time_limit
from nebo.product.events.addresses import Network, is_allowed

TIMEOUT_S = 10.0  # for a whole call, besides the resolver's own limits
CONNECT_TIMEOUT_S = 5.0
ANSWER_BYTES = 2_048  # read of an answer's body
ANSWER_CHARS = 300  # kept of it

Resolve = Callable[[str, int], Sequence[str]]


class AddressRefused(httpcore.ConnectError):
    """The name leads to an address that isn't called."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: a status, or else why there is none. `milliseconds` is how long it took."""

    status: int | None
    milliseconds: int
    error: str = ""
    text: str = ""
    retry_after: str = ""

    @property
    def is_success(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


def resolve(host: str, port: int) -> list[str]:
    """The addresses of a name, as the system's resolver has them; raises httpcore.ConnectError."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise httpcore.ConnectError("no such name") from error
    return list(dict.fromkeys(str(place[0]) for *_, place in found))


class GuardedBackend(httpcore.NetworkBackend):
    """Opens sockets only to allowed addresses; where one of a name's is not allowed, to none of them."""

    def __init__(self, *, networks: Sequence[Network], public: bool, resolve: Resolve = resolve) -> None:
        self._networks = networks
        self._public = public
        self._resolve = resolve
        self._backend = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        """Raises AddressRefused, and what httpcore raises where nobody answers."""
        addresses = self._resolve(host, port)
        for address in addresses:
            self._check(address)
        problem: httpcore.ConnectError | httpcore.ConnectTimeout = httpcore.ConnectError("no such name")
        for address in addresses:
            try:
                stream = self._backend.connect_tcp(address, port, timeout, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                problem = error
            else:
                return self._checked(stream)
        raise problem

    def _checked(self, stream: httpcore.NetworkStream) -> httpcore.NetworkStream:
        """Whoever is at the other end has the last word."""
        try:
            self._check(str(stream.get_extra_info("server_addr")[0]))
        except AddressRefused:
            stream.close()
            raise
        return stream

    def _check(self, address: str) -> None:
        found = ip_address(address.partition("%")[0])
        if not is_allowed(found, networks=self._networks, public=self._public):
            raise AddressRefused("not an address to be called")


def open_client(
    url: str,
    *,
    networks: Sequence[Network],
    resolve: Resolve = resolve,
    context: ssl.SSLContext | None = None,
) -> httpx.Client:
    """A client for one endpoint. Without TLS only the operator's own networks are called."""
    public = httpx.URL(url).scheme == "https"
    backend = GuardedBackend(networks=networks, public=public, resolve=resolve)
    transport = DeadlineTransport(backend=backend, direct=True, context=context)
    return httpx.Client(transport=transport, follow_redirects=False, trust_env=False)


def post(
    client: httpx.Client,
    *,
    url: str,
    body: bytes,
    headers: Mapping[str, str],
    timeout_s: float = TIMEOUT_S,
) -> Answer:
    """Send it and hear what is said, within `timeout_s` seconds; raises nothing of the network's."""
    began = time.monotonic()
    try:
        with time_limit(timeout_s):
            outcome = _exchange(client, url, body, headers, timeout_s)
    except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:
        outcome = {"status": None, "error": _reason(error)}
    return Answer(milliseconds=round((time.monotonic() - began) * 1000), **outcome)


def _exchange(
    client: httpx.Client, url: str, body: bytes, headers: Mapping[str, str], timeout_s: float
) -> dict[str, Any]:
    timeout = httpx.Timeout(timeout_s, connect=CONNECT_TIMEOUT_S)
    sent = {**headers, "accept-encoding": "identity"}
    with client.stream("POST", url, content=body, headers=sent, timeout=timeout) as response:
        text = _read_beginning(response)
        retry_after = response.headers.get("retry-after", "")[:100]
        return {"status": response.status_code, "text": text, "retry_after": retry_after}


def _read_beginning(response: httpx.Response) -> str:
    """The status has been said; a body that breaks off takes nothing back."""
    held = bytearray()
    try:
        for chunk in response.iter_raw(ANSWER_BYTES):
            held += chunk
            if len(held) >= ANSWER_BYTES:
                break
    except httpx.HTTPError:
        pass
    text = held[:ANSWER_BYTES].decode("utf-8", "replace")
    return "".join(letter if letter.isprintable() else " " for letter in text)[:ANSWER_CHARS].strip()


def _reason(error: Exception) -> str:
    if isinstance(error.__cause__, AddressRefused):
        return "The address leads into a network where Nebo sends nothing."
    if isinstance(error, httpx.ConnectTimeout):
        return "No connection in time."
    if isinstance(error, httpx.TimeoutException):
        return "No answer in time."
    if error.__cause__ is not None and isinstance(error.__cause__.__context__, ssl.SSLError):
        return "Its certificate isn’t trusted."
    if isinstance(error, httpx.ConnectError):
        return "No connection."
    return "The connection broke before there was an answer."
