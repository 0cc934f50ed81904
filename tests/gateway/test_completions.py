"""What goes to the provider, and what comes back."""

from __future__ import annotations

import json
from threading import Event
from typing import Any

import httpx
import pytest
from django.test import Client

from nebo.tenants.scoping import tenant_scope
from nebo.tenants.services import revoke_key
from tests.conftest import Team
from tests.gateway.conftest import (
    CHAT,
    MESSAGES,
    PROVIDERS_KEY,
    RESPONSES,
    STREAM_HEAD,
    Agent,
    chunks,
    claude,
    claude_events,
    completion,
    conversation,
    key_of,
    said,
    streamed,
)
from tests.scripted_server import ScriptedServer, hang_up, json_answer, raw

FACT = "My sister Ottilie is allergic to walnuts."
QUESTION = "What is my sister Ottilie allergic to?"
ODD = (
    b'{ "model":"m","temperature":1.0,"seed":123456789012345678901234567890,"x_new":{"b":[1,2.50,1e5],"a":null},\n'
    b'  "tools":[{"type":"function","function":{"name":"look","parameters":{}}}],"tool_choice":"auto",\t"stream":false,'
    b'"messages": [ {"role":"system","content":"Be brief."} , {"role":"user","content":[{"type":"text","text":'
    b'"What is my sister Ottilie allergic to? caf\\u00e9 \xc3\xa9"},'
    b'{"type":"image_url","image_url":{"url":"data:,x"}}]} ]'
    b',"stream_options":{"include_usage":true}}'
)


def texts_of(messages: list[dict[str, Any]], role: str) -> str:
    return "\n".join(str(one["content"]) for one in messages if one["role"] == role)


def test_the_next_conversation_knows_what_was_said_in_this_one(
    agent: Agent, acme: Team, scripted_server: ScriptedServer
) -> None:
    scripted_server.on(CHAT, json_answer(completion("Noted.")), json_answer(completion("Walnuts.")))

    first = agent.chat(FACT)
    second = agent.chat(QUESTION)

    assert (first.json(), second.json()) == (completion("Noted."), completion("Walnuts."))
    one, two = (request.json["messages"] for request in scripted_server.requests)
    assert one[-1] == {"role": "user", "content": FACT}
    assert "walnuts" in texts_of(two, "system")
    assert two[-1] == {"role": "user", "content": QUESTION}
    assert said(acme, 4) == [
        ("user", FACT), ("assistant", "Noted."), ("user", QUESTION), ("assistant", "Walnuts."),
    ]  # fmt: skip
    assert first.headers["x-nebo-memory"] == "on"
    assert first.headers["x-nebo-session"] != second.headers["x-nebo-session"]


def test_a_named_session_brings_along_what_the_request_leaves_out(
    agent: Agent, acme: Team, scripted_server: ScriptedServer
) -> None:
    scripted_server.always(CHAT, json_answer(completion("It is called Hollyhock Lane.")))

    agent.chat("How is the road to the mill called?", X_Nebo_Session="chat-1")
    said(acme, 2, key="chat-1")
    agent.chat("And which way is it?", X_Nebo_Session="chat-1")
    said(acme, 4, key="chat-1")
    agent.chat(
        "How is the road to the mill called?",
        "It is called Hollyhock Lane.",
        "So which way?",
        X_Nebo_Session="chat-1",
    )

    alone, whole = (request.json["messages"] for request in scripted_server.requests[1:])
    assert "Hollyhock Lane" in texts_of(alone, "system")
    assert "And which way" in texts_of(whole, "system")  # which this client has left out
    assert "Hollyhock Lane" not in texts_of(whole, "system")
    assert len(said(acme, 6, key="chat-1")) == 6


def test_every_other_character_of_a_request_stays_as_it_was_sent(
    agent: Agent, scripted_server: ScriptedServer
) -> None:
    scripted_server.always(CHAT, json_answer(completion("Noted.")))
    agent.chat(FACT)

    agent.post(f"{CHAT}?beta=true", ODD)

    (sent,) = (one for one in scripted_server.requests if one.path.endswith("?beta=true"))
    added = [one for one in sent.json["messages"] if one not in json.loads(ODD)["messages"]]
    assert "walnuts" in texts_of(added, "system")
    left = sent.body
    for message in added:
        left = left.replace(json.dumps(message, ensure_ascii=False).encode() + b",", b"")
    assert left == ODD


