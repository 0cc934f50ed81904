"""What is kept of completions: each side once, however it came."""

from __future__ import annotations

from datetime import timedelta
from threading import Event

import pytest
from django.utils import timezone

from nebo.product.gateway import recording
from nebo.product.gateway.asked import storable
from nebo.tenants.actor import Actor
from nebo.tenants.pauses import Thing, lift_pause, set_pause
from nebo.tenants.scoping import tenant_scope
from sessions.models import Session
from tests.conftest import Team
from tests.gateway.conftest import (
    CHAT,
    MESSAGES,
    Agent,
    chunks,
    claude_events,
    completion,
    conversation,
    said,
    streamed,
)
from tests.scripted_server import ScriptedServer, json_answer, status

QUESTION = "Which way is it to the mill?"


@pytest.mark.parametrize("path", [CHAT, MESSAGES])
def test_a_stream_that_breaks_off_leaves_what_came(
    agent: Agent, acme: Team, scripted_server: ScriptedServer, path: str
) -> None:
    pieces = (
        chunks("Over the ", "bri", done=False) if path == CHAT else claude_events("Over the ", "bri")[:-1]
    )
    scripted_server.on(path, streamed(pieces, breaks_off=True))

    answer = agent.post(path, {"messages": conversation(QUESTION), "stream": True})

    assert answer.content == b"".join(pieces)
    assert said(acme, 2) == [("user", QUESTION), ("assistant", "Over the bri")]


def test_a_client_that_hangs_up_leaves_what_came(
    agent: Agent, acme: Team, scripted_server: ScriptedServer
) -> None:
    go_on = Event()
    pieces = chunks("Over the ", *(["bridge, and on, and on. "] * 20_000))
    scripted_server.on(CHAT, streamed(pieces, hold=go_on))

    with agent.stream(CHAT, {"messages": conversation(QUESTION), "stream": True}) as answer:
        next(answer.iter_bytes())
    go_on.set()

    question, words = said(acme, 2)
    assert question == ("user", QUESTION)
    assert words[1].startswith("Over the ")
    assert len(words[1]) < sum(map(len, pieces)) / 3


def test_a_request_that_comes_again_is_kept_once(
    agent: Agent, acme: Team, scripted_server: ScriptedServer
) -> None:
    scripted_server.on(CHAT, status(500), json_answer(completion("Left.")), json_answer(completion("Left.")))

    agent.chat(QUESTION)
    agent.chat(QUESTION, X_Stainless_Retry_Count="1")
    said(acme, 2)
    agent.chat(QUESTION, X_Stainless_Retry_Count="2")

    assert said(acme, 2) == [("user", QUESTION), ("assistant", "Left.")]


def test_an_idempotency_key_keeps_a_request_apart_from_others(
    agent: Agent, acme: Team, scripted_server: ScriptedServer
) -> None:
    scripted_server.always(CHAT, json_answer(completion("Left.")))

    for key in ("a", "a", "b"):
        agent.chat(QUESTION, Idempotency_Key=key, X_Nebo_Session="chat")
        said(acme, 2)

    assert said(acme, 4) == 2 * [("user", QUESTION), ("assistant", "Left.")]


def test_the_same_words_may_be_said_twice(agent: Agent, acme: Team, scripted_server: ScriptedServer) -> None:
    scripted_server.always(CHAT, json_answer(completion("And now?")))

    agent.chat("Yes.", X_Nebo_Session="chat")
    said(acme, 2)
    agent.chat("Yes.", X_Nebo_Session="chat")
    said(acme, 4)
    agent.chat("Yes.", "And now?", "Yes.", X_Nebo_Session="chat")

    assert said(acme, 6) == 3 * [("user", "Yes."), ("assistant", "And now?")]


def test_another_answer_to_the_same_words_is_kept_beside_the_first(
    agent: Agent, acme: Team, scripted_server: ScriptedServer
) -> None:
    scripted_server.on(CHAT, json_answer(completion("Left.")), json_answer(completion("Or right.")))
    talk = ("Hello there.", "Hi.", QUESTION)

    agent.chat(*talk)
    said(acme, 2)
    agent.chat(*talk)

    assert said(acme, 3) == [("user", QUESTION), ("assistant", "Left."), ("assistant", "Or right.")]


