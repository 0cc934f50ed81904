"""What both clients do alike, without a network: how a request looks, what an answer means, when to try again."""

from __future__ import annotations

import os
import platform
import random
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import quote

import httpx

from nebo_client.errors import Unreadable, refusal

DEFAULT_URL = "http://127.0.0.1:8000"
TIMEOUT_S = 30.0
MOST_WAIT_S = 30.0  # that a server is believed when it says "later"
BUSY = frozenset({408, 425, 429, 502, 503, 504})
IN_USE = "idempotency-key-in-use"  # the first attempt is still running
USER_AGENT = f"nebo-client/0.1.0 python/{platform.python_version()}"


@dataclass(frozen=True, slots=True)
class Request:
    """One call of the API. `path` is relative to `/api/v1/`; empty parameters are left out."""

    method: str
    path: str
    json: Any = None
    params: Mapping[str, Any] = field(default_factory=dict)
    version: int | None = None  # of a memory or a todo as it was read; sent as `If-Match`
    idempotency_key: str = ""
    waits_s: float = 0.0  # that the server is asked to wait for a job

    def headers(self) -> dict[str, str]:
        """Those of this call; the same for each attempt."""
        headers = {}
        if self.idempotency_key:
            headers["Idempotency-Key"] = self.idempotency_key
        if self.version is not None:
            headers["If-Match"] = f'"{self.version}"'
        return headers

    def query(self) -> dict[str, Any]:
        """The parameters, as the API spells them."""
        params = {**self.params, **({"wait": self.waits_s} if self.waits_s else {})}
        return {name: _spell(value) for name, value in params.items() if value is not None}

    def arguments(self, timeout_s: float) -> dict[str, Any]:
        """What `httpx` is called with; who waits for an answer gives it that much longer."""
        return {
            "method": self.method,
            "url": self.path,
            "json": self.json,
            "params": self.query(),
            "headers": self.headers(),
            "timeout": timeout_s + self.waits_s,
        }


def post(path: str, json: Any = None, *, key: str = "", waits_s: float = 0.0, **params: Any) -> Request:
    """A POST that may be sent again: it carries a key, so that its effect happens once."""
    return Request(
        "POST", path, {} if json is None else json, params, None, key or str(uuid.uuid4()), waits_s
    )


def given(**fields: Any) -> dict[str, Any]:
    """Those that aren't None: the others are the server's to decide."""
    return {name: value for name, value in fields.items() if value is not None}


def at(*parts: str) -> str:
    """A path of ids and words; ids may hold anything."""
    return "".join(f"{quote(str(part), safe='')}/" for part in parts)


def read_answer(response: httpx.Response) -> Any:
    """The JSON of an answer, None of an empty one. Raises Refused, Unreadable."""
    if response.status_code == httpx.codes.NO_CONTENT:
        return None
    try:
        data = response.json()
    except ValueError as error:
        raise Unreadable(f"{response.status_code} from {response.url}, and no JSON") from error
    if response.is_success:
        return data
    raise refusal(response.status_code, data if isinstance(data, Mapping) else {})


@dataclass(frozen=True, slots=True)
class Retries:
    """Up to `most` further attempts, after pauses that double from `first_s`, each shortened by chance."""

    most: int = 3
    first_s: float = 0.25

    def pause(self, attempt: int, response: httpx.Response | None) -> float | None:
        """Seconds until the next attempt; None if there is none. `response` is None when nothing came.

        All that is sent may be sent again: reads change nothing, and writes carry a key or say what shall be.
        """
        if attempt >= self.most or (response is not None and not _is_passing(response)):
            return None
        asked = _retry_after(response) if response is not None else None
        if asked is not None:
            return asked if asked <= MOST_WAIT_S else None
        return self.first_s * (1 << attempt) * random.uniform(0.5, 1.0)  # noqa: S311


def address(url: str | None) -> str:
    """Where the API is: what was given, or `NEBO_URL`, or this machine."""
    return (url or os.environ.get("NEBO_URL") or DEFAULT_URL).rstrip("/") + "/api/v1/"


def default_headers(key: str | None) -> dict[str, str]:
    """Those of every request. Raises ValueError without a key."""
    key = key or os.environ.get("NEBO_KEY")
    if not key:
        raise ValueError("Nebo needs a key: Nebo(key=…), or NEBO_KEY in the environment.")
    return {"Authorization": f"Bearer {key}", "User-Agent": USER_AGENT, "Accept": "application/json"}


def _spell(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value


def _is_passing(response: httpx.Response) -> bool:
    if response.status_code in BUSY:
        return True
    return response.status_code == httpx.codes.CONFLICT and IN_USE in response.text


def _retry_after(response: httpx.Response) -> float | None:
    """In seconds, from a number or a date."""
    told: str = response.headers.get("Retry-After", "")
    try:
        return max(0.0, float(told))
    except ValueError:
        pass
    try:
        when = parsedate_to_datetime(told)
        return max(0.0, (when - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return None
