"""A real HTTP server on loopback that misbehaves by script, for tests of everything that calls a provider.

    def test_a_busy_provider_is_asked_again(scripted_server: ScriptedServer) -> None:
        scripted_server.on("/v1/chat/completions", status(429, retry_after="0"), json_answer({"choices": …}))
        …
        assert len(scripted_server.requests) == 2
        assert scripted_server.requests[0].json["model"] == "gpt-x"

`on(path, …)` queues one behaviour a request; `always(path, …)` is what a path does when its queue is empty.
A request nobody scripted is answered with 418 (a permanent error) and recorded like the others.
`url` has no trailing slash and no path. Import the fixture into a conftest, or use `with ScriptedServer() as
server:`. Leaving ends every silence and every drip at once.

| behaviour | what the client meets |
|---|---|
| `json_answer(data, status=200, headers={})` | JSON, with the right Content-Length |
| `raw(body, status=200, headers={})` | any bytes, `raw(b"")` for an empty body |
| `status(code, retry_after="", body=b"")` | an error |
| `garbage()` | a 200 that is no JSON |
| `truncated(data)` | JSON cut in half, under the Content-Length of the whole; then the connection closes |
| `silent(seconds)` | the request is read, nothing comes; the connection closes after `seconds` |
| `hang_up()` | the request is read, the connection closes |
| `drip(data, pause_s=0.05)` | the head at once, the body one byte at a time |
| `drip_head(pause_s=0.05)` | even the head comes one byte at a time, and never ends |
| `huge(megabytes)` | a 200 with that much JSON |
"""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

import pytest

UNSCRIPTED_STATUS = 418


@dataclass(frozen=True)
class RecordedRequest:
    """What a client sent; header names are lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The decoded body."""
        return json.loads(self.body)


@dataclass(frozen=True)
class Reply:
    """What a behaviour may do: read what it answers, write bytes, wait for a while unless the server is leaving."""

    handler: BaseHTTPRequestHandler
    leaving: threading.Event
    request: RecordedRequest

    def head(self, code: int, length: int, headers: Mapping[str, str]) -> None:
        """Status line and headers."""
        self.handler.send_response(code)
        for name, value in {"content-length": str(length), **headers}.items():
            self.handler.send_header(name, value)
        self.handler.end_headers()

    def head_of_chunks(self, headers: Mapping[str, str]) -> None:
        """Of a 200 whose body comes in chunks, which are written as such."""
        self.handler.send_response(200)
        for name, value in {"transfer-encoding": "chunked", **headers}.items():
            self.handler.send_header(name, value)
        self.handler.end_headers()

    def write(self, body: bytes) -> None:
        """Bytes, at once."""
        self.handler.wfile.write(body)
        self.handler.wfile.flush()

    def drip(self, body: bytes, pause_s: float) -> None:
        """Bytes, one at a time."""
        for position in range(len(body)):
            if self.leaving.wait(pause_s):
                return
            self.write(body[position : position + 1])

    def hang_up(self) -> None:
        """Close the connection after this."""
        self.handler.close_connection = True


Behaviour = Callable[[Reply], None]


def raw(body: bytes, status: int = 200, headers: Mapping[str, str] | None = None) -> Behaviour:
    """Any bytes under any status."""

    def behave(reply: Reply) -> None:
        reply.head(status, len(body), headers or {})
        reply.write(body)

    return behave


def json_answer(data: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Behaviour:
    """JSON under any status."""
    return raw(json.dumps(data).encode(), status, {"content-type": "application/json", **(headers or {})})


def status(code: int, retry_after: str = "", body: bytes = b"") -> Behaviour:
    """An error, with Retry-After if given."""
    return raw(body, code, {"retry-after": retry_after} if retry_after else {})


def garbage() -> Behaviour:
    """A 200 that is no JSON."""
    return raw(b"\x00\xff<html>Bad gateway, but 200")


def truncated(data: object) -> Behaviour:
    """Half of a JSON body under the Content-Length of the whole."""
    body = json.dumps(data).encode()

    def behave(reply: Reply) -> None:
        reply.head(200, len(body), {})
        reply.write(body[: len(body) // 2])
        reply.hang_up()

    return behave


def silent(seconds: float) -> Behaviour:
    """Nothing for so long, then the connection closes."""

    def behave(reply: Reply) -> None:
        reply.leaving.wait(seconds)
        reply.hang_up()

    return behave


def hang_up() -> Behaviour:
    """The connection closes without an answer."""
    return lambda reply: reply.hang_up()


def drip(data: object, pause_s: float = 0.05) -> Behaviour:
    """The head at once, the body one byte at a time."""
    body = json.dumps(data).encode()

    def behave(reply: Reply) -> None:
        reply.head(200, len(body), {})
        reply.drip(body, pause_s)
        reply.hang_up()

    return behave


def drip_head(pause_s: float = 0.05) -> Behaviour:
    """A head that comes one byte at a time and never ends."""

    def behave(reply: Reply) -> None:
        reply.drip(b"HTTP/1.1 200 OK\r\nx-slow: " + b"a" * 10_000, pause_s)
        reply.hang_up()

    return behave


def huge(megabytes: int) -> Behaviour:
    """So much JSON."""
    return lambda reply: raw(b'"' + b"a" * (megabytes * 1024 * 1024) + b'"')(reply)


@dataclass
class _Script:
    queues: dict[str, deque[Behaviour]] = field(default_factory=dict)
    defaults: dict[str, Behaviour] = field(default_factory=dict)
    requests: list[RecordedRequest] = field(default_factory=list)
    connections: list[socket.socket] = field(default_factory=list)
    leaving: threading.Event = field(default_factory=threading.Event)

    def next_behaviour(self, path: str) -> Behaviour:
        queue = self.queues.get(path)
        if queue:
            return queue.popleft()
        return self.defaults.get(path, raw(b"nothing is scripted here", UNSCRIPTED_STATUS))


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, script: _Script) -> None:
        self.script = script
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that leaves early is what many tests are about."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def setup(self) -> None:
        super().setup()
        self.server.script.connections.append(self.connection)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", "0")))
        headers = {name.lower(): value for name, value in self.headers.items()}
        script = self.server.script
        recorded = RecordedRequest(self.command, self.path, headers, body)
        script.requests.append(recorded)
        script.next_behaviour(self.path)(Reply(self, script.leaving, recorded))

    do_GET = do_POST  # noqa: N815 - the name http.server looks for

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


class ScriptedServer:
    """See the module's docstring."""

    def __init__(self) -> None:
        self._script = _Script()
        self._server = _Server(self._script)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    @property
    def requests(self) -> list[RecordedRequest]:
        """What came so far, in order."""
        return self._script.requests

    @property
    def connection_count(self) -> int:
        """How many connections were opened so far."""
        return len(self._script.connections)

    def on(self, path: str, *behaviours: Behaviour) -> None:
        """Queue behaviours for a path, one a request."""
        self._script.queues.setdefault(path, deque()).extend(behaviours)

    def always(self, path: str, behaviour: Behaviour) -> None:
        """What a path does when its queue is empty."""
        self._script.defaults[path] = behaviour

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._script.leaving.set()
        self._server.shutdown()
        for connection in self._script.connections:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        self._server.server_close()
        self._thread.join()


@pytest.fixture
def scripted_server() -> Iterator[ScriptedServer]:
    """A fresh server for one test."""
    with ScriptedServer() as server:
        yield server
