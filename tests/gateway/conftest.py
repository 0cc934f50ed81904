"""A live server, a provider on loopback that answers by script, and an agent that speaks plain HTTP with both."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event
from typing import Any

import httpx
import psycopg
import pytest
from django.conf import settings as settings_of_django
from psycopg import sql

from nebo.env import env
from nebo.tenants.scoping import tenant_scope
from sessions.models import Message, Session
from tests.conftest import Team
from tests.keys import _empty_cache, key_of
from tests.live_server import live_server
from tests.scripted_server import Behaviour, Reply, ScriptedServer, scripted_server

__all__ = ["_empty_cache", "key_of", "scripted_server"]

CHAT, MESSAGES, RESPONSES = "/v1/chat/completions", "/v1/messages", "/v1/responses"
PROVIDERS_KEY = "sk-theirs-4f1c9b"
STREAM_HEAD = {"content-type": "text/event-stream", "x-request-id": "req_theirs"}


@dataclass
class Agent:
    """Sends what a client of a provider sends, to Nebo."""

    address: str
    key: str
    headers: dict[str, str] = field(default_factory=dict)

    def post(self, path: str, body: Any, **headers: str) -> httpx.Response:
        return httpx.post(self.address + path, **self.sent(body, headers))

    def stream(self, path: str, body: Any, **headers: str) -> Any:
        """A context manager of the answer, whose body is still to come."""
        return httpx.stream("POST", self.address + path, **self.sent(body, headers))

    def sent(self, body: Any, headers: dict[str, str]) -> dict[str, Any]:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        named = {
            "Authorization": f"Bearer {PROVIDERS_KEY}",
            "X-Nebo-Key": self.key,
            "Content-Type": "application/json",
            **self.headers,
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        given = {name: value for name, value in named.items() if value}
        # Nothing is verified on loopback: to read the list of authorities would take longer than most calls.
        return {"content": content, "headers": given, "timeout": 60, "verify": False}

    def chat(self, *texts: str, **headers: str) -> httpx.Response:
        """A chat completion of a conversation, in which the person begins."""
        return self.post(CHAT, {"model": "m", "messages": conversation(*texts)}, **headers)


def conversation(*texts: str) -> list[dict[str, str]]:
    roles = ("user", "assistant")
    return [{"role": roles[place % 2], "content": text} for place, text in enumerate(texts)]


@pytest.fixture
def agent(committed_db: None, acme: Team, settings: Any, scripted_server: ScriptedServer) -> Iterator[Agent]:
    """Of acme, for Alice."""
    settings.GATEWAY_UPSTREAMS = {"openai": scripted_server.url, "anthropic": scripted_server.url}
    with live_server() as address:
        yield Agent(address, key_of(acme, "alice"))


def said(team: Team, count: int = 0, **session: Any) -> list[tuple[str, str]]:
    """What is kept of conversations, in order, as soon as there are so many messages: the model's are kept when the
    client has all of them.
    """
    deadline = time.monotonic() + 60
    while len(found := _said(team, **session)) < count and time.monotonic() < deadline:
        time.sleep(0.02)
    return found


def _said(team: Team, **session: Any) -> list[tuple[str, str]]:
    with tenant_scope(team.tenant):
        rows = Message.objects.for_tenant(team.tenant).order_by("session__started_at", "seq")
        if session:
            rows = rows.filter(session__in=Session.objects.for_tenant(team.tenant).filter(**session))
        return list(rows.values_list("role", "content"))


# --- What providers answer ----------------------------------------------------------------------------


def completion(text: str | None, **message: Any) -> dict[str, Any]:
    choice = {
        "index": 0,
        "finish_reason": "stop",
        "message": {"role": "assistant", "content": text, **message},
    }
    return {"id": "c1", "object": "chat.completion", "choices": [choice]}


def claude(text: str) -> dict[str, Any]:
    return {"id": "m1", "type": "message", "role": "assistant", "content": [{"type": "text", "text": text}]}


def chunks(*texts: str, done: bool = True) -> list[bytes]:
    """The pieces of OpenAI's stream."""
    pieces = [{"choices": [{"index": 0, "delta": {"content": text}}]} for text in texts]
    lines = [f"data: {json.dumps(piece)}\n\n".encode() for piece in pieces]
    return [*lines, *([b"data: [DONE]\n\n"] if done else [])]


def claude_events(*texts: str) -> list[bytes]:
    """The pieces of Anthropic's stream."""
    deltas = [
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}}
        for text in texts
    ]
    events = [{"type": "message_start", "message": claude("")}, *deltas, {"type": "message_stop"}]
    return [f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode() for event in events]


def streamed(
    pieces: list[bytes], *, hold: Event | None = None, after: int = 1, breaks_off: bool = False
) -> Behaviour:
    """Pieces as chunks; behind the first `after` it waits until it is told to go on."""

    def behave(reply: Reply) -> None:
        reply.head_of_chunks(STREAM_HEAD)
        for place, piece in enumerate(pieces):
            if hold is not None and place == after:
                while not (hold.wait(0.05) or reply.leaving.is_set()):
                    pass
            reply.write(b"%x\r\n%b\r\n" % (len(piece), piece))
        if breaks_off:
            reply.hang_up()
        else:
            reply.write(b"0\r\n\r\n")

    return behave


@pytest.fixture
def away(agent: Agent) -> Any:
    """A context in which a table is gone, so that each statement that asks for it fails."""

    @contextmanager
    def hidden(table: str) -> Iterator[None]:
        urls = settings_of_django.DATABASE_URLS
        with psycopg.connect(urls.owner, dbname=env.test_database, autocommit=True) as owner:
            rename = "ALTER TABLE {} RENAME TO {}"
            here, elsewhere = sql.Identifier(table), sql.Identifier(f"{table}_away")
            owner.execute(sql.SQL(rename).format(here, elsewhere))
            try:
                yield
            finally:
                owner.execute(sql.SQL(rename).format(elsewhere, here))

    return hidden


@pytest.fixture
def whole_database(agent: Agent) -> Any:
    """Every row of every table, as text."""

    def read() -> str:
        urls = settings_of_django.DATABASE_URLS
        with psycopg.connect(urls.admin, dbname=env.test_database) as admin:
            tables = admin.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
            rows = [
                admin.execute(sql.SQL("SELECT t::text FROM {} t").format(sql.Identifier(name))).fetchall()
                for (name,) in tables
            ]
        return "\n".join(str(row) for table in rows for row in table)

    return read
