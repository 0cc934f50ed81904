"""Which headers pass, either way: those between the agent and the provider, none of Nebo's, none of a single hop."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from nebo.errors import InvalidInput
from nebo.tenants.keys import KEY_PATTERN

PREFIXES = ("x-nebo-", "nebo-")
HOP_BY_HOP = frozenset(  # RFC 9110 §7.6.1, and those that older programs send
    {
        "connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te", "trailer",
        "trailers", "transfer-encoding", "upgrade", "http2-settings",
    }
)  # fmt: skip
# Of the way to Nebo: its host, its cookies, who came through which proxy. And what the client of HTTP says itself.
KEPT_FROM_PROVIDER = HOP_BY_HOP | {
    "host", "content-length", "accept-encoding", "cookie", "forwarded", "x-forwarded-for", "x-forwarded-host",
    "x-forwarded-proto", "x-forwarded-port", "x-forwarded-prefix", "x-real-ip", "via", "origin", "referer", "expect",
}  # fmt: skip
# What a provider says of its own host would be taken for Nebo's.
KEPT_FROM_CLIENT = HOP_BY_HOP | {
    "set-cookie", "set-cookie2", "strict-transport-security", "alt-svc", "server", "date", "clear-site-data",
    "content-security-policy", "public-key-pins", "report-to", "nel", "content-length", "content-encoding",
}  # fmt: skip
_BARE_KEY = re.compile(rf"(?P<key>{KEY_PATTERN})(?::(?P<rest>.*))?", re.ASCII | re.DOTALL)
_ANY_KEY = re.compile(KEY_PATTERN, re.ASCII)
CREDENTIALS = ("Authorization", "X-Api-Key", "Api-Key")


@dataclass(frozen=True, slots=True)
class Sent:
    """What a request says to Nebo, and the headers for the provider."""

    key: str = field(repr=False)
    passed: list[tuple[str, str]] = field(repr=False)


def read_sent(headers: Mapping[str, str]) -> Sent:
    """Tell Nebo's key from the provider's.

    Nebo's is `X-Nebo-Key`. Where a program can send one key alone, both stand in it: `nebo_…:sk-…`, or Nebo's by
    itself for a provider that asks for none. No header that has a key of Nebo's in it is passed on.
    """
    key, passed = own_header(headers, "Key").removeprefix("Bearer ").strip(), []
    for name, value in headers.items():
        if name.lower() in KEPT_FROM_PROVIDER or name.lower().startswith(PREFIXES):
            continue
        if name.title() in CREDENTIALS:
            found, value = _split(value)
            key = key or found
        if value and not _ANY_KEY.search(value):
            passed.append((name, value))
    dropped = {one.strip().lower() for one in headers.get("Connection", "").split(",")}
    return Sent(key, [(name, value) for name, value in passed if name.lower() not in dropped])


def _split(value: str) -> tuple[str, str]:
    """Nebo's key in a credential, or "", and what is left of it for the provider."""
    scheme, space, token = value.rpartition(" ")
    found = _BARE_KEY.fullmatch(token.strip())
    if found is None:
        return "", value
    rest = found["rest"] or ""
    return found["key"], f"{scheme}{space}{rest}" if rest else ""


def own_header(headers: Mapping[str, str], name: str) -> str:
    """A header of Nebo's, as `X-Nebo-Name` or `Nebo-Name`; "" where there is none. Raises InvalidInput for two that
    differ.
    """
    given = {value.strip() for prefix in ("X-Nebo-", "Nebo-") if (value := headers.get(prefix + name, ""))}
    if len(given) > 1:
        raise InvalidInput(f"X-Nebo-{name} and Nebo-{name} differ.")
    return next(iter(given), "")


def list_returned(headers: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Those of a provider's answer that the client gets; CORS is Nebo's own to grant."""
    return [
        (name, value)
        for name, value in headers
        if name.lower() not in KEPT_FROM_CLIENT
        and not name.lower().startswith(("access-control-", "x-nebo-"))
    ]