@pytest.mark.parametrize("switch", ["off", "write"])
def test_without_memory_a_request_is_relayed_byte_for_byte(
    agent: Agent, acme: Team, scripted_server: ScriptedServer, switch: str
) -> None:
    scripted_server.always(CHAT, json_answer(completion("Noted.")))
    agent.chat(FACT)
    before = said(acme, 2)

    answer = agent.post(CHAT, ODD, X_Nebo_Memory=switch)

    assert scripted_server.requests[-1].body == ODD
    assert answer.headers["x-nebo-memory"] == switch
    assert len(said(acme, 4 if switch == "write" else 2)) - len(before) == (2 if switch == "write" else 0)


def test_reading_keeps_nothing_and_makes_nobody(
    agent: Agent, acme: Team, scripted_server: ScriptedServer
) -> None:
    scripted_server.always(CHAT, json_answer(completion("Noted.")))
    agent.chat(FACT)
    before = said(acme, 2)
    reader = Agent(agent.address, key_of(acme, scopes=("read",)))

    known = reader.chat(QUESTION, X_Nebo_User="alice", X_Nebo_Memory="read")
    unknown = reader.chat(QUESTION, X_Nebo_User="nobody-yet", X_Nebo_Memory="read")
    refused = reader.chat(QUESTION, X_Nebo_User="alice")

    assert (known.status_code, unknown.status_code, refused.status_code) == (200, 200, 403)
    told = [texts_of(one.json["messages"], "system") for one in scripted_server.requests[1:]]
    assert ["walnuts" in text for text in told] == [True, False]
    assert said(acme) == before
    with tenant_scope(acme.tenant):
        assert (
            not acme.person.__class__.objects.for_tenant(acme.tenant)
            .filter(external_id="nobody-yet")
            .exists()
        )


def test_what_changes_stands_right_before_the_question(agent: Agent, scripted_server: ScriptedServer) -> None:
    scripted_server.always(CHAT, json_answer(completion("Noted.")))
    agent.chat(f"I live in Ghent. {FACT}")
    talk = conversation("Hello there.", "Hi. What can I do?", "Which nuts would hurt my sister Ottilie?")

    agent.post(
        CHAT, {"messages": [{"role": "developer", "content": "Be brief."}, *talk]}, X_Nebo_Session="other"
    )

    sent = scripted_server.requests[-1].json["messages"]
    assert [one["role"] for one in sent] == [
        "developer",
        "developer",
        "user",
        "assistant",
        "developer",
        "user",
    ]
    assert "Ghent" in sent[1]["content"]
    assert "walnuts" in sent[4]["content"]
    assert [one for one in sent if one["role"] != "developer"] == talk


def test_anthropic_gets_blocks_behind_the_callers_own(agent: Agent, scripted_server: ScriptedServer) -> None:
    scripted_server.always(MESSAGES, json_answer(claude("Noted.")))
    agent.post(MESSAGES, {"messages": conversation(f"I live in Ghent. {FACT}")})
    cached = {"type": "text", "text": "Be kind.", "cache_control": {"type": "ephemeral"}}

    for system in ({}, {"system": "Be brief."}, {"system": [cached]}, {"system": ""}, {"system": []}):
        agent.post(MESSAGES, {"model": "m", **system, "messages": conversation(QUESTION)})

    first, text, blocks, blank, empty = (one.json["system"] for one in scripted_server.requests[1:])
    assert text[0] == {"type": "text", "text": "Be brief."}
    assert blocks[0] == cached
    assert all("walnuts" in json.dumps(one) for one in (first, text, blocks, blank, empty))
    assert first[0]["cache_control"] == text[1]["cache_control"] == {"type": "ephemeral"}
    assert [one for one in blocks if "cache_control" in one] == [cached]
    assert all("Ghent" in one[-2]["text"] and "walnuts" in one[-1]["text"] for one in (first, text, blocks))
    assert all(block["text"] for block in (*blank, *empty))
    assert all(one.json["messages"] == conversation(QUESTION) for one in scripted_server.requests[1:])


def test_a_conversation_that_is_cached_at_anthropic_stays_so(
    agent: Agent, scripted_server: ScriptedServer
) -> None:
    scripted_server.always(MESSAGES, json_answer(claude("Noted.")))
    mark = {"cache_control": {"type": "ephemeral"}}
    result = {"type": "tool_result", "tool_use_id": "t", "content": "sunny"}
    talk = [
        {
            "role": "user",
            "content": [{"type": "text", "text": "How is it outside, in Hollyhock Lane?", **mark}],
        },
        {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "look", "input": {}}]},
        {"role": "user", "content": [result, {"type": "text", "text": "And at the mill?", **mark}]},
    ]
    agent.post(MESSAGES, {"messages": talk[:1]}, X_Nebo_Session="a")

    agent.post(MESSAGES, {"messages": [talk[2]], "system": "Be brief."}, X_Nebo_Session="a")

    sent = scripted_server.requests[-1].json
    assert "Hollyhock" not in json.dumps(sent["system"])
    added = sent["messages"][0]["content"]
    assert [block["type"] for block in added] == ["tool_result", "text", "text"]
    assert "Hollyhock" in added[1]["text"]
    assert added[2] == talk[2]["content"][1]
    assert sum("cache_control" in json.dumps(one) for one in (sent["system"], added)) == 1


