"""A Nebo behind a real socket, and clients of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from nebo_client import Nebo, Session
from nebo_client.outbox import Outbox
from nebo_client.shapes import NewMessage

from nebo.tenants.scoping import tenant_scope
from nebo.tenants.services import issue_key
from tests.conftest import Team
from tests.live_server import live_server
from tests.scripted_server import ScriptedServer, scripted_server

__all__ = ["ScriptedServer", "scripted_server"]


@dataclass(frozen=True)
class Place:
    """Where Nebo is, and a key."""

    key: str
    url: str


@pytest.fixture
def place(committed_db: None, acme: Team) -> Iterator[Place]:
    with tenant_scope(acme.tenant):
        key = issue_key(tenant=acme.tenant).secret
    with live_server() as url:
        yield Place(key, url)


@pytest.fixture
def nebo(place: Place) -> Iterator[Nebo]:
    with Nebo(place.key, place.url) as client:
        yield client


@pytest.fixture
def outbox(tmp_path: Path) -> Outbox:
    return Outbox(tmp_path / "outbox")


def user_says(*texts: str) -> list[NewMessage]:
    return [{"role": "user", "content": text} for text in texts]


def told(session: Session) -> list[str]:
    return [message["content"] for message in session.messages()]


def at_scripted(server: ScriptedServer, **options: Any) -> Nebo:
    """A client of a server that misbehaves by script."""
    return Nebo("nebo_key", server.url, **options)
