"""A Nebo started by its own command on data that is thrown away, and a provider on loopback that answers by script.

These tests use the real SDKs of others, which Nebo doesn't depend on: `make test-sdk` installs them apart.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import threading
import time
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from nebo_client import AsyncNebo, Nebo, User

REPOSITORY = Path(__file__).parent.parent.parent
PYTHON = REPOSITORY / ".venv" / "bin" / "python"
START_S = 120


@dataclass(frozen=True)
class Place:
    """Where Nebo is, a key, and how to get another: with options of `issue_key`."""

    key: str
    url: str
    issue: Callable[..., str]


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory, providers: Provider) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("nebo")
    folder.chmod(0o755)  # as root, the server runs under another user
    port = free_port()
    upstream = {"NEBO_GATEWAY_OPENAI_URL": providers.url, "NEBO_GATEWAY_ANTHROPIC_URL": providers.url}
    env = {**os.environ, **upstream, "NEBO_DATA_DIR": str(folder / "data"), "PORT": str(port)}
    log = (folder / "start.log").open("w")
    running = subprocess.Popen(
        [PYTHON, "manage.py", "start", "--no-demo"], cwd=REPOSITORY, env=env, stdout=log, stderr=log
    )
    try:
        url = f"http://127.0.0.1:{port}"
        wait_for(url, running, folder / "start.log")

        def issue(*options: str) -> str:
            command = [PYTHON, "manage.py", "issue_key", "--tenant", "sdk", "--json", *options]
            made = subprocess.run(
                command, cwd=REPOSITORY, env=env, check=True, capture_output=True, text=True
            )
            return str(json.loads(made.stdout.strip().splitlines()[-1])["key"])

        yield Place(issue("--create"), url, issue)
    finally:
        running.terminate()
        running.wait(60)


@pytest.fixture
def annie(place: Place) -> Iterator[User]:
    """Somebody of whom nothing is known."""
    with Nebo(place.key, place.url) as nebo:
        yield nebo.user(f"annie-{uuid.uuid4().hex[:8]}")


@pytest.fixture
def elsewhere(place: Place) -> AsyncNebo:
    """A client with an event loop; whoever uses it closes it there."""
    return AsyncNebo(place.key, place.url)


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def wait_for(url: str, running: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline and running.poll() is None:
        try:
            urllib.request.urlopen(f"{url}/accounts/login/", timeout=2).close()
        except OSError:
            time.sleep(0.3)
        else:
            return
    raise AssertionError(log.read_text())


@dataclass
class Provider:
    """What it was asked, and what it answers: one body after the other."""

    url: str = ""
    asked: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    answers: list[tuple[int, str, bytes]] = field(default_factory=list)

    def will_answer(self, body: object, status: int = 200) -> None:
        self.answers.append((status, "application/json", json.dumps(body).encode()))

    def will_stream(self, *events: tuple[str, object]) -> None:
        lines = [f"event: {name}\n" * bool(name) + f"data: {told(data)}\n\n" for name, data in events]
        self.answers.append((200, "text/event-stream", "".join(lines).encode()))


def told(data: object) -> str:
    return data if isinstance(data, str) else json.dumps(data)


@pytest.fixture
def provider(providers: Provider) -> Provider:
    """Nothing asked, nothing to answer."""
    providers.asked.clear()
    providers.answers.clear()
    providers.headers.clear()
    return providers


@pytest.fixture(scope="session")
def providers() -> Iterator[Provider]:
    """One for all tests, since Nebo is told once where it is."""
    provider = Provider()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            provider.asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            provider.headers.append({name.lower(): value for name, value in self.headers.items()})
            status, kind, body = provider.answers.pop(0)
            self.send_response(status)
            self.send_header("X-Request-Id", f"req_{len(provider.asked)}")
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    provider.url = f"http://127.0.0.1:{server.server_port}"
    yield provider
    server.shutdown()
    server.server_close()
