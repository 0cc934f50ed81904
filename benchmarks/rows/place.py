"""The servers that rows are asked of, each started when a row first needs it, and stopped at the end."""

from __future__ import annotations

import itertools
import json
import os
import threading
import uuid
from collections import defaultdict
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from types import TracebackType
from typing import Self

import httpx

from benchmarks.client import JSON, CallFailed, Client
from benchmarks.rows.browser import Browser, open_browser
from benchmarks.rows.person import Person
from benchmarks.rows.row import Kind, Row
from benchmarks.scripted import Script, scripted_model
from benchmarks.server import TENANT, Server, manage, running_server, throwaway_folder

SCOPES = "read,write,admin"
THREADS = {"NEBO_WEB_THREADS": "20"}  # a request that waits for its job keeps one
HEALTH_S = 30
NOWHERE = "http://127.0.0.1:9/v1"  # nobody listens on discard


@dataclass(frozen=True, slots=True)
class Door:
    """A server with a key for it; `server` is ours, `script` that of its model."""

    url: str
    key: str
    server: Server | None = None
    script: Script | None = None


class Place:
    """Where one row is asked: clients, persons and whatever else it needs. One connection, for one thread."""

    def __init__(self, door: Door, row: Row, run: str) -> None:
        self._door, self._row, self._run = door, row, run
        self._people = itertools.count(1)
        self.client = Client(door.url, door.key)
        self._others: list[Client] = []

    def person(self) -> Person:
        """A new one."""
        return Person(self.client, f"{self._row.id}-{next(self._people)}-{self._run}")

    @property
    def model(self) -> Script:
        """What the model of this server says."""
        assert self._door.script is not None
        return self._door.script

    @property
    def server(self) -> Server:
        """Ours, for what an operator does beside it."""
        assert self._door.server is not None
        return self._door.server

    def persona(self, slug: str, **columns: object) -> str:
        """A persona of this row's own; its slug."""
        own = f"{slug}-{self._row.id}-{self._run}"
        body = {"slug": own, "name": slug.title(), **columns}
        try:
            self.client.call("POST", "personas/", body)
        except CallFailed as refused:
            if refused.status != 409:
                raise
        return own

    def refusal(self, method: str, path: str, body: JSON) -> str:
        """What the server says where it takes a call for bad; that it took it otherwise."""
        try:
            answer = self.client.call(method, path, body)
        except CallFailed as refused:
            return str(refused)
        return f"taken: {answer.body}"

    def health(self) -> JSON:
        """The parts of the server, each with its status."""
        parts: JSON = httpx.get(f"{self._door.url}/healthz", timeout=HEALTH_S).json()["parts"]
        return parts

    def tenant(self) -> Place:
        """The same row in a tenant of its own, for what changes settings of all."""
        slug = f"{self._row.id}-{uuid.uuid4().hex[:6]}"
        door = Door(self._door.url, issue_key(self.server, slug), self.server, self._door.script)
        other = Place(door, self._row, self._run)
        self._others.append(other.client)
        return other

    def browser(self) -> Browser:
        """Logged in as an owner of the tenant."""
        return open_browser(self.server, TENANT)

    def close(self) -> None:
        """Let the connections go."""
        for client in (self.client, *self._others):
            client.close()


class Places:
    """All servers of a run; `given` is one that runs already."""

    def __init__(self, given: Door | None = None) -> None:
        self._given, self._doors = given, dict[Kind, Door]()
        self._stack, self._locks = ExitStack(), defaultdict[Kind, threading.Lock](threading.Lock)
        self._run = uuid.uuid4().hex[:6]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def why_not(self, row: Row) -> str:
        """Why a row can't be asked of the server that was given; empty where it can."""
        if self._given is None or (row.kind == "rules" and not row.own):
            return ""
        return "needs a server of our own"

    def open(self, row: Row) -> Place:
        """Where the row is asked."""
        return Place(self._given or self._door(row.kind), row, self._run)

    def _door(self, kind: Kind) -> Door:
        with self._locks[kind]:
            if kind not in self._doors:
                self._doors[kind] = self._start(kind)
            return self._doors[kind]

    def _start(self, kind: Kind) -> Door:
        script, settings = self._settings(kind)
        folder = self._stack.enter_context(throwaway_folder())
        server = self._stack.enter_context(running_server(folder, {**THREADS, **settings}))
        return Door(server.url, issue_key(server, TENANT), server, script)

    def _settings(self, kind: Kind) -> tuple[Script | None, Mapping[str, str]]:
        if kind == "rules":
            return None, {"NEBO_CHAT_MODELS": ""}
        if kind == "wordless":
            lost = {
                "NEBO_EMBEDDING_MODEL": "openai/text-embedding-3-small",
                "NEBO_EMBEDDING_DIMENSIONS": "384",
            }
            return None, {
                "NEBO_CHAT_MODELS": "",
                "OPENAI_BASE_URL": NOWHERE,
                "OPENAI_API_KEY": "none",
                **lost,
            }
        script, url = self._stack.enter_context(scripted_model())
        return script, {
            "NEBO_CHAT_MODELS": "openai/scripted",
            "OPENAI_BASE_URL": url,
            "OPENAI_API_KEY": "none",
        }


def issue_key(server: Server, slug: str) -> str:
    """A key with every scope for a tenant, which is made where there is none."""
    told = manage(server.environment, "issue_key", "--tenant", slug, "--create", "--scopes", SCOPES, "--json")
    return str(json.loads(told)["key"])


def door_of(url: str, key: str | None) -> Door | None:
    """The server that is named; None where none is."""
    return Door(url, key or os.environ.get("KEY", "")) if url else None