def test_calls_of_tools_belong_to_the_question_before_them(
    agent: Agent, acme: Team, scripted_server: ScriptedServer
) -> None:
    call = {"id": "c", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    scripted_server.on(
        CHAT, json_answer(completion(None, tool_calls=[call])), json_answer(completion("Left."))
    )
    asked = conversation(QUESTION)

    agent.post(CHAT, {"messages": asked})
    asked += [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": "The mill is left of the bridge."},
    ]
    agent.post(CHAT, {"messages": asked})

    assert said(acme, 2) == [("user", QUESTION), ("assistant", "Left.")]
    sent = scripted_server.requests[-1].json["messages"]
    assert [one for one in sent if one["role"] != "system"] == asked


def test_a_conversation_stays_one_session_without_a_name(
    agent: Agent, acme: Team, scripted_server: ScriptedServer
) -> None:
    scripted_server.always(CHAT, json_answer(completion("Hi.")))

    first = agent.chat("Hello there.")
    second = agent.chat("Hello there.", "Hi.", QUESTION)
    third = agent.chat("Good evening.")

    sessions = [one.headers["x-nebo-session"] for one in (first, second, third)]
    assert sessions[0] == sessions[1] != sessions[2]


def test_notes_that_a_program_puts_in_are_not_the_persons_words(
    agent: Agent, acme: Team, scripted_server: ScriptedServer
) -> None:
    scripted_server.always(CHAT, json_answer(completion("Left.")))
    note = "<system-reminder>\nI live in Rome.\n</system-reminder>"
    parts = [{"type": "text", "text": note}, {"type": "text", "text": QUESTION}]

    agent.post(CHAT, {"messages": [{"role": "user", "content": parts}]})

    assert said(acme, 2) == [("user", QUESTION), ("assistant", "Left.")]


def test_words_that_can_not_be_kept_as_they_are_are_kept_as_far_as_they_can(
    agent: Agent, acme: Team, scripted_server: ScriptedServer
) -> None:
    scripted_server.always(CHAT, json_answer(completion("Left\0.")))

    answer = agent.post(CHAT, b'{"messages": [{"role": "user", "content": "Which\\u0000 way\\ud800?"}]}')

    assert answer.json() == completion("Left\0.")
    assert said(acme, 2) == [("user", "Which way??"), ("assistant", "Left.")]
    assert answer.headers["x-nebo-memory"] == "on"
    assert len(storable("é" * 100_000).encode()) == 100_000


@pytest.mark.parametrize("switch", ["on", "write"])
def test_while_collection_is_paused_a_turn_is_relayed_and_not_kept(
    agent: Agent, acme: Team, scripted_server: ScriptedServer, switch: str
) -> None:
    scripted_server.always(CHAT, json_answer(completion("Over the bridge.")))
    until = timezone.now().replace(microsecond=0) + timedelta(days=1)
    pause = Thing(person_id=acme.person.pk)
    with tenant_scope(acme.tenant):
        set_pause(tenant=acme.tenant, thing=pause, actor=Actor("user", "1"), until=until)

    answer = agent.chat(QUESTION, X_Nebo_Memory=switch)

    assert answer.json() == completion("Over the bridge.")
    assert answer.headers["X-Nebo-Paused"] == f"person; until={until.isoformat().replace('+00:00', 'Z')}"
    with tenant_scope(acme.tenant):
        lift_pause(tenant=acme.tenant, thing=pause, actor=Actor("user", "1"))
    later = agent.chat("And back?", X_Nebo_Memory=switch)
    assert "X-Nebo-Paused" not in later.headers
    assert said(acme, 2) == [("user", "And back?"), ("assistant", "Over the bridge.")]


def test_an_answer_that_is_there_at_once_is_kept_with_its_question_before_it_ends(
    agent: Agent, acme: Team, scripted_server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recording, "AT_ONCE_S", 30)
    scripted_server.always(CHAT, json_answer(completion("Left.")))
    scripted_server.always(MESSAGES, streamed(claude_events("Over ", "the bridge.")))

    agent.chat(QUESTION, X_Nebo_Session="chat")
    kept = said(acme, key="chat")
    agent.post(MESSAGES, {"messages": conversation(QUESTION), "stream": True}, X_Nebo_Session="other")

    assert kept == [("user", QUESTION), ("assistant", "Left.")]
    assert said(acme, key="other") == [("user", QUESTION), ("assistant", "Over the bridge.")]
    with tenant_scope(acme.tenant):
        assert list(Session.objects.for_tenant(acme.tenant).values_list("turn_count", flat=True)) == [1, 1]


def test_a_question_is_kept_while_the_model_thinks(
    agent: Agent, acme: Team, scripted_server: ScriptedServer
) -> None:
    go_on = Event()
    scripted_server.on(CHAT, streamed(chunks("Over ", "the bridge."), hold=go_on))

    with agent.stream(CHAT, {"messages": conversation(QUESTION), "stream": True}) as answer:
        kept = said(acme, 1)
        go_on.set()
        answer.read()

    assert kept == [("user", QUESTION)]
    assert said(acme, 2) == [("user", QUESTION), ("assistant", "Over the bridge.")]
