"""Which addresses Nebo may call for a team: public ones, and those of networks that the operator names.

Whoever may add a webhook or a provider must not reach, through Nebo, what only machines inside its network reach. What
counts is the address that is connected to (`guarded.py`); what stands here is the judgement of one address.
"""

from __future__ import annotations

import socket
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

import httpx
from django.conf import settings

from nebo.errors import InvalidInput

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network
URL_LENGTH = 2_000  # characters

# IANA's special-purpose registries, and what clouds keep for their own machines' questions.
NEVER_PUBLIC = tuple(
    ip_network(text)
    for text in (
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
        "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24",
        "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
        "168.63.129.16/32",  # Azure's platform
        "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
    )
)  # fmt: skip
GLOBAL_UNICAST = IPv6Network("2000::/3")  # all of IPv6 that is given out; nothing else is called
NAT64 = IPv6Network("64:ff9b::/96")  # stands for the IPv4 address in its last 32 bits (RFC 6052)
LOCAL_NAMES = ("localhost", ".localhost", ".local", ".internal", ".home.arpa")
WRONG_HOST = "This address leads into a network where Nebo sends nothing."


def plain(address: Address) -> Address:
    """The IPv4 address that an IPv6 one stands for, where it stands for one."""
    if not isinstance(address, IPv6Address):
        return address
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return IPv4Address(int(address) & 0xFFFFFFFF) if address in NAT64 else address


def is_public(address: Address) -> bool:
    """Whether anybody on the Internet could call it."""
    meant = plain(address)
    if isinstance(meant, IPv6Address) and meant not in GLOBAL_UNICAST:
        return False
    return not _is_in(meant, NEVER_PUBLIC)


def is_allowed(address: Address, *, networks: Sequence[Network], public: bool = True) -> bool:
    """Whether Nebo may call it: in one of the operator's networks, or else a public one unless told otherwise."""
    return _is_in(plain(address), networks) or (public and is_public(address))


def allowed_networks() -> tuple[Network, ...]:
    """Those that the operator names."""
    return tuple(ip_network(text, strict=False) for text in settings.WEBHOOK_NETWORKS)


def check_url(url: str) -> str:
    """The address as it will be called; raises InvalidInput. What its name leads to is checked at each call."""
    parsed = _parse(url)
    networks = allowed_networks()
    if parsed.scheme != "https" and not (parsed.scheme == "http" and networks):
        raise _wrong("It has to begin with https://.")
    host = parsed.raw_host.decode("ascii")
    if not host:
        raise _wrong("It names no host.")
    if parsed.port is not None and not 0 < parsed.port < 65_536:
        raise _wrong("Its port is none.")
    if parsed.userinfo:
        raise _wrong("It may not hold a name and a password.")
    if parsed.fragment:
        raise _wrong("It may not have a #.")
    if _leads_inside(host, networks):
        raise _wrong(WRONG_HOST)
    return str(parsed)


def find_address(host: str) -> Address | None:
    """The address that a host spells, in any way that a resolver understands; None for a name."""
    try:
        return ip_address(host.strip("[]").partition("%")[0])
    except ValueError:
        pass
    try:
        return IPv4Address(socket.inet_aton(host)) if host[:1].isdigit() else None
    except (OSError, UnicodeEncodeError):
        return None


def _parse(url: str) -> httpx.URL:
    if len(url) > URL_LENGTH or not url.isprintable() or " " in url or "\\" in url:
        raise _wrong(f"An address has at most {URL_LENGTH} characters, without blanks and backslashes.")
    try:
        return httpx.URL(url)
    except (httpx.InvalidURL, ValueError) as error:
        raise _wrong("This is no address.") from error


def _leads_inside(host: str, networks: Sequence[Network]) -> bool:
    address = find_address(host)
    if address is not None:
        return not is_allowed(address, networks=networks)
    name = host.rstrip(".").lower()
    return not networks and any(name == one or (one[0] == "." and name.endswith(one)) for one in LOCAL_NAMES)


def _is_in(address: Address, networks: Sequence[Network]) -> bool:
    return any(address in network for network in networks if network.version == address.version)


def _wrong(detail: str) -> InvalidInput:
    return InvalidInput(detail, field="url")
