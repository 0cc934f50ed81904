"""The official client before a live server, in each of its modes, and a caller that speaks plain HTTP."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

import httpx2
import pytest
from django.http import HttpResponse
from django.test import Client as DjangoClient
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.conftest import Team
from tests.keys import _empty_cache, key_of
from tests.live_server import live_server

__all__ = ["_empty_cache", "key_of"]

MODES = ("legacy", "auto", "2026-07-28")
HANDSHAKE, STATELESS = "2025-11-25", "2026-07-28"
T = TypeVar("T")


@dataclass
class Nebo:
    """A live server, and the official client before it."""

    address: str

    def use(
        self,
        key: str,
        act: Callable[[Client], Awaitable[T]],
        *,
        mode: str = "auto",
        path: str = "/mcp",
        **headers: str,
    ) -> T:
        """What `act` does with a client that has connected."""
        try:
            return asyncio.run(self._use(key, act, mode, path, headers))
        except BaseExceptionGroup as group:  # of the client's tasks, one within the other
            raise innermost(group) from None

    async def _use(
        self, key: str, act: Callable[[Client], Awaitable[T]], mode: str, path: str, headers: dict[str, str]
    ) -> T:
        sent = {
            "Authorization": f"Bearer {key}",
            **{name.replace("_", "-"): text for name, text in headers.items()},
        }
        async with httpx2.AsyncClient(headers=sent, timeout=60) as http:
            transport = streamable_http_client(f"{self.address}{path}", http_client=http)
            async with Client(transport, mode=mode) as client:
                return await act(client)

    def call(self, key: str, name: str, arguments: dict[str, Any], **options: Any) -> Any:
        """The result of one tool."""

        async def act(client: Client) -> Any:
            return await client.call_tool(name, arguments)

        return self.use(key, act, **options)


@pytest.fixture
def nebo(committed_db: None) -> Iterator[Nebo]:
    with live_server() as address:
        yield Nebo(address)


@dataclass
class Wire:
    """Sends JSON-RPC as it is written, through Django's test client."""

    key: str
    path: str = "/mcp"
    version: str = HANDSHAKE
    client: DjangoClient = field(default_factory=lambda: DjangoClient(raise_request_exception=False))

    def post(self, body: Any, **headers: str) -> HttpResponse:
        """`body` is sent as it is when it is bytes, else as JSON; a header that is "" is left out."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        named = {
            "Authorization": f"Bearer {self.key}",
            "MCP-Protocol-Version": self.version,
            "Accept": "application/json, text/event-stream",
            **{name.replace("_", "-"): text for name, text in headers.items()},
        }
        sent = {name: text for name, text in named.items() if text}
        return self.client.generic("POST", self.path, data, "application/json", headers=sent)

    def ask(self, method: str, params: Any = None, **headers: str) -> Any:
        """The whole answer to a request."""
        body = {"jsonrpc": "2.0", "id": 7, "method": method, **({} if params is None else {"params": params})}
        answer = self.post(body, **headers).json()
        assert (answer["jsonrpc"], answer["id"]) == ("2.0", 7)
        return answer

    def call(self, name: str, **arguments: Any) -> Any:
        """The result of a tool."""
        return self.ask("tools/call", {"name": name, "arguments": arguments})["result"]


@pytest.fixture
def wire(db: None, acme: Team) -> Wire:
    """With a key that is bound to Alice."""
    return Wire(key_of(acme, "alice"))


def innermost(error: BaseException) -> BaseException:
    """The error that a group of one is about."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def text_of(result: Any) -> str:
    """What a model reads, of the client's result or the wire's."""
    content = result["content"] if isinstance(result, dict) else result.content
    first = content[0]
    return first["text"] if isinstance(first, dict) else first.text
