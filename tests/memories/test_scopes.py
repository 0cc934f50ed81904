"""Session, user, global: who is told what, by every way to be told; and who may say it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from tests.conftest import Team
from tests.memories.conftest import Call, caller

pytestmark = pytest.mark.django_db

CODE = "The code word is nightingale"
OFFICE = "The office has a nightingale on its roof"


@dataclass(frozen=True)
class Scene:
    """Two sessions of Alice, one of Bob; a memory of the first session, and one for everyone."""

    call: Call
    one: str
    other: str
    bobs: str
    code: str
    office: str


@pytest.fixture
def scene(call: Call, acme: Team) -> Scene:
    one, other, bobs = (
        open_session(call, user, key) for user, key in (("alice", "1"), ("alice", "2"), ("bob", "3"))
    )
    code = store(call, "alice", CODE, scope="session", session=one, entity_refs=["place:roof"], importance=3)
    admin = caller(acme, scopes=["read", "write", "admin"])
    office = store(admin, "alice", OFFICE, scope="global", entity_refs=["place:roof"], importance=3)
    return Scene(call, one, other, bobs, code["id"], office["id"])


def open_session(call: Call, user: str, key: str) -> str:
    return str(call("POST", "sessions/", {"user": user, "key": key}).json()["id"])


def store(call: Call, user: str, value: str, **body: Any) -> dict[str, Any]:
    answer = call("POST", f"users/{user}/memories/", {"value": value, **body})
    assert answer.status_code == 201, answer.content
    return answer.json()


def told(texts: Iterator[str] | list[str] | str) -> set[str]:
    everything = texts if isinstance(texts, str) else "\n".join(texts)
    return {name for name, words in (("code", "code word"), ("office", "on its roof")) if words in everything}


def searched(scene: Scene, user: str, session: str | None) -> set[str]:
    body = {"query": "nightingale", "session": session}
    answer = scene.call("POST", f"users/{user}/search/", body).json()
    return told([hit["text"] for hit in answer["results"]])


def recalled(scene: Scene, user: str, session: str | None) -> set[str]:
    body = {"query": "nightingale", "session": session, "min_similarity": 0.0}
    return told(scene.call("POST", f"users/{user}/recall/", body).json()["block"])


def by_tool(action: str, **fields: Any) -> Any:
    def ask(scene: Scene, user: str, session: str | None) -> set[str]:
        body = {"action": action, "session": session, **fields}
        return told(scene.call("POST", f"users/{user}/tool/", body).json()["text"])

    return ask


def in_context(scene: Scene, user: str, session: str | None) -> set[str]:
    named = session or scene.other
    answer = scene.call("POST", f"sessions/{named}/context/", {"query": "nightingale"}).json()
    return told(answer["stable"] + answer["dynamic"])


WAYS = [
    pytest.param(searched, id="search"),
    pytest.param(recalled, id="recall"),
    pytest.param(by_tool("search", query="nightingale"), id="tool search"),
    pytest.param(by_tool("list"), id="tool list"),
    pytest.param(in_context, id="context"),
]


@pytest.mark.parametrize("way", WAYS)
def test_a_sessions_memory_is_told_in_that_session_alone(scene: Scene, way: Any) -> None:
    assert way(scene, "alice", scene.one) == {"code", "office"}
    assert way(scene, "alice", scene.other) == {"office"}
    assert way(scene, "bob", scene.bobs) == {"office"}


@pytest.mark.parametrize("way", [way for way in WAYS if way.id != "context"])
def test_where_no_session_is_named_no_sessions_memory_is_told(scene: Scene, way: Any) -> None:
    assert way(scene, "alice", None) == {"office"}


@pytest.mark.parametrize("path", ["search", "recall"])
def test_another_persons_session_is_not_found(scene: Scene, path: str) -> None:
    answer = scene.call("POST", f"users/alice/{path}/", {"query": "nightingale", "session": scene.bobs})

    assert answer.status_code == 404


def test_the_tool_finds_no_session_of_another_person(scene: Scene) -> None:
    for action in ("search", "list", "store"):
        body = {"action": action, "query": "x", "value": "x", "session": scene.bobs}
        assert scene.call("POST", "users/alice/tool/", body).status_code == 404


def test_a_card_holds_no_sessions_memory(scene: Scene) -> None:
    store(scene.call, "alice", "The roof leaks", entity_refs=["place:roof"], importance=3)

    cards = scene.call("GET", "users/alice/entities/").json()["results"]

    assert "roof leaks" in str(cards)
    assert "code word" not in str(cards)


def test_without_admin_nobody_writes_for_everyone(scene: Scene, acme: Team) -> None:
    writer = caller(acme, scopes=["read", "write"])

    answers = [
        writer("POST", "users/alice/memories/", {"value": "x", "scope": "global"}),
        writer("POST", "users/alice/tool/", {"action": "store", "value": "x", "scope": "global"}),
        writer("POST", "users/alice/tool/", {"action": "delete", "key": "x", "scope": "global"}),
        writer("POST", "users/alice/tool/", {"action": "clear", "namespace": "default", "scope": "global"}),
        writer("PATCH", f"memories/{scene.office}/", {"value": "x"}),
        writer("DELETE", f"memories/{scene.office}/"),
        writer("POST", f"memories/{scene.office}/pin/"),
    ]

    assert [answer.status_code for answer in answers] == [403] * len(answers)


def test_the_tool_deletes_nothing_of_everyones_by_the_way(scene: Scene) -> None:
    scene.call("POST", "users/alice/tool/", {"action": "clear", "namespace": "default"})
    scene.call("POST", "users/alice/tool/", {"action": "clear", "layer": "entity", "namespace": "default"})

    assert searched(scene, "alice", scene.one) == {"code", "office"}


def test_the_tool_stores_and_clears_in_the_scope_it_names(scene: Scene, acme: Team) -> None:
    admin = caller(acme, scopes=["read", "write", "admin"])
    for scope in ("session", "user", "global"):
        body = {"action": "store", "key": scope, "value": f"Kept for {scope}", "session": scene.other}
        answer = admin("POST", "users/alice/tool/", {**body, "scope": scope, "namespace": "box"}).json()
        assert answer["ok"], answer

    def boxed(session: str) -> list[str]:
        body = {"action": "list", "namespace": "box", "session": session}
        shown = admin("POST", "users/alice/tool/", body).json()["data"]["memories"]
        return sorted(memory["key"] for memory in shown)

    before, elsewhere = boxed(scene.other), boxed(scene.one)
    admin("POST", "users/alice/tool/", {"action": "clear", "namespace": "box", "scope": "global"})

    assert before == ["global", "session", "user"]
    assert elsewhere == ["global", "user"]
    assert boxed(scene.other) == ["session", "user"]


def test_a_session_scope_needs_a_session(scene: Scene) -> None:
    answer = scene.call("POST", "users/alice/tool/", {"action": "store", "value": "x", "scope": "session"})

    assert answer.json()["ok"] is False
    assert answer.json()["data"] == {"field": "session"}


def test_another_tenant_is_told_nothing(scene: Scene, rival: Team) -> None:
    theirs = caller(rival)
    theirs("POST", "users/alice/memories/", {"value": "Likes the nightingale"})

    found = theirs("POST", "users/alice/search/", {"query": "nightingale"}).json()["results"]

    assert [hit["text"] for hit in found] == ["Likes the nightingale"]
