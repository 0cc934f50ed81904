"""A memory around the completions of the real SDKs."""

from __future__ import annotations

import asyncio
import logging
import uuid
from typing import Any

import anthropic
import openai
import pytest
from conftest import Place, Provider
from nebo_client import AsyncNebo, Nebo

FACT = "Her sister Ottilie is allergic to walnuts."
QUESTION = "What is Ottilie allergic to?"


def completion(text: str | None, **message: Any) -> dict[str, Any]:
    return {
        "id": "1", "object": "chat.completion", "created": 1, "model": "m",
        "choices": [
            {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text, **message}}
        ],
    }  # fmt: skip


def chunk(text: str) -> tuple[str, object]:
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": None}
    return "", {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}


def message(text: str) -> dict[str, Any]:
    return {
        "id": "1", "type": "message", "role": "assistant", "model": "m", "stop_reason": "end_turn",
        "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1},
        "content": [{"type": "text", "text": text}],
    }  # fmt: skip


@pytest.fixture
def user() -> str:
    return f"annie-{uuid.uuid4().hex[:8]}"


@pytest.fixture
def nebo(place: Place, user: str) -> Nebo:
    nebo = Nebo(place.key, place.url)
    nebo.user(user).add_memory(FACT)
    return nebo


def said(nebo: Nebo, user: str) -> list[tuple[str, str]]:
    return [(one["role"], one["content"]) for one in nebo.user(user).session("chat").messages()]


def test_openai_is_told_what_is_known_and_both_sides_are_stored(
    nebo: Nebo, user: str, provider: Provider
) -> None:
    provider.will_answer(completion("Walnuts."))
    provider.will_answer(completion("Pecans are fine."))
    client = openai.OpenAI(api_key="k", base_url=provider.url)
    own = client.chat.completions.create

    with nebo.remember(client, user=user) as remembering:
        asked = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": QUESTION}]
        answer = remembering.chat.completions.create(model="m", messages=asked)
        remembering.chat.completions.create(model="m", messages=[{"role": "user", "content": "And pecans?"}])

    assert answer.choices[0].message.content == "Walnuts."
    first, second = (one["messages"] for one in provider.asked)
    assert first[0]["content"] == "Be brief."
    assert any(FACT in one["content"] for one in first if one["role"] == "system")
    assert first[-1]["content"] == QUESTION
    assert [one["content"] for one in second if one["role"] != "system"] == [
        QUESTION,
        "Walnuts.",
        "And pecans?",
    ]
    assert said(nebo, user) == [
        ("user", QUESTION), ("assistant", "Walnuts."), ("user", "And pecans?"), ("assistant", "Pecans are fine."),
    ]  # fmt: skip
    assert client.chat.completions.create == own


def test_a_stream_is_passed_on_and_stored(nebo: Nebo, user: str, provider: Provider) -> None:
    provider.will_stream(chunk("Wal"), chunk("nuts."), ("", "[DONE]"))
    client = openai.OpenAI(api_key="k", base_url=provider.url)

    with nebo.remember(client, user=user):
        asked = [{"role": "user", "content": QUESTION}]
        stream = client.chat.completions.create(model="m", messages=asked, stream=True)
        parts = [part.choices[0].delta.content for part in stream]

    assert parts == ["Wal", "nuts."]
    assert said(nebo, user) == [("user", QUESTION), ("assistant", "Walnuts.")]


def test_calls_of_tools_do_not_store_the_question_again(nebo: Nebo, user: str, provider: Provider) -> None:
    call = {"id": "c", "type": "function", "function": {"name": "look_up", "arguments": "{}"}}
    provider.will_answer(completion(None, tool_calls=[call]))
    provider.will_answer(completion("Walnuts."))
    client = openai.OpenAI(api_key="k", base_url=provider.url)
    asked: list[Any] = [{"role": "user", "content": QUESTION}]

    with nebo.remember(client, user=user):
        answer = client.chat.completions.create(model="m", messages=asked)
        asked += [answer.choices[0].message, {"role": "tool", "tool_call_id": "c", "content": "walnuts"}]
        client.chat.completions.create(model="m", messages=asked)

    assert said(nebo, user) == [("user", QUESTION), ("assistant", "Walnuts.")]


def test_anthropic_is_told_and_stored(nebo: Nebo, user: str, provider: Provider) -> None:
    provider.will_answer(message("Walnuts."))
    start = {"type": "message_start", "message": {**message(""), "content": []}}
    block = {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
    delta = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "No."}}
    events = (start, block, delta, {"type": "content_block_stop", "index": 0}, {"type": "message_stop"})
    provider.will_stream(*((str(event["type"]), event) for event in events))
    client = anthropic.Anthropic(api_key="k", base_url=provider.url)

    with nebo.remember(client, user=user):
        asked: list[Any] = [{"role": "user", "content": QUESTION}]
        client.messages.create(model="m", max_tokens=9, system="Be brief.", messages=asked)
        again: list[Any] = [{"role": "user", "content": "Pecans?"}]
        with client.messages.create(model="m", max_tokens=9, messages=again, stream=True) as stream:
            assert len(list(stream)) == len(events)

    first, second = provider.asked
    assert first["system"][0]["text"] == "Be brief."
    assert any(FACT in block["text"] for block in first["system"])
    assert [one["content"] for one in second["messages"]] == [QUESTION, "Walnuts.", "Pecans?"]
    assert [text for _, text in said(nebo, user)] == [QUESTION, "Walnuts.", "Pecans?", "No."]


def test_the_same_with_an_event_loop(nebo: Nebo, place: Place, user: str, provider: Provider) -> None:
    provider.will_answer(completion("Walnuts."))
    provider.will_stream(chunk("No."), ("", "[DONE]"))

    async def talk() -> None:
        client = openai.AsyncOpenAI(api_key="k", base_url=provider.url)
        async with AsyncNebo(place.key, place.url) as memory, memory.remember(client, user=user):
            asked: list[Any] = [{"role": "user", "content": QUESTION}]
            await client.chat.completions.create(model="m", messages=asked)
            again: list[Any] = [{"role": "user", "content": "Pecans?"}]
            stream = await client.chat.completions.create(model="m", messages=again, stream=True)
            assert [part.choices[0].delta.content async for part in stream] == ["No."]
        await client.close()

    asyncio.run(talk())

    assert [text for _, text in said(nebo, user)] == [QUESTION, "Walnuts.", "Pecans?", "No."]


def test_a_completion_works_without_nebo(provider: Provider, caplog: pytest.LogCaptureFixture) -> None:
    provider.will_answer(completion("Walnuts."))
    client = openai.OpenAI(api_key="k", base_url=provider.url)
    nowhere = Nebo("nebo_key", "http://127.0.0.1:9", retries=0)

    with caplog.at_level(logging.WARNING), nowhere.remember(client, user="annie"):
        asked: list[Any] = [{"role": "user", "content": QUESTION}]
        answer = client.chat.completions.create(model="m", messages=asked)

    assert answer.choices[0].message.content == "Walnuts."
    assert provider.asked[0]["messages"] == asked
    assert "asked without memory" in caplog.text
    assert "not stored" in caplog.text


def test_the_wrong_kind_of_client_is_refused_at_once(nebo: Nebo) -> None:
    with pytest.raises(TypeError), nebo.remember(openai.AsyncOpenAI(api_key="k")):
        pass
    with pytest.raises(TypeError), nebo.remember(object()):
        pass
