"""Answers say what they can't hold yet: vectors to be made, words to be learned from, a question without a vector."""

from __future__ import annotations

from typing import Any

import pytest

from nebo.tenants.scoping import tenant_scope
from search.answers.waiting import find_waiting
from search.embeddings import vectors
from search.embeddings.openai import build_openai_embedder
from search.embeddings.remote import RetryPolicy
from tests.conftest import Team
from tests.jobs.inline import run_jobs
from tests.scripted_server import ScriptedServer, scripted_server, status
from tests.sessions.conftest import Call

pytestmark = pytest.mark.django_db
__all__ = ["scripted_server"]

ASKED = {"query": "Where does the ferry go?"}
READINGS = ("search", "recall", "context")
NOTHING = {"vectors": 0, "learning": False}


def say(call: Call, session_id: str, *contents: str) -> None:
    messages = [{"role": "user", "content": content} for content in contents]
    assert call("POST", f"sessions/{session_id}/turns/", {"messages": messages}).status_code == 201


def read(call: Call, session_id: str, reading: str, user: str = "alice") -> dict[str, Any]:
    path = f"sessions/{session_id}/context/" if reading == "context" else f"users/{user}/{reading}/"
    answer = call("POST", path, ASKED)
    assert answer.status_code == 200, answer.content
    body: dict[str, Any] = answer.json()
    return body


@pytest.mark.parametrize("reading", READINGS)
def test_it_is_said_until_vectors_are_made_and_words_are_read(
    call: Call, session_id: str, acme: Team, reading: str
) -> None:
    say(call, session_id, "The ferry goes to Bergen.", "It leaves at nine.")

    before = read(call, session_id, reading)
    run_jobs(acme.tenant, kind="embed")
    between = read(call, session_id, reading)
    run_jobs(acme.tenant, kind="extract")
    run_jobs(acme.tenant, kind="embed")
    after = read(call, session_id, reading)

    assert before["pending"] == {"vectors": 2, "learning": True}
    assert between["pending"] == {"vectors": 0, "learning": True}
    assert after["pending"] == NOTHING
    assert [one["degraded"] for one in (before, between, after)] == [None, None, None]


@pytest.mark.parametrize("reading", READINGS)
def test_a_question_without_a_vector_says_that_words_alone_answered(
    call: Call,
    session_id: str,
    scripted_server: ScriptedServer,
    monkeypatch: pytest.MonkeyPatch,
    reading: str,
) -> None:
    say(call, session_id, "The ferry goes to Bergen.")
    call("POST", "users/alice/memories/", {"value": "Takes the ferry to work"})
    embedder = build_openai_embedder(
        api_key="k",
        model="scripted",
        base_url=f"{scripted_server.url}/v1",
        dimensions=4,
        retry_policy=RetryPolicy(),
    )
    vectors._recent.clear()
    monkeypatch.setattr("search.embeddings.serving.get_embedder", lambda *_, **__: embedder)
    scripted_server.always("/v1/embeddings", status(401))

    assert read(call, session_id, reading)["degraded"] == "provider_refused"


def test_of_somebody_unknown_nothing_waits(call: Call, session_id: str) -> None:
    say(call, session_id, "The ferry goes to Bergen.")

    answer = read(call, session_id, "recall", user="stranger")

    assert (answer["pending"], answer["degraded"]) == (NOTHING, None)


def test_what_waits_is_each_person_s_own(call: Call, session_id: str, acme: Team, rival: Team) -> None:
    say(call, session_id, "The ferry goes to Bergen.")

    with tenant_scope(rival.tenant):
        theirs = find_waiting(tenant=rival.tenant, person_id=acme.person.pk)

    assert theirs == (0, False)


def test_a_session_that_is_not_learned_from_keeps_nothing_waiting(call: Call) -> None:
    body = {"user": "alice", "key": "quiet", "auto_extract": False}
    session_id = str(call("POST", "sessions/", body).json()["id"])
    say(call, session_id, "The ferry goes to Bergen.")

    assert read(call, session_id, "search")["pending"]["learning"] is False
