"""A session of OpenAI's Agents SDK, kept by Nebo."""

from __future__ import annotations

import asyncio
from typing import Any

import agents
import openai
from agents.memory import Session
from conftest import Provider
from nebo_client import AsyncNebo, User
from nebo_client.adapters.openai_agents import NeboSession
from test_remember import completion

ITEMS: list[Any] = [
    {"role": "user", "content": "What is in my cupboard?"},
    {"type": "function_call", "call_id": "c", "name": "look", "arguments": "{}", "id": "f", "status": "completed"},
    {"type": "function_call_output", "call_id": "c", "output": "tea"},
    {"role": "user", "content": [{"type": "input_image", "image_url": "data:,", "detail": "auto"}]},
]  # fmt: skip


def test_items_come_back_as_they_were_the_newest_of_them_and_one_by_one(annie: User) -> None:
    session = NeboSession(annie.session("chat"))
    assert isinstance(session, Session)

    async def talk() -> None:
        assert await session.get_items() == []
        assert await session.pop_item() is None
        await session.add_items(ITEMS)
        assert await session.get_items() == ITEMS
        assert await session.get_items(limit=2) == ITEMS[-2:]
        assert await session.get_items(limit=0) == []
        assert await session.pop_item() == ITEMS[-1]
        assert await session.pop_item() == ITEMS[-2]
        assert await session.get_items() == ITEMS[:2]
        await session.clear_session()
        assert await session.get_items() == []
        await session.add_items([{"role": "user", "content": "Anew."}])
        assert await session.get_items() == [{"role": "user", "content": "Anew."}]

    asyncio.run(talk())


def test_a_run_is_remembered_and_the_next_one_knows(
    annie: User, elsewhere: AsyncNebo, provider: Provider
) -> None:
    agents.set_tracing_disabled(True)
    provider.will_answer(completion("Nice to meet you."))
    provider.will_answer(completion("You are Ann."))

    async def talk() -> list[str]:
        client = openai.AsyncOpenAI(api_key="k", base_url=provider.url)
        agent = agents.Agent(
            "helper", model=agents.OpenAIChatCompletionsModel(model="m", openai_client=client)
        )
        async with elsewhere as nebo:
            session = NeboSession(nebo.user(annie.id).session("chat"))
            told = []
            for said in ("I'm Ann.", "Who am I?"):
                told.append((await agents.Runner.run(agent, said, session=session)).final_output)
        await client.close()
        return told

    assert asyncio.run(talk()) == ["Nice to meet you.", "You are Ann."]

    asked = [(one["role"], one["content"]) for one in provider.asked[1]["messages"]]
    assert asked == [("user", "I'm Ann."), ("assistant", "Nice to meet you."), ("user", "Who am I?")]
    told = [(one["role"], one["content"]) for one in annie.session("chat").messages()]
    assert told == [*asked, ("assistant", "You are Ann.")]
