"""Words redacted by a person's or an agent's wish are nowhere any more: in no table, no index, no summary, no copy."""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.conf import settings
from psycopg import sql

from memories.models import AuditEntry, Memory
from nebo.env import env
from nebo.tenants.scoping import tenant_scope
from sessions.models import Message
from tests.conftest import Team
from tests.sessions.conftest import Call, caller
from tests.sessions.test_forgetting import begin, fold_and_close, say, work

pytestmark = pytest.mark.usefixtures("committed_db")

CANARY = "Zorblattine"
SAID = f"I'm allergic to {CANARY}, and I live in Ghent."
TOLD = (
    f"Remind me to tell the dentist about {CANARY} tomorrow.",
    f"Call me Captain {CANARY}.",
    f"My friend {CANARY} Miller plays chess.",
)


@pytest.fixture
def call(acme: Team, settings: Any) -> Call:
    settings.ROOT_URLCONF = "nebo.urls"
    return caller(acme, scopes=["read", "write", "admin"])


def tables_with(word: str) -> set[str]:
    """Tables in which the word stands, in any column of any row, as the owner sees them."""
    with psycopg.connect(settings.DATABASE_URLS.owner, dbname=env.test_database) as connection:
        names = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
        query = sql.SQL("SELECT EXISTS (SELECT 1 FROM {table} t WHERE strpos(lower(t::text), %s) > 0)")
        return {
            name
            for (name,) in names
            if connection.execute(query.format(table=sql.Identifier(name)), [word.lower()]).fetchone()
            == (True,)
        }


def tell(call: Call, acme: Team) -> tuple[str, list[str]]:
    """A conversation with memories, todos, wishes and summaries of every sort; its id and its messages'."""
    session_id = begin(call, "chat")
    ids = [say(call, session_id, ("user", text))["messages"][0]["id"] for text in (SAID, *TOLD)]
    for number in range(20):
        say(call, session_id, ("user", f"Boat number {number} needs paint."), ("assistant", "It does."))
    work(acme)
    fold_and_close(acme, session_id)
    context = call("POST", f"sessions/{session_id}/context/", {"query": CANARY})
    assert CANARY in context.content.decode()
    return session_id, ids


def test_words_taken_out_of_messages_stand_in_no_table_any_more(call: Call, acme: Team) -> None:
    session_id, ids = tell(call, acme)
    before = tables_with(CANARY)

    for message_id in ids:
        path = f"sessions/{session_id}/messages/{message_id}/redact/"
        answer = call("POST", path, {"words": [CANARY.lower()]})
        assert answer.status_code == 200, answer.content
        assert "[redacted]" in answer.json()["content"]
    at_once = tables_with(CANARY)
    work(acme)

    assert {"agent_sessions_message", "memories_memory", "memories_observation", "search_chunk"} <= before
    assert at_once == set()
    assert tables_with(CANARY) == set()
    assert "Ghent" in call("GET", f"sessions/{session_id}/messages/").content.decode()
    with tenant_scope(acme.tenant):
        entries = AuditEntry.objects.for_tenant(acme.tenant).filter(action="message.redacted")
        assert entries.count() == len(ids)


def test_a_session_is_redacted_as_a_whole(call: Call, acme: Team) -> None:
    session_id, _ = tell(call, acme)

    answer = call("POST", f"sessions/{session_id}/redact/")
    work(acme)

    assert answer.json() == {"messages": 44}
    assert tables_with(CANARY) == tables_with("Ghent") == set()
    with tenant_scope(acme.tenant):
        assert set(Message.objects.for_tenant(acme.tenant).values_list("content", flat=True)) == {
            "[redacted]"
        }


def test_a_purged_memory_takes_its_words_along_for_good(call: Call, acme: Team) -> None:
    session_id = begin(call, "chat")
    say(call, session_id, ("user", f"I'm allergic to {CANARY}."), ("user", "I love tea."))
    work(acme)
    with tenant_scope(acme.tenant):
        ids = [m.pk for m in Memory.objects.for_tenant(acme.tenant) if CANARY.lower() in m.value.lower()]

    for memory_id in ids:
        assert call("DELETE", f"memories/{memory_id}/?purge=true").status_code == 204
    work(acme)

    assert ids
    assert tables_with(CANARY) == set()
    assert "tea" in call("GET", f"sessions/{session_id}/messages/").content.decode()


def test_a_stretch_goes_with_whole_words_and_bad_ones_are_named(call: Call) -> None:
    session_id = begin(call, "chat")
    message = say(call, session_id, ("user", "The safe is behind the blue curtain."))["messages"][0]["id"]
    path = f"sessions/{session_id}/messages/{message}/redact/"

    refused = [
        call("POST", path, body)
        for body in (
            {"words": ["green"]},
            {"words": []},
            {"start": 3},
            {"start": 5, "end": 500},
            {"start": 9, "end": 4},
            {"words": ["safe"], "start": 1, "end": 2},
        )
    ]
    done = call("POST", path, {"start": 5, "end": 7})
    missing = [
        call("POST", f"sessions/{session_id}/messages/{uuid4()}/redact/"),
        call("POST", f"sessions/{uuid4()}/messages/{message}/redact/"),
    ]

    assert [answer.status_code for answer in refused] == [400] * 6
    assert [answer.json()["errors"][0]["pointer"] for answer in refused] == [
        "#/words/0", "#/words", "#/end", "#/end", "#/end", "#/words",
    ]  # fmt: skip
    assert done.json()["content"] == "The [redacted] is behind the blue curtain."
    assert [answer.status_code for answer in missing] == [404, 404]


@pytest.mark.parametrize(
    "wish",
    [
        f"Please call me Captain {CANARY}.",
        "Please keep your answers under three sentences.",
        "Please no emojis.",
    ],
)
def test_a_wish_whose_words_are_redacted_ends_and_leaves_no_mark_in_a_prompt(
    call: Call, acme: Team, wish: str
) -> None:
    session_id = begin(call, "chat")
    say(call, session_id, ("user", "Please use British spelling with me."))
    told = say(call, session_id, ("user", wish))
    say(
        call,
        session_id,
        ("user", "No emojis, three sentences and my answers: that was the test, and I was under par."),
    )
    work(acme)
    own = call("GET", "users/alice/personality/").json()
    before = call("POST", f"sessions/{session_id}/context/", {"lean": True}).json()["stable"]

    call("POST", f"sessions/{session_id}/messages/{told['messages'][0]['id']}/redact/")
    work(acme)
    after = call("POST", f"sessions/{session_id}/context/", {"lean": True}).json()["stable"]
    overlay = call("GET", "users/alice/personality/").json()

    assert told["persona"]["decisions"] and own != overlay
    assert after != before
    assert "[redacted]" not in after + json.dumps(overlay)
    assert "British" in before and "British" in after
