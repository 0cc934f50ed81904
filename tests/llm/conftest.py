"""Fixtures for the chat-model clients: a scripted provider, and connections closed after each test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from nebo.llm.transport import Endpoint, HttpTransport
from nebo.llm.types import ChatRequest
from tests.scripted_server import ScriptedServer, scripted_server

__all__ = ["scripted_server"]


@pytest.fixture
def transport() -> Iterator[HttpTransport]:
    transport = HttpTransport()
    yield transport
    transport.close()


@pytest.fixture
def endpoint(scripted_server: ScriptedServer) -> Endpoint:
    return Endpoint("openai", "gpt-x", f"{scripted_server.url}/answer", {"authorization": "Bearer sk-secret"})


@pytest.fixture
def request_for_json() -> ChatRequest:
    return ChatRequest(
        task="extract", system="Read closely.", prompt="Caroline likes tea.", max_output_tokens=300, json=True
    )
