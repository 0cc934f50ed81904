"""Turns over HTTP: stored at once, whole or not at all, searchable, and learned from later."""

from __future__ import annotations

from typing import Any

import pytest

from nebo.jobs.models import Job
from nebo.tenants.scoping import tenant_scope
from search.models import Chunk
from sessions.models import Message, Session
from tests.conftest import Team
from tests.sessions.conftest import Call, caller

pytestmark = pytest.mark.django_db


def user_says(*contents: str) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": content} for content in contents]}


def count(team: Team, model: type[Any]) -> int:
    with tenant_scope(team.tenant):
        return model.objects.for_tenant(team.tenant).count()


def test_a_session_is_made_once_and_found_again(call: Call) -> None:
    first = call("POST", "sessions/", {"user": "alice", "key": "chat-1"})
    again = call("POST", "sessions/", {"user": "alice", "key": "chat-1"})

    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json()["id"] == again.json()["id"]
    assert first.json()["user"] == "alice"


def test_an_identity_becomes_a_v2_key(call: Call) -> None:
    identity = {"workspace": "acme", "channel": "slack", "conversation": "c-1"}

    first = call("POST", "sessions/", {"user": "alice", "identity": identity})
    again = call("POST", "sessions/", {"user": "alice", "identity": {**identity, "channel": "SLACK"}})

    assert first.json()["key"].startswith("v2:")
    assert again.json()["key"] == first.json()["key"]
    assert again.status_code == 200


def test_a_turn_is_numbered_and_named(call: Call, session_id: str) -> None:
    body = {
        "messages": [
            {"role": "user", "content": "Hello", "external_id": "m-1"},
            {"role": "assistant", "content": "Hi"},
        ]
    }

    answer = call("POST", f"sessions/{session_id}/turns/", body)

    assert answer.status_code == 201, answer.content
    assert [(m["seq"], m["external_id"]) for m in answer.json()["messages"]] == [(1, "m-1"), (2, None)]
    assert answer.json()["extraction"]["due_at"].endswith("Z")
    assert answer.json()["persona"] == {"decisions": []}


def test_a_turn_leaves_messages_chunks_and_one_job(call: Call, session_id: str, acme: Team) -> None:
    call("POST", f"sessions/{session_id}/turns/", user_says("The boat leaves at nine.", "Bring a coat."))

    with tenant_scope(acme.tenant):
        chunks = list(Chunk.objects.for_tenant(acme.tenant).order_by("seq_from"))
        kinds = list(
            Job.objects.for_tenant(acme.tenant).filter(kind="extract").values_list("state", flat=True)
        )
    assert [chunk.text for chunk in chunks] == ["The boat leaves at nine.", "Bring a coat."]
    assert chunks[0].heading.endswith("User:")
    assert chunks[0].speaker == "User"
    assert kinds == ["queued"]


def test_a_second_turn_moves_the_job_and_makes_no_other(call: Call, session_id: str, acme: Team) -> None:
    first = call("POST", f"sessions/{session_id}/turns/", user_says("One."))
    second = call("POST", f"sessions/{session_id}/turns/", user_says("Two."))

    assert second.json()["extraction"]["due_at"] > first.json()["extraction"]["due_at"]
    with tenant_scope(acme.tenant):
        assert Job.objects.for_tenant(acme.tenant).filter(kind="extract").count() == 1


def test_a_message_sent_twice_is_stored_once(call: Call, session_id: str, acme: Team) -> None:
    body = {"messages": [{"role": "user", "content": "Hello", "external_id": "m-1"}]}

    first = call("POST", f"sessions/{session_id}/turns/", body)
    again = call("POST", f"sessions/{session_id}/turns/", body)

    assert again.json()["messages"] == first.json()["messages"]
    assert count(acme, Message) == 1


def test_an_external_id_taken_by_other_words_is_a_conflict_and_stores_nothing(
    call: Call, session_id: str, acme: Team
) -> None:
    call(
        "POST",
        f"sessions/{session_id}/turns/",
        {"messages": [{"role": "user", "content": "A", "external_id": "m"}]},
    )

    body = {
        "messages": [{"role": "user", "content": "new"}, {"role": "user", "content": "B", "external_id": "m"}]
    }
    answer = call("POST", f"sessions/{session_id}/turns/", body)

    assert answer.status_code == 409
    assert answer.json()["errors"][0]["pointer"] == "#/messages/1/external_id"
    assert count(acme, Message) == 1


