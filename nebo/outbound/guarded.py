"""Sockets only to addresses that may be called.

A name is resolved here, the addresses are judged, and the socket is opened to one of those very addresses: between the
judgement and the connection no name is resolved again. TLS and the Host header keep the name.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from ipaddress import ip_address

import httpcore
import httpx

from nebo.llm.deadline import DeadlineTransport
from nebo.llm.transport import AddressRefused, HttpTransport
from nebo.outbound.addresses import Network, allowed_networks, is_allowed

Resolve = Callable[[str, int], Sequence[str]]


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
    """A client for addresses of that scheme. Without TLS only the operator's own networks are called."""
    public = httpx.URL(url).scheme == "https"
    backend = GuardedBackend(networks=networks, public=public, resolve=resolve)
    transport = DeadlineTransport(backend=backend, direct=True, context=context)
    return httpx.Client(transport=transport, follow_redirects=False, trust_env=False)


@lru_cache(maxsize=8)
def _transport(scheme: str, networks: tuple[Network, ...]) -> HttpTransport:
    return HttpTransport(lambda: open_client(f"{scheme}://", networks=networks))


def guarded_transport(url: str) -> HttpTransport:
    """What asks providers that teams name: the same for all of them, so that connections are kept."""
    return _transport(httpx.URL(url).scheme, allowed_networks())
