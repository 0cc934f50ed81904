"""A caller: a key of a team and the client that carries it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client

from nebo.tenants.scoping import tenant_scope
from nebo.tenants.services import issue_key
from tests.conftest import Team


@dataclass
class Agent:
    """Calls the API with one key."""

    secret: str
    client: Client = field(default_factory=lambda: Client(raise_request_exception=False))

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> HttpResponse:
        """`body` is sent as it is when it is bytes, else as JSON."""
        data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        content_type = named.pop("content-type", "application/json")
        sent = {"Authorization": f"Bearer {self.secret}", **named}
        return self.client.generic(method, f"/api/v1/{path}", data, content_type, headers=sent)

    def get(self, path: str, **headers: str) -> HttpResponse:
        return self.call("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> HttpResponse:
        return self.call("POST", path, body, **headers)


def agent_of(team: Team, **key: Any) -> Agent:
    """An agent with a new key of that team."""
    with tenant_scope(team.tenant):
        return Agent(issue_key(tenant=team.tenant, **key).secret)


@pytest.fixture(autouse=True)
def _furniture(settings: Any) -> None:
    settings.ROOT_URLCONF = "tests.api.urls"
    cache.clear()


@pytest.fixture
def agent(db: None, acme: Team) -> Agent:
    return agent_of(acme)


def assert_problem(response: HttpResponse, status: int, code: str) -> dict[str, Any]:
    """The answer is a whole problem document of that kind; returns it."""
    assert response.status_code == status, response.content
    assert response["Content-Type"] == "application/problem+json"
    document: dict[str, Any] = json.loads(response.content)
    assert set(document) >= {"type", "title", "status", "detail", "code", "request_id", "errors"}
    assert (document["status"], document["code"]) == (status, code)
    assert document["request_id"] == response["X-Request-ID"] != ""
    assert all(set(error) == {"pointer", "detail"} for error in document["errors"])
    return document
