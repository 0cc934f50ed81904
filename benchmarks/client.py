"""A small HTTP client for the few calls that are measured: http.client adds least to what it times."""

from __future__ import annotations

import json
import re
import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from email.message import Message
from http.client import HTTPConnection, RemoteDisconnected
from typing import Any
from urllib.parse import quote, urlsplit

TIMEOUT_S = 120
MAX_MESSAGES = 500  # a turn; docs/security.md#limits
EMBED_JOBS = "jobs/?kind=embed&limit=100"
OPEN_STATES = {"queued", "running", "failed"}  # a failed job is tried again, a dead one is not
POLL_S = 0.2  # how late the end of a wait may be noticed
STALE = (RemoteDisconnected, BrokenPipeError, ConnectionResetError)  # the server let an idle connection go
SERVER_TIMING = re.compile(r"(?:^|,)\s*([\w-]+)[^,]*?;\s*dur=([\d.]+)")

JSON = dict[str, Any]


class CallFailed(RuntimeError):
    """The server refused; the message carries status, title and detail."""

    def __init__(self, status: int, told: str) -> None:
        super().__init__(f"{status}: {told}")
        self.status = status


@dataclass(frozen=True, slots=True)
class Answer:
    """A body with the milliseconds its call took and those the server names in `Server-Timing`."""

    body: JSON
    ms: float
    parts: Mapping[str, float] = field(default_factory=dict)


class Client:
    """One kept connection with one key; not for several threads."""

    def __init__(self, url: str, key: str) -> None:
        parts = urlsplit(url)
        self.url, self.key = url, key
        self._headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        self._connection = HTTPConnection(parts.hostname or "127.0.0.1", parts.port or 80, timeout=TIMEOUT_S)

    def open_session(self, user: str, key: str, *, auto_extract: bool = False) -> str:
        """The id of a session; by default nothing is learned from its turns, so that no job runs beside us."""
        body = {"user": user, "key": key, "auto_extract": auto_extract}
        return str(self.call("POST", "sessions/", body).body["id"])

    def add_turns(self, session: str, messages: Sequence[JSON]) -> list[JSON]:
        """Store messages in their order; what the server calls each of them (`id`, `external_id`)."""
        stored: list[JSON] = []
        for first in range(0, len(messages), MAX_MESSAGES):
            stored += self.post_turn(session, messages[first : first + MAX_MESSAGES]).body["messages"]
        return stored

    def post_turn(self, session: str, messages: Sequence[JSON]) -> Answer:
        """`sessions/{id}/turns/`, at most 500 messages."""
        return self.call("POST", f"sessions/{session}/turns/", {"messages": list(messages)})

    def search(self, user: str, query: str, **options: Any) -> Answer:
        """`users/{user}/search/` with options as docs/search.md names them."""
        return self.call("POST", f"users/{quote(user, safe='')}/search/", {"query": query, **options})

    def context(self, session: str, query: str, token_budget: int) -> Answer:
        """`sessions/{id}/context/`."""
        body = {"query": query, "token_budget": token_budget}
        return self.call("POST", f"sessions/{session}/context/", body)

    def wait_for_vectors(self, *, limit_s: float) -> None:
        """Return once no embedding job is open; raises TimeoutError."""
        deadline = time.monotonic() + limit_s
        while any(job["state"] in OPEN_STATES for job in self.call("GET", EMBED_JOBS).body["results"]):
            if time.monotonic() > deadline:
                raise TimeoutError(f"Vectors were not complete after {limit_s:.0f} s: does the worker run?")
            time.sleep(POLL_S)

    def close(self) -> None:
        """Let the connection go."""
        self._connection.close()

    def call(self, method: str, path: str, body: JSON | None = None) -> Answer:
        """One call; waits and asks again when told to slow down. Raises CallFailed."""
        payload = None if body is None else json.dumps(body).encode()
        headers = self._headers | ({"Idempotency-Key": uuid.uuid4().hex} if path.endswith("turns/") else {})
        while True:
            status, told, raw, ms = self._send(method, f"/api/v1/{path}", payload, headers)
            if status != 429:
                break
            time.sleep(float(told.get("Retry-After", 1)))
        if status >= 400:
            raise CallFailed(status, raw.decode(errors="replace")[:500])
        return Answer(json.loads(raw or b"{}"), ms, read_server_timing(told.get("Server-Timing", "")))

    def post_plain(self, path: str, body: JSON) -> JSON:
        """A call outside of the API, such as to `/mcp`. Raises CallFailed."""
        headers = self._headers | {"Accept": "application/json, text/event-stream"}
        status, _, raw, _ = self._send("POST", path, json.dumps(body).encode(), headers)
        if status >= 400:
            raise CallFailed(status, raw.decode(errors="replace")[:500])
        return json.loads(raw or b"{}")

    def _send(
        self, method: str, path: str, payload: bytes | None, headers: Mapping[str, str]
    ) -> tuple[int, Message, bytes, float]:
        """Status, headers, body and milliseconds; a second try where the kept connection had gone stale."""
        for last_try in (False, True):
            began = time.perf_counter()
            try:
                self._connection.request(method, path, payload, dict(headers))
                response = self._connection.getresponse()
                raw = response.read()
            except STALE:
                self._connection.close()
                if last_try:
                    raise
                continue
            return response.status, response.headers, raw, (time.perf_counter() - began) * 1000
        raise AssertionError


def read_server_timing(header: str) -> dict[str, float]:
    """`embed;dur=1.2, sql;dur=3` as milliseconds by name."""
    return {name: float(ms) for name, ms in SERVER_TIMING.findall(header)}
