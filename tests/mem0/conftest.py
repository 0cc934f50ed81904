"""A caller that sends what mem0's client sends."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

import pytest
from django.http import HttpResponse
from django.test import Client

from tests.conftest import Team
from tests.keys import _empty_cache, key_of

__all__ = ["_empty_cache", "key_of"]


@dataclass
class Mem0:
    """Sends JSON with a key, as `Authorization: Token …`."""

    key: str
    client: Client = field(default_factory=lambda: Client(raise_request_exception=False))

    def send(self, method: str, path: str, body: Any = None, **headers: str) -> HttpResponse:
        sent = {"Authorization": f"Token {self.key}", **{n.replace("_", "-"): v for n, v in headers.items()}}
        data = b"" if body is None else json.dumps(body).encode()
        return self.client.generic(method, path, data, "application/json", headers=sent)

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """The answer to what is taken."""
        response = self.send(method, path, body, **headers)
        assert response.status_code == 200, response.content
        return response.json()

    def add(self, words: Any, **fields: Any) -> Any:
        """What mem0's client sends for `add`."""
        messages = [{"role": "user", "content": words}] if isinstance(words, str) else words
        return self.ask("POST", "/v3/memories/add/", {"messages": messages, **fields})

    def note(self, text: str, **fields: Any) -> str:
        """The id of a text that is stored as it came."""
        return str(self.add(text, infer=False, **fields)["results"][0]["id"])

    def list(self, **fields: Any) -> list[str]:
        """The words of what is kept, by filters or users."""
        body = fields if "filters" in fields else {"filters": fields}
        return [one["memory"] for one in self.ask("POST", "/v3/memories/", body)["results"]]

    def search(self, query: str, version: int = 3, **fields: Any) -> list[Any]:
        """What is found."""
        found = self.ask("POST", f"/v{version}/memories/search/", {"query": query, **fields})["results"]
        return list(found)

    def forget(self, **query: str) -> Any:
        """What mem0's client sends for `delete_all`."""
        return self.ask("DELETE", f"/v1/memories/?{urlencode(query)}")


@pytest.fixture(autouse=True)
def _whole_product(settings: Any) -> None:
    settings.ROOT_URLCONF = "nebo.urls"


@pytest.fixture
def mem0(db: None, acme: Team) -> Mem0:
    """With a key for everyone."""
    return Mem0(key_of(acme, scopes=("read", "write", "admin")))
