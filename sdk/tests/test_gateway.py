"""The real SDKs, with nothing changed but their base URL and some headers."""

from __future__ import annotations

import asyncio
import time
import uuid
from typing import Any

import anthropic
import openai
import pytest
from conftest import Place, Provider
from documented import example, run
from nebo_client import Nebo
from test_remember import QUESTION, chunk, completion, message

FACT = "My sister Ottilie is allergic to walnuts."
MARK = {"type": "ephemeral"}


@pytest.fixture
def user() -> str:
    return f"gus-{uuid.uuid4().hex[:8]}"


def headers(place: Place, user: str, session: str = "chat") -> dict[str, str]:
    return {"X-Nebo-Key": place.key, "X-Nebo-User": user, "X-Nebo-Session": session}


def openai_of(place: Place, user: str, **more: Any) -> openai.OpenAI:
    return openai.OpenAI(
        api_key="sk-theirs", base_url=f"{place.url}/v1", default_headers=headers(place, user), **more
    )


def anthropic_of(place: Place, user: str) -> anthropic.Anthropic:
    return anthropic.Anthropic(
        api_key="sk-theirs", base_url=place.url, default_headers=headers(place, user), max_retries=0
    )


def said(place: Place, user: str, count: int) -> list[tuple[str, str]]:
    """As soon as there are so many: the model's words are kept when the client has all of them."""
    session = Nebo(place.key, place.url).user(user).session("chat")
    deadline = time.monotonic() + 60
    while True:
        found = [(one["role"], one["content"]) for one in session.messages()]
        if len(found) >= count or time.monotonic() > deadline:
            return found
        time.sleep(0.05)


def test_openai_gets_the_same_answer_and_the_next_turn_knows(
    place: Place, user: str, provider: Provider
) -> None:
    for text in ("Noted.", "Noted.", "Walnuts."):
        provider.will_answer(completion(text))
    asked: list[Any] = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": FACT}]
    straight = openai.OpenAI(api_key="sk-theirs", base_url=provider.url)
    through = openai_of(place, user)

    expected = straight.chat.completions.with_raw_response.create(model="m", messages=asked, seed=7)
    got = through.chat.completions.with_raw_response.create(model="m", messages=asked, seed=7)
    again: list[Any] = [{"role": "user", "content": QUESTION}]
    answer = through.chat.completions.create(model="m", messages=again)

    assert got.content == expected.content
    assert got.headers["x-request-id"] == "req_2"
    assert answer.choices[0].message.content == "Walnuts."
    assert {**provider.asked[1], "messages": 0} == {**provider.asked[0], "messages": 0}
    assert provider.asked[1]["messages"][0] == asked[0]
    assert provider.asked[1]["messages"][-1] == asked[1]
    told = [one["content"] for one in provider.asked[2]["messages"] if one["role"] == "system"]
    assert "walnuts" in "\n".join(told)
    assert said(place, user, 4) == [
        ("user", FACT), ("assistant", "Noted."), ("user", QUESTION), ("assistant", "Walnuts."),
    ]  # fmt: skip
    assert provider.headers[1]["authorization"] == "Bearer sk-theirs"
    assert not [name for one in provider.headers for name in one if "nebo" in name]


def test_openais_stream_is_the_same(place: Place, user: str, provider: Provider) -> None:
    for _ in range(2):
        provider.will_stream(chunk("Wal"), chunk("nuts."), ("", "[DONE]"))
    straight = openai.OpenAI(api_key="sk-theirs", base_url=provider.url)
    asked: list[Any] = [{"role": "user", "content": QUESTION}]

    streams = [
        [part.to_dict() for part in client.chat.completions.create(model="m", messages=asked, stream=True)]
        for client in (straight, openai_of(place, user))
    ]

    assert streams[0] == streams[1]
    assert said(place, user, 2) == [("user", QUESTION), ("assistant", "Walnuts.")]


def test_anthropic_gets_the_same_answer_and_the_next_turn_knows(
    place: Place, user: str, provider: Provider
) -> None:
    for text in ("Noted.", "Noted.", "Walnuts."):
        provider.will_answer(message(text))
    straight, through = (
        anthropic.Anthropic(api_key="sk-theirs", base_url=provider.url),
        anthropic_of(place, user),
    )
    asked: list[Any] = [{"role": "user", "content": FACT}]

    expected = straight.messages.with_raw_response.create(
        model="m", max_tokens=9, system="Be brief.", messages=asked
    )
    got = through.messages.with_raw_response.create(
        model="m", max_tokens=9, system="Be brief.", messages=asked
    )
    again: list[Any] = [{"role": "user", "content": QUESTION}]
    answer = through.messages.create(model="m", max_tokens=9, messages=again)

    assert got.read() == expected.read()
    assert [block.text for block in answer.content if block.type == "text"] == ["Walnuts."]
    assert provider.asked[2]["messages"] == again
    assert "walnuts" in "\n".join(block["text"] for block in provider.asked[2]["system"])
    assert len(said(place, user, 4)) == 4
    own = {"host", "content-length", "accept-encoding", "connection"}
    sent = [{name: value for name, value in one.items() if name not in own} for one in provider.headers[:2]]
    assert sent[0] == sent[1]
    assert "sk-theirs" in str(sent[1])