def test_responses_get_instructions_and_an_item_before_the_question(
    agent: Agent, acme: Team, scripted_server: ScriptedServer
) -> None:
    told = {"type": "message", "content": [{"type": "output_text", "text": "Noted."}]}
    scripted_server.always(RESPONSES, json_answer({"id": "r", "output": [told]}))

    agent.post(RESPONSES, {"input": FACT}, X_Nebo_Session="a")
    agent.post(RESPONSES, {"input": QUESTION, "instructions": "Be brief."}, X_Nebo_Session="b")
    items = [{"role": "user", "content": [{"type": "input_text", "text": QUESTION}]}]
    agent.post(RESPONSES, {"input": items, "instructions": None}, X_Nebo_Session="b")

    _, text, listed = (one.json for one in scripted_server.requests)
    assert text["instructions"].startswith("Be brief.\n\n")
    assert "walnuts" in text["instructions"]
    assert text["input"] == QUESTION
    assert listed["input"][-1] == items[0]
    assert "walnuts" in json.dumps(listed)
    assert ("assistant", "Noted.") in said(acme, 2, key="a")


@pytest.mark.parametrize(
    ("path", "pieces"), [(CHAT, chunks("Wal", "nuts.")), (MESSAGES, claude_events("Wal", "nuts."))]
)
def test_a_stream_is_the_same_as_without_nebo_and_is_kept(
    agent: Agent, acme: Team, scripted_server: ScriptedServer, path: str, pieces: list[bytes]
) -> None:
    scripted_server.always(path, streamed(pieces))
    body = {"messages": conversation(QUESTION), "stream": True}

    direct = httpx.post(scripted_server.url + path, json=body)
    through = agent.post(path, body)

    assert through.content == direct.content == b"".join(pieces)
    assert {name: through.headers[name] for name in STREAM_HEAD} == STREAM_HEAD
    assert said(acme, 2) == [("user", QUESTION), ("assistant", "Walnuts.")]


def test_a_stream_passes_piece_by_piece(agent: Agent, scripted_server: ScriptedServer) -> None:
    go_on = Event()
    scripted_server.on(CHAT, streamed(chunks("Wal", "nuts."), hold=go_on))

    with agent.stream(CHAT, {"messages": conversation(QUESTION), "stream": True}) as answer:
        pieces = answer.iter_bytes()
        first = next(pieces)
        go_on.set()
        rest = b"".join(pieces)

    assert first == chunks("Wal")[0]
    assert rest == b"".join(chunks("nuts."))


def test_an_error_of_the_provider_comes_back_unchanged_and_the_words_are_kept(
    agent: Agent, acme: Team, scripted_server: ScriptedServer
) -> None:
    body = b'{"error": {"message": "slow down", "type": "rate_limit"}}'
    headers = {
        "content-type": "application/json",
        "retry-after": "7",
        "x-request-id": "req_9",
        "x-ratelimit-left": "0",
    }
    scripted_server.on(
        CHAT, raw(body, 429, {**headers, "set-cookie": "a=b", "connection": "x-hop", "x-hop": "1"})
    )

    answer = agent.chat(FACT)

    assert (answer.status_code, answer.content) == (429, body)
    assert {name: answer.headers[name] for name in headers} == headers
    assert "set-cookie" not in answer.headers
    assert said(acme) == [("user", FACT)]


def test_a_provider_that_is_away_is_told_as_such_and_the_words_are_kept(
    agent: Agent, acme: Team, scripted_server: ScriptedServer, settings: Any
) -> None:
    scripted_server.on(CHAT, hang_up())

    broken = agent.chat(FACT)
    settings.GATEWAY_UPSTREAMS = {"openai": "http://127.0.0.1:9", "anthropic": ""}
    away, closed = agent.chat(FACT), agent.post(MESSAGES, {"messages": conversation(FACT)})

    assert [one.status_code for one in (broken, away, closed)] == [502, 502, 404]
    assert away.json()["code"] == "provider-unreachable"
    assert away.json()["error"]["message"].startswith("Nebo: ")
    assert said(acme, 1) == [("user", FACT)]


