"""A caller of the API and a conversation to talk in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from nebo.tenants.scoping import tenant_scope
from nebo.tenants.services import issue_key
from tests.conftest import Team

Call = Callable[..., Any]


def caller(team: Team, **binding: Any) -> Call:
    """`call("POST", "sessions/", {...})` as a key of that team."""
    with tenant_scope(team.tenant):
        secret = issue_key(tenant=team.tenant, **binding).secret
    client = Client(headers={"Authorization": f"Bearer {secret}"})

    def call(method: str, path: str, body: Any = None, **headers: Any) -> Any:
        arguments = {} if method == "GET" else {"data": body or "", "content_type": "application/json"}
        return getattr(client, method.lower())(f"/api/v1/{path}", **arguments, headers=headers or None)

    return call


@pytest.fixture
def call(db: None, acme: Team) -> Call:
    return caller(acme)


@pytest.fixture
def session_id(call: Call) -> str:
    answer = call("POST", "sessions/", {"user": "alice", "key": "chat-1"})
    assert answer.status_code == 201, answer.content
    return str(answer.json()["id"])
