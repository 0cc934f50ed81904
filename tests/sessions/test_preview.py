"""What would be learned from messages that belong to no session, and that nothing of it stays."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from django.conf import settings

from nebo.api.models import IdempotencyRecord
from nebo.env import env
from nebo.llm.providers.openai import OpenAIModel
from nebo.postgres.rehearsal import rehearsal
from nebo.tenants.actor import Actor
from nebo.tenants.models import UserProfile
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.services import get_or_create_person
from sessions.lifecycle.opening import open_session
from sessions.turns.append import NewMessage, append_turn
from sessions.turns.preview import PREVIEW_SENTENCES, read_ahead
from tests.conftest import Team, team
from tests.scripted_server import ScriptedServer, json_answer, scripted_server
from tests.sessions.conftest import Call, caller
from tests.sessions.test_dry_run import rows_of
from tests.sessions.test_forgetting import work

__all__ = ["scripted_server"]
TALK = [
    {"role": "user", "content": "I live in Lisbon and I love pottery."},
    {"role": "assistant", "content": "How nice!"},
    {"role": "user", "content": "My password is hunter2-blue-7. I have to call the dentist on Friday."},
]
LONG = " ".join(
    (
        "My sister Nora lives in Ghent.",
        "I work as a nurse.",
        "I'm allergic to peanuts.",
        "My dog is called Rufus.",
        "I play the cello.",
        "I'm vegetarian.",
        "My birthday is on 4 May.",
        "I was born in Porto.",
    )
)


def say(*texts: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": text} for text in texts]


def try_out(call: Call, messages: list[dict[str, str]], **more: Any) -> Any:
    return call("POST", "extract/preview/", {"messages": messages, **more})


def test_a_preview_tells_what_would_be_learned_with_quote_and_gate(call: Call) -> None:
    answer = try_out(call, TALK)

    assert answer.status_code == 200, answer.content
    home = next(one for one in answer.json()["learned"] if "Lisbon" in one["value"])
    assert (home["gate"], home["kind"], home["memory_id"], home["action"]) == (
        "learn",
        "fact",
        None,
        "created",
    )
    assert home["key"]
    assert home["words"][0]["message"] == 0
    assert "Lisbon" in home["words"][0]["quote"]
    assert [(one["message"], "dentist" in one["text"]) for one in answer.json()["todos"]] == [(2, True)]
    assert "hunter2" not in answer.content.decode()
    assert (answer.json()["unread"], answer.json()["extraction"]["by"]) == ([], "rules")


@pytest.mark.parametrize("user", ["", "alice", "somebody-new"])
def test_nothing_of_a_preview_stays_and_nobody_is_made(call: Call, acme: Team, user: str) -> None:
    call("POST", "users/alice/memories/", {"value": "Lives in Porto.", "key": "user/location"})
    before = rows_of(acme)

    answer = try_out(call, TALK, user=user)

    assert len(answer.json()["learned"]) > 0
    assert rows_of(acme) == before
    assert sum(map(len, before.values())) > 3
    with tenant_scope(acme.tenant):
        assert not UserProfile.objects.for_tenant(acme.tenant).filter(external_id__contains="new").exists()


def test_a_preview_foretells_what_a_session_and_its_job_then_learn(call: Call, acme: Team) -> None:
    session = call("POST", "sessions/", {"user": "bob", "key": "chat"}).json()["id"]
    foretold = try_out(call, say(LONG), user="bob").json()["learned"]

    call("POST", f"sessions/{session}/turns/", {"messages": say(LONG)})
    call("POST", f"sessions/{session}/extract/")
    work(acme)
    known = call("GET", "users/bob/memories/?limit=100").json()["results"]

    assert {one["value"] for one in foretold if one["status"] == "active"} == {
        one["value"] for one in known if one["status"] == "active"
    }
    assert len(known) >= 6


def test_a_preview_names_the_known_memory_that_would_change(call: Call) -> None:
    session = call("POST", "sessions/", {"user": "alice", "key": "chat"}).json()["id"]
    told = call("POST", f"sessions/{session}/turns/", {"messages": say("I live in Porto.")}).json()
    known = told["signals"][0]["id"]

    with_her = try_out(call, say("I moved to Lisbon last week, I live in Lisbon now."), user="alice").json()
    with_nobody = try_out(call, say("I moved to Lisbon last week, I live in Lisbon now.")).json()

    changed = [one for one in with_her["learned"] if one["memory_id"] == known]
    assert [one["gate"] for one in changed] != []
    assert {one["gate"] for one in changed} == {"change"}
    assert {one["memory_id"] for one in with_nobody["learned"]} == {None}
    assert call("GET", f"memories/{known}/").json()["status"] == "active"


def test_what_is_too_much_is_named_and_the_newest_is_read(call: Call) -> None:
    many = say(*["I had some soup and it was fine."] * (PREVIEW_SENTENCES + 5), "I live in Ghent.")

    answer = try_out(call, many).json()

    assert answer["unread"] == list(range(6))
    places = {
        words["message"] for one in answer["learned"] if "Ghent" in one["value"] for words in one["words"]
    }
    assert places == {len(many) - 1}


def test_the_largest_body_is_answered_within_seconds(call: Call) -> None:
    large = say(*["I keep bees. " * 1_000] * 498, "bees and " * 11_000, "I live in Ghent.")
    assert sum(len(one["content"]) for one in large) > 5_000_000
    began = time.monotonic()

    answer = try_out(call, large)

    assert time.monotonic() - began < 30
    assert answer.json()["unread"] == list(range(499))
    home = next(one for one in answer.json()["learned"] if "Ghent" in one["value"])
    assert {words["message"] for words in home["words"]} == {len(large) - 1}


def test_no_model_is_asked_and_the_answer_says_so(
    call: Call, scripted_server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = (OpenAIModel("gpt-x", base_url=f"{scripted_server.url}/v1"),)
    monkeypatch.setattr("nebo.llm.registry.list_chat_models", lambda: chosen)
    scripted_server.always("/v1/chat/completions", json_answer({"choices": []}))

    answer = try_out(call, TALK).json()

    assert answer["extraction"]["model_configured"] is True
    assert "was not asked" in answer["extraction"]["note"]
    assert scripted_server.requests == []


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "#/messages"),
        ({"messages": []}, "#/messages"),
        ({"messages": say(*["x"] * 501)}, "#/messages"),
        ({"messages": [{"role": "ghost", "content": "x"}]}, "#/messages/0/role"),
        ({"messages": say("x" * 100_001)}, "#/messages/0/content"),
        ({"messages": say("x"), "nonsense": 1}, "#/nonsense"),
        ({"messages": [{**one, "external_id": "a"} for one in say("x", "y")]}, "#/messages/1/external_id"),
    ],
)
def test_a_broken_body_is_refused_by_name(call: Call, body: dict[str, Any], pointer: str) -> None:
    answer = call("POST", "extract/preview/", body)

    assert answer.status_code == 400
    assert answer.json()["errors"][0]["pointer"] == pointer


def test_a_key_of_one_person_reads_beside_nobody_else(acme: Team, db: None) -> None:
    with tenant_scope(acme.tenant):
        get_or_create_person(tenant=acme.tenant, external_id="bob")
    own = caller(acme, person=acme.person)

    foreign, missing = (try_out(own, TALK, user=user) for user in ("bob", "nobody-at-all"))

    assert (foreign.status_code, missing.status_code) == (404, 404)
    assert {**foreign.json(), "request_id": ""} == {**missing.json(), "request_id": ""}
    assert try_out(own, TALK).status_code == 200


def test_a_key_without_the_scope_is_refused(acme: Team, db: None) -> None:
    assert try_out(caller(acme, scopes=["read"]), TALK).status_code == 403


def kept_answers(team: Team) -> list[IdempotencyRecord]:
    with tenant_scope(team.tenant):
        return list(IdempotencyRecord.objects.for_tenant(team.tenant).order_by("created_at"))


def test_an_answer_about_nobody_is_repeated_though_none_of_its_words_are_kept(call: Call, acme: Team) -> None:
    body = {"messages": TALK, "user": "somebody-new"}

    first = call("POST", "extract/preview/", body, Idempotency_Key="k")
    again = call("POST", "extract/preview/", body, Idempotency_Key="k")
    other = call("POST", "extract/preview/", {"messages": say("I live in Ghent.")}, Idempotency_Key="k")

    assert (first.status_code, again.status_code, other.status_code) == (200, 200, 422)
    assert ("Idempotent-Replayed" in first, again["Idempotent-Replayed"]) == (False, "true")
    assert again.json() == first.json()
    assert "Body-Not-Kept" not in again
    assert [(one.body, one.person_id) for one in kept_answers(acme)] == [("", None)]


def test_an_answer_about_a_person_is_kept_with_that_person(call: Call, acme: Team) -> None:
    body = {"messages": TALK, "user": "alice"}

    first = call("POST", "extract/preview/", body, Idempotency_Key="k")
    again = call("POST", "extract/preview/", body, Idempotency_Key="k")

    assert again.json() == first.json()
    kept = kept_answers(acme)
    assert [one.person_id for one in kept] == [acme.person.pk]
    assert "Lisbon" in kept[0].body


@pytest.fixture
def beside() -> Iterator[psycopg.Connection[Any]]:
    """Somebody else's connection to the same database."""
    with psycopg.connect(settings.DATABASE_URLS.admin, dbname=env.test_database) as connection:
        yield connection