BAD_TURNS: list[tuple[Any, int, str]] = [
    ({"messages": []}, 400, "#/messages"),
    ({}, 400, "#/messages"),
    ({"messages": [{"role": "user", "content": ""}]}, 400, "#/messages/0/content"),
    ({"messages": [{"role": "user", "content": "   "}]}, 400, "#/messages/0/content"),
    ({"messages": [{"role": "user", "content": "x" * 100_001}]}, 400, "#/messages/0/content"),
    ({"messages": [{"role": "user", "content": "a\0b"}]}, 400, "#/messages/0/content"),
    ({"messages": [{"role": "wizard", "content": "x"}]}, 400, "#/messages/0/role"),
    ({"messages": [{"role": "user", "content": "ok"}, {"content": "x"}]}, 400, "#/messages/1/role"),
    ({"messages": [{"role": "user", "content": "x", "colour": "red"}]}, 400, "#/messages/0/colour"),
    ({"messages": [{"role": "user", "content": "x"}], "extra": 1}, 400, "#/extra"),
    ({"messages": [{"role": "user", "content": "x", "created_at": "soon"}]}, 400, "#/messages/0/created_at"),
    ({"messages": [{"role": "user", "content": 7}]}, 400, "#/messages/0/content"),
    ({"messages": [{"role": "user", "content": "x"}] * 501}, 400, "#/messages"),
    ({"messages": "hello"}, 400, "#/messages"),
]


@pytest.mark.parametrize(
    ("body", "status", "pointer"), BAD_TURNS, ids=[pointer for _, _, pointer in BAD_TURNS]
)
def test_bad_turns_name_the_field_and_store_nothing(
    call: Call, session_id: str, acme: Team, body: Any, status: int, pointer: str
) -> None:
    answer = call("POST", f"sessions/{session_id}/turns/", body)

    assert answer.status_code == status, answer.content
    assert answer["Content-Type"] == "application/problem+json"
    assert pointer in [error["pointer"] for error in answer.json()["errors"]]
    assert count(acme, Message) == 0
    assert count(acme, Job) == 0


def test_broken_json_is_a_problem(call: Call, session_id: str) -> None:
    answer = call("POST", f"sessions/{session_id}/turns/", '{"messages": [')

    assert answer.status_code == 400
    assert answer["Content-Type"] == "application/problem+json"


def test_five_hundred_messages_are_one_turn(call: Call, session_id: str, acme: Team) -> None:
    answer = call("POST", f"sessions/{session_id}/turns/", user_says(*(f"Line {n}." for n in range(500))))

    assert answer.status_code == 201
    assert count(acme, Message) == 500


@pytest.mark.parametrize("path", ["", "turns/", "messages/", "context/", "extract/", "active-task/"])
def test_another_tenants_session_is_not_found(call: Call, session_id: str, rival: Team, path: str) -> None:
    method = {"": "GET", "messages/": "GET", "active-task/": "PUT"}.get(path, "POST")
    bodies: dict[str, Any] = {"turns/": user_says("x"), "context/": {}, "active-task/": {"text": "x"}}

    answer = caller(rival)(method, f"sessions/{session_id}/{path}", bodies.get(path))

    assert answer.status_code == 404
    assert answer.json()["code"] == "not-found"


def test_a_key_of_another_person_does_not_find_the_session(call: Call, session_id: str, acme: Team) -> None:
    answer = caller(acme, person=acme.shared)("GET", f"sessions/{session_id}/messages/")

    assert answer.status_code == 404


def test_messages_are_listed_oldest_first_with_a_cursor(call: Call, session_id: str) -> None:
    call("POST", f"sessions/{session_id}/turns/", user_says("a", "b", "c"))

    first = call("GET", f"sessions/{session_id}/messages/?limit=2").json()
    rest = call("GET", f"sessions/{session_id}/messages/?limit=2&cursor={first['next']}").json()

    assert [m["content"] for m in first["results"] + rest["results"]] == ["a", "b", "c"]
    assert rest["next"] is None


def test_a_turn_reopens_a_closed_session(call: Call, session_id: str, acme: Team) -> None:
    with tenant_scope(acme.tenant):
        Session.objects.for_tenant(acme.tenant).update(ended_at="2026-01-01T00:00:00Z")

    call("POST", f"sessions/{session_id}/turns/", user_says("Back again."))

    assert call("GET", f"sessions/{session_id}/").json()["ended_at"] is None


def test_an_active_task_is_pinned_and_cleared(call: Call, session_id: str) -> None:
    pinned = call("PUT", f"sessions/{session_id}/active-task/", {"text": "Plan the trip"})
    cleared = call("PUT", f"sessions/{session_id}/active-task/", {"text": ""})

    assert pinned.json()["active_task"] == "Plan the trip"
    assert cleared.json()["active_task"] == ""


def test_extract_answers_with_a_job(call: Call, session_id: str) -> None:
    call("POST", f"sessions/{session_id}/turns/", user_says("I live in Oslo."))

    answer = call("POST", f"sessions/{session_id}/flush/")

    assert answer.status_code == 202
    assert answer.json()["job"]["kind"] == "flush"
    assert answer.json()["job"]["state"] == "queued"


def test_two_people_named_in_one_turn_keep_their_facts_apart(call: Call, session_id: str) -> None:
    messages = [
        {"role": "user", "name": "Caroline", "content": "I live in Oslo."},
        {"role": "user", "name": "Melanie", "content": "I live in Rome."},
    ]

    told = call("POST", f"sessions/{session_id}/turns/", {"messages": messages}).json()["signals"]

    assert sorted((memory["key"], memory["value"]) for memory in told) == [
        ("caroline/location", "Caroline lives in Oslo."),
        ("melanie/location", "Melanie lives in Rome."),
    ]