def test_anthropics_stream_is_the_same(place: Place, user: str, provider: Provider) -> None:
    start = {"type": "message_start", "message": {**message(""), "content": []}}
    block = {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
    delta = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Walnuts."}}
    events = (start, block, delta, {"type": "content_block_stop", "index": 0}, {"type": "message_stop"})
    for _ in range(2):
        provider.will_stream(*((str(event["type"]), event) for event in events))
    asked: list[Any] = [
        {"role": "user", "content": [{"type": "text", "text": QUESTION, "cache_control": MARK}]}
    ]

    streams = []
    straight = anthropic.Anthropic(api_key="sk-theirs", base_url=provider.url)
    for client in (straight, anthropic_of(place, user)):
        with client.messages.stream(model="m", max_tokens=9, messages=asked) as stream:
            streams.append([event.to_dict() for event in stream])

    assert streams[0] == streams[1]
    assert said(place, user, 2) == [("user", QUESTION), ("assistant", "Walnuts.")]


def test_the_same_with_an_event_loop(place: Place, user: str, provider: Provider) -> None:
    provider.will_stream(chunk("No."), ("", "[DONE]"))

    async def talk() -> list[str | None]:
        client = openai.AsyncOpenAI(
            api_key="sk-theirs", base_url=f"{place.url}/v1", default_headers=headers(place, user)
        )
        asked: list[Any] = [{"role": "user", "content": "Pecans?"}]
        stream = await client.chat.completions.create(model="m", messages=asked, stream=True)
        parts = [part.choices[0].delta.content async for part in stream]
        await client.close()
        return parts

    assert asyncio.run(talk()) == ["No."]
    assert said(place, user, 2) == [("user", "Pecans?"), ("assistant", "No.")]


def test_both_keys_may_stand_in_one(place: Place, user: str, provider: Provider) -> None:
    provider.will_answer(completion("Noted."))
    client = openai.OpenAI(api_key=f"{place.key}:sk-theirs", base_url=f"{place.url}/gateway/u/{user}/v1")

    client.chat.completions.create(model="m", messages=[{"role": "user", "content": FACT}])

    assert provider.headers[0]["authorization"] == "Bearer sk-theirs"
    assert "walnuts" in str(Nebo(place.key, place.url).user(user).search("walnuts")["results"])


def test_what_fails_is_tried_again_by_the_sdk_and_kept_once(
    place: Place, user: str, provider: Provider
) -> None:
    provider.will_answer({"error": {"message": "busy", "type": "server_error"}}, 503)
    provider.will_answer(completion("Walnuts."))

    answer = openai_of(place, user, max_retries=1).chat.completions.create(
        model="m", messages=[{"role": "user", "content": QUESTION}]
    )

    assert answer.choices[0].message.content == "Walnuts."
    assert len(provider.asked) == 2
    assert said(place, user, 2) == [("user", QUESTION), ("assistant", "Walnuts.")]


def test_errors_are_those_of_the_sdk(place: Place, user: str, provider: Provider) -> None:
    provider.will_answer({"error": {"message": "bad key", "type": "authentication_error"}}, 401)
    asked: list[Any] = [{"role": "user", "content": QUESTION}]

    with pytest.raises(openai.AuthenticationError, match="bad key"):
        openai_of(place, user).chat.completions.create(model="m", messages=asked)
    with pytest.raises(openai.BadRequestError, match="X-Nebo-User"):
        openai_of(place, "").chat.completions.create(model="m", messages=asked)


def test_responses_know_too(place: Place, user: str, provider: Provider) -> None:
    item = {"type": "message", "id": "i", "role": "assistant", "status": "completed", "content": [
        {"type": "output_text", "text": "Noted.", "annotations": []}]}  # fmt: skip
    body = {"id": "r", "object": "response", "created_at": 1, "model": "m", "output": [item], "tools": [],
            "tool_choice": "auto", "parallel_tool_calls": True}  # fmt: skip
    provider.will_answer(body)
    provider.will_answer(body)
    client = openai_of(place, user)

    client.responses.create(model="m", input=FACT)
    answer = client.responses.create(model="m", input=QUESTION, instructions="Be brief.")

    assert answer.output_text == "Noted."
    assert provider.asked[1]["instructions"].startswith("Be brief.")
    assert "walnuts" in provider.asked[1]["instructions"]
    assert said(place, user, 4)[-1] == ("assistant", "Noted.")


@pytest.mark.parametrize("of", ["OpenAI", "Anthropic"])
def test_the_pages_clients_are_answered_and_kept(
    place: Place, user: str, provider: Provider, of: str
) -> None:
    """Only address, key and person are put in."""
    code = example("gateway.md", containing=f"import {of}\n")
    for written, real in (
        ("http://127.0.0.1:8000", place.url),
        ("nebo_…", place.key),
        ("kim", user),
        ("chat-1", "chat"),
    ):
        code = code.replace(written, real)
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv(f"{of.upper()}_API_KEY", "sk-theirs")
        client = run(code)["client"]
    provider.will_answer(completion("Noted.") if of == "OpenAI" else message("Noted."))
    asked: list[Any] = [{"role": "user", "content": FACT}]

    if of == "OpenAI":
        client.chat.completions.create(model="m", messages=asked)
    else:
        client.messages.create(model="m", max_tokens=50, messages=asked)

    assert said(place, user, 2) == [("user", FACT), ("assistant", "Noted.")]
