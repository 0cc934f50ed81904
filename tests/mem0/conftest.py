"""A caller that sends what mem0's client sends."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

import pytest
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client

from nebo.tenants.scoping import tenant_scope
from nebo.tenants.services import get_or_create_person, issue_key
from search.embeddings.registry import get_embedder
from tests.conftest import Team


@pytest.fixture(autouse=True)
def _quick_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Vectors by hashing, which ships beside the real model and needs none."""
    hashing = get_embedder("hashing/384")
    monkeypatch.setattr("search.embeddings.serving.get_embedder", lambda: hashing)
    cache.clear()


def key_of(team: Team, person: str = "", **key: Any) -> str:
    """A new key of that team, bound to a person where one is named."""
    with tenant_scope(team.tenant):
        bound = get_or_create_person(tenant=team.tenant, external_id=person) if person else None
        return issue_key(tenant=team.tenant, person=bound, **key).secret


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