def test_a_memory_that_fails_never_fails_a_completion(
    agent: Agent, acme: Team, scripted_server: ScriptedServer, away: Any
) -> None:
    scripted_server.always(CHAT, json_answer(completion("Noted.")))

    with away("agent_sessions_session"):
        answer = agent.post(CHAT, ODD)

    assert (answer.status_code, answer.json()) == (200, completion("Noted."))
    assert answer.headers["x-nebo-memory"] == "unavailable"
    assert scripted_server.requests[-1].body == ODD


@pytest.mark.parametrize("body", [b"{", b"[]", b'{"messages": "?"}', b"\xff", b'{"messages": [1, null, {}]}'])
def test_what_is_not_understood_is_left_for_the_provider_to_judge(
    agent: Agent, scripted_server: ScriptedServer, body: bytes
) -> None:
    scripted_server.on(CHAT, raw(b"no", 400))

    answer = agent.post(CHAT, body)

    assert (answer.status_code, answer.content) == (400, b"no")
    assert scripted_server.requests[-1].body == body


def test_the_providers_key_passes_and_nothing_of_nebos_does(
    agent: Agent, acme: Team, scripted_server: ScriptedServer
) -> None:
    scripted_server.always(CHAT, json_answer(completion("Noted.")))
    both = f"{agent.key}:{PROVIDERS_KEY}"

    agent.chat(
        FACT, Cookie="sessionid=1", X_Forwarded_For="10.0.0.1", X_Nebo_Session="a", OpenAI_Organization="org"
    )
    agent.post(CHAT, {"messages": conversation(FACT)}, X_Nebo_Key="", Authorization=f"Bearer {both}")
    agent.post(CHAT, {"messages": conversation(FACT)}, X_Nebo_Key="", Authorization="", x_api_key=both)
    agent.post(CHAT, {"messages": conversation(FACT)}, X_Nebo_Key="", Authorization=f"Bearer {agent.key}")
    agent.post(CHAT, {"messages": conversation(FACT)}, X_Other=f"oops {agent.key}")

    first, second, third, fourth, fifth = (one.headers for one in scripted_server.requests)
    assert (
        first["authorization"]
        == second["authorization"]
        == fifth["authorization"]
        == f"Bearer {PROVIDERS_KEY}"
    )
    assert third["x-api-key"] == PROVIDERS_KEY
    assert "authorization" not in fourth
    assert first["openai-organization"] == "org"
    for headers in (first, second, third, fourth, fifth):
        assert not [name for name in headers if "nebo" in name or name in ("cookie", "x-forwarded-for")]
        assert not [value for value in headers.values() if "nebo_" in value]


def test_the_providers_key_is_kept_nowhere(
    agent: Agent, acme: Team, scripted_server: ScriptedServer, whole_database: Any, capfd: Any
) -> None:
    scripted_server.on(CHAT, json_answer(completion("Noted.")), hang_up(), raw(b"no", 401))

    for _ in range(3):
        agent.chat(FACT)
        agent.chat(FACT, X_Nebo_Key="", Authorization=f"Bearer {agent.key}:{PROVIDERS_KEY}")

    assert FACT in whole_database()
    assert PROVIDERS_KEY not in whole_database()
    out = capfd.readouterr()
    assert PROVIDERS_KEY not in out.out + out.err


def test_who_has_no_key_or_names_nobody_gets_no_further(
    agent: Agent, acme: Team, scripted_server: ScriptedServer
) -> None:
    body = {"messages": conversation(FACT)}
    open_key = key_of(acme)
    with tenant_scope(acme.tenant):
        revoked = key_of(acme, "alice", name="gone")
        key = acme.tenant.__class__._meta.apps.get_model("tenants", "ApiKey").objects.for_tenant(acme.tenant)
        revoke_key(tenant=acme.tenant, key=key.get(name="gone"))

    answers = [
        agent.post(CHAT, body, X_Nebo_Key=""),
        agent.post(CHAT, body, X_Nebo_Key=revoked),
        agent.post(CHAT, body, X_Nebo_Key=open_key),
        agent.post(CHAT, body, X_Nebo_Key=open_key, X_Nebo_User="a/b"),
        agent.post(f"/gateway/u/bob{CHAT}", body, X_Nebo_Key=open_key, X_Nebo_User="carol"),
        agent.post(CHAT, body, X_Nebo_Memory="perhaps"),
        agent.post(CHAT, body, X_Nebo_Session="a" * 256),
        agent.post(CHAT, body, X_Nebo_Token_Budget="many"),
        httpx.get(agent.address + CHAT),
    ]

    assert [one.status_code for one in answers] == [401, 401, 400, 400, 400, 400, 400, 400, 405]
    assert {one.headers["content-type"] for one in answers} == {"application/problem+json"}
    assert answers[0].headers["www-authenticate"].startswith("Bearer")
    assert answers[0].json()["error"]["code"] == "unauthenticated"
    assert scripted_server.requests == []
    assert said(acme) == []