HOLD = "SELECT 1 FROM tenants_userprofile WHERE tenant_id = %s AND id = %s FOR NO KEY UPDATE NOWAIT"


def test_a_preview_does_not_wait_for_a_turn_of_the_same_person(
    committed_db: None, beside: psycopg.Connection[Any]
) -> None:
    acme = team("acme")
    beside.execute(HOLD, [acme.tenant.pk, acme.person.pk])

    answer = try_out(caller(acme), TALK, user="alice")

    assert answer.status_code == 200
    assert len(answer.json()["learned"]) > 0


def test_no_turn_waits_for_a_preview_of_the_same_person(
    committed_db: None, beside: psycopg.Connection[Any]
) -> None:
    acme = team("acme")
    read = read_ahead(
        tenant=acme.tenant,
        person_id=acme.person.pk,
        persona_id=None,
        messages=[NewMessage("user", one["content"]) for one in TALK],
    )
    with tenant_scope(acme.tenant), rehearsal():
        session = open_session(tenant=acme.tenant, person=acme.person, key="try").session
        told = append_turn(
            tenant=acme.tenant, session_id=session.pk, messages=read.messages, actor=Actor("key", "k")
        )

        held = beside.execute(HOLD, [acme.tenant.pk, acme.person.pk]).fetchone()

    assert len(told.learned) > 0
    assert held == (1,)


def test_a_preview_gives_way_to_who_changes_the_same_memory(
    committed_db: None, beside: psycopg.Connection[Any]
) -> None:
    acme = team("acme")
    call = caller(acme)
    session = call("POST", "sessions/", {"user": "alice", "key": "chat"}).json()["id"]
    turn = call("POST", f"sessions/{session}/turns/", {"messages": say("I live in Porto.")}).json()
    moved = say("I moved to Lisbon last week, I live in Lisbon now.")
    held = "SELECT 1 FROM memories_memory WHERE tenant_id = %s AND id = %s FOR UPDATE"
    beside.execute(held, [acme.tenant.pk, turn["signals"][0]["id"]])

    meanwhile = try_out(call, moved, user="alice")
    beside.rollback()
    later = try_out(call, moved, user="alice")

    assert (meanwhile.status_code, later.status_code) == (409, 200)
