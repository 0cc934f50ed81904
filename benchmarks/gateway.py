"""What the gateway adds to a completion: the same call straight to a provider on loopback, and through Nebo.

    python -m benchmarks.gateway

The provider answers by script: at once, after a while as a model does, and as a stream. Calls take turns, so that a
busy moment of the machine hits both alike. The server is one of its own, on data that is thrown away.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx

from benchmarks.chatter import make_questions, make_turns
from benchmarks.client import Client
from benchmarks.server import running_server, throwaway_folder
from benchmarks.timing import Spread, spread_of

TURNS = 200  # that the person has said before
CALLS = 100  # of each kind, each way
WARM_UP = 60
THINKING_S = 0.4  # before a model's first word: a quick one
PAUSE_S = 0.02  # between two pieces of a stream
PIECES = 20
ANSWER = {
    "choices": [{"index": 0, "message": {"role": "assistant", "content": "Left, and over the bridge."}}]
}
PIECE = {"choices": [{"index": 0, "delta": {"content": "left and "}}]}
USER = "maya"


class Provider(BaseHTTPRequestHandler):
    """`/quick/…` answers at once, `/thinking/…` after a while; a stream comes in pieces."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if "thinking" in asked["model"]:
            time.sleep(THINKING_S)
        (self._stream if asked.get("stream") else self._answer)()

    def _answer(self) -> None:
        body = json.dumps(ANSWER).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _stream(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for _ in range(PIECES):
            self._chunk(f"data: {json.dumps(PIECE)}\n\n".encode())
            time.sleep(PAUSE_S)
        self._chunk(b"data: [DONE]\n\n")
        self._chunk(b"")

    def _chunk(self, piece: bytes) -> None:
        self.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece))

    def log_message(self, format: str, *args: Any) -> None:
        pass


@dataclass(frozen=True, slots=True)
class Way:
    """A kept connection to one of the two."""

    client: httpx.Client
    url: str

    def ask(self, model: str, question: str, *, stream: bool) -> tuple[float, float]:
        """Milliseconds until the first piece of the body, and until its end."""
        messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": question}]
        body = {"model": model, "messages": messages, "stream": stream}
        began = time.perf_counter()
        with self.client.stream("POST", self.url, json=body) as answer:
            pieces = answer.iter_raw()
            next(pieces)
            first = time.perf_counter()
            for _ in pieces:
                pass
        if answer.status_code != 200 or "unavailable" in answer.headers.get("x-nebo-memory", ""):
            raise RuntimeError(f"{answer.status_code}: {answer.headers}")
        return (first - began) * 1000, (time.perf_counter() - began) * 1000


@dataclass(frozen=True, slots=True)
class Figure:
    """What a kind of call takes, straight and through Nebo, and what is between the two."""

    kind: str
    straight: Spread
    through: Spread

    @property
    def added_ms(self) -> float:
        return self.through.p50 - self.straight.p50


@contextmanager
def provider() -> Iterator[str]:
    """Its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Provider)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()


def measure(straight: Way, through: Way) -> list[Figure]:
    """All kinds."""
    for question in make_questions(WARM_UP, seed="gateway warm"):
        through.ask("quick", question, stream=False)
    whole = partial(_measure, straight, through, stream=False)
    return [
        whole("whole answer of a model that thinks", "thinking")[1],
        *_measure(straight, through, "piece of its stream", "thinking", stream=True),
        whole("whole answer that is there at once", "quick")[1],
    ]


def _measure(straight: Way, through: Way, kind: str, model: str, *, stream: bool) -> tuple[Figure, Figure]:
    """Until the first piece, and until the end."""
    taken: tuple[list[tuple[float, float]], list[tuple[float, float]]] = ([], [])
    for question in make_questions(CALLS, seed=kind):
        for way, times in zip((straight, through), taken, strict=True):
            times.append(way.ask(model, question, stream=stream))
    first, end = ([spread_of([one[part] for one in times]) for times in taken] for part in (0, 1))
    named = ("first", "last") if stream else ("", "")
    return Figure(f"{named[0]} {kind}".strip(), *first), Figure(f"{named[1]} {kind}".strip(), *end)


def remember(client: Client) -> None:
    """What the person has said before."""
    session = client.open_session(USER, "before")
    client.add_turns(session, [turn.as_message() for turn in make_turns(TURNS, seed="gateway")])
    client.wait_for_vectors(limit_s=600)


def render(figures: list[Figure]) -> str:
    """As a table, with the milliseconds at p50 (p95)."""
    rows = [
        f"| {one.kind} | {one.straight.p50:.1f} ({one.straight.p95:.1f}) "
        f"| {one.through.p50:.1f} ({one.through.p95:.1f}) | {one.added_ms:.1f} |"
        for one in figures
    ]
    return "\n".join(["| ms at p50 (p95) | straight | through Nebo | added |", "|---|--:|--:|--:|", *rows])


def main() -> int:
    """Measure and print."""
    with (
        provider() as address,
        throwaway_folder() as folder,
        running_server(folder, {"NEBO_GATEWAY_OPENAI_URL": address}) as server,
    ):
        remember(Client(server.url, server.key))
        headers = {"X-Nebo-Key": server.key, "X-Nebo-User": USER, "X-Nebo-Session": "now"}
        through = Way(httpx.Client(headers=headers, timeout=60), f"{server.url}/v1/chat/completions")
        straight = Way(httpx.Client(timeout=60), f"{address}/chat/completions")
        sys.stdout.write(f"{render(measure(straight, through))}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
