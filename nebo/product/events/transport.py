"""Calls to webhooks: each socket only to an address that may be called, nothing followed, all within seconds."""

from __future__ import annotations

import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx
from django.utils.translation import gettext as _

from nebo.llm.deadline import time_limit
from nebo.llm.transport import AddressRefused

TIMEOUT_S = 10.0  # for a whole call, besides the resolver's own limits
CONNECT_TIMEOUT_S = 5.0
ANSWER_BYTES = 2_048  # read of an answer's body
ANSWER_CHARS = 300  # kept of it


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
        return _("The address leads into a network where Nebo sends nothing.")
    if isinstance(error, httpx.ConnectTimeout):
        return _("No connection in time.")
    if isinstance(error, httpx.TimeoutException):
        return _("No answer in time.")
    if error.__cause__ is not None and isinstance(error.__cause__.__context__, ssl.SSLError):
        return _("Its certificate isn’t trusted.")
    if isinstance(error, httpx.ConnectError):
        return _("No connection.")
    return _("The connection broke before there was an answer.")
