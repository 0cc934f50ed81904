"""A scripted server stands in for Nebo where only the client is tested."""

from collections.abc import Iterator

import pytest

from benchmarks.client import Client
from tests.scripted_server import ScriptedServer, scripted_server

__all__ = ["scripted_server"]


@pytest.fixture
def client(scripted_server: ScriptedServer) -> Iterator[Client]:
    client = Client(scripted_server.url, "nebo_key")
    yield client
    client.close()