def test_the_person_may_stand_in_the_address(
    agent: Agent, acme: Team, scripted_server: ScriptedServer
) -> None:
    scripted_server.always(CHAT, json_answer(completion("Noted.")))

    agent.post(f"/gateway/u/bob{CHAT}", {"messages": conversation(FACT)}, X_Nebo_Key=key_of(acme))

    assert said(acme, 2, person__external_id="bob") == [("user", FACT), ("assistant", "Noted.")]
    assert scripted_server.requests[0].path == CHAT


def test_nobody_is_given_what_is_another_persons_or_another_teams(
    agent: Agent, acme: Team, rival: Team, scripted_server: ScriptedServer
) -> None:
    scripted_server.always(CHAT, json_answer(completion("Noted.")))
    agent.chat(FACT, X_Nebo_Session="chat-1")
    carol = key_of(acme, "carol")

    agent.chat(QUESTION, X_Nebo_Key=key_of(rival, "alice"), X_Nebo_Session="chat-1")
    agent.chat(QUESTION, X_Nebo_Key=carol, X_Nebo_Session="chat-1")
    foreign = agent.chat(QUESTION, X_Nebo_Key=carol, X_Nebo_User="alice")
    missing = agent.chat(QUESTION, X_Nebo_Key=carol, X_Nebo_User="nobody")

    assert not [one for one in scripted_server.requests[1:] if b"walnut" in one.body]
    assert len(scripted_server.requests) == 3
    assert (foreign.status_code, missing.status_code) == (404, 404)
    assert {**foreign.json(), "request_id": ""} == {**missing.json(), "request_id": ""}
    assert len(said(acme, 2, person__external_id="alice")) == 2


def test_models_tokens_and_embeddings_are_passed_on(
    agent: Agent, acme: Team, scripted_server: ScriptedServer
) -> None:
    for path in ("/v1/models", "/v1/models/gpt%3Ax", "/v1/messages/count_tokens", "/v1/embeddings"):
        scripted_server.always(path, json_answer({"of": path}))
    sent = {"X-Nebo-Key": key_of(acme, scopes=("read",)), "Authorization": f"Bearer {PROVIDERS_KEY}"}

    got = [httpx.get(f"{agent.address}{path}", headers=sent) for path in ("/v1/models", "/v1/models/gpt%3Ax")]
    got += [
        httpx.post(f"{agent.address}{path}", headers=sent, content=b'{"input": "x"}')
        for path in ("/v1/messages/count_tokens", "/v1/embeddings")
    ]
    beyond = httpx.get(f"{agent.address}/v1/models/%2e%2e", headers=sent)

    assert [one.status_code for one in got] == [200, 418, 200, 200]
    assert scripted_server.requests[1].path == "/v1/models/gpt:x"
    assert scripted_server.requests[-1].body == b'{"input": "x"}'
    assert beyond.status_code in (400, 404)
    assert said(acme) == []


def test_too_many_at_once_are_asked_to_come_again(agent: Agent, scripted_server: ScriptedServer) -> None:
    go_on, open_ones = Event(), []
    scripted_server.always(CHAT, streamed(chunks("Wal", "nuts."), hold=go_on))
    body = {"messages": conversation(QUESTION), "stream": True}
    try:
        for _ in range(6):
            open_ones.append(agent.stream(CHAT, body))
            open_ones[-1].__enter__()
        refused = agent.post(CHAT, body)
    finally:
        go_on.set()
        for one in open_ones:
            one.__exit__(None, None, None)

    assert (refused.status_code, refused.headers["retry-after"]) == (503, "1")
    assert refused.json()["code"] == "too-many-at-once"


def test_a_body_is_bounded(db: None, acme: Team) -> None:
    client = Client(headers={"X-Nebo-Key": key_of(acme, "alice")})

    answer = client.generic("POST", CHAT, b"{}", "application/json", CONTENT_LENGTH=str(10**9))

    assert answer.status_code == 413
    assert answer.json()["code"] == "too-large"
