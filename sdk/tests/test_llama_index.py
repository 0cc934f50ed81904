"""LlamaIndex's memory and its block, kept by Nebo."""

from __future__ import annotations

import asyncio

from llama_index.core.chat_engine import SimpleChatEngine
from llama_index.core.llms import ChatMessage, MockLLM
from llama_index.core.memory import BaseMemory, Memory
from nebo_client import AsyncNebo, User
from nebo_client.adapters.llama_index import NeboMemory, NeboMemoryBlock

FACT = "Is allergic to walnuts."
CALL = ChatMessage(role="assistant", content="", additional_kwargs={"tool_calls": [{"id": "c"}]})


def test_messages_come_back_behind_what_is_known(annie: User) -> None:
    annie.add_memory(FACT)
    memory = NeboMemory.from_defaults(session=annie.session("chat"))
    assert isinstance(memory, BaseMemory)
    said = [
        ChatMessage("May I eat brownies?", role="user"),
        CALL,
        ChatMessage("Ask first.", role="assistant"),
    ]

    memory.put_messages(said)

    assert memory.get_all() == said
    known, *rest = memory.get("May I eat brownies?")
    assert (known.role, rest) == ("system", said)
    assert FACT in str(known.content)


def test_it_can_be_set_and_reset(annie: User) -> None:
    memory = NeboMemory(annie.session("chat"))
    memory.put(ChatMessage("One.", role="user"))
    memory.set([ChatMessage("Two.", role="user")])

    assert [one.content for one in NeboMemory(annie.session("chat")).get_all()] == ["Two."]
    memory.reset()
    assert memory.get_all() == []


def test_a_chat_engine_stores_both_sides(annie: User) -> None:
    engine = SimpleChatEngine.from_defaults(llm=MockLLM(), memory=NeboMemory(annie.session("chat")))

    engine.chat("I live in Ghent.")

    roles = [one["role"] for one in annie.session("chat").messages()]
    assert roles == ["user", "assistant"]
    assert annie.profile()["location"] == "Ghent"


def test_a_block_brings_what_is_known_and_takes_old_messages(annie: User, elsewhere: AsyncNebo) -> None:
    annie.add_memory(FACT)

    async def talk() -> tuple[str, str]:
        async with elsewhere as nebo:
            block = NeboMemoryBlock(session=nebo.user(annie.id).session("chat"))
            memory = Memory.from_defaults(
                session_id="chat", memory_blocks=[block], token_limit=60, chat_history_token_ratio=0.5,
                token_flush_size=20,
            )  # fmt: skip
            for number in range(12):
                await memory.aput(ChatMessage(f"This is line {number} of a talk about boats.", role="user"))
            await memory.aput(ChatMessage("May I eat walnuts?", role="user"))
            told = await memory.aget()
            return await block.aget([ChatMessage("May I eat walnuts?", role="user")]), str(told)

    known, told = asyncio.run(talk())

    assert FACT in known
    assert FACT in told
    assert "line 0" in next(iter(annie.session("chat").messages()))["content"]


def test_the_same_with_an_event_loop(annie: User, elsewhere: AsyncNebo) -> None:
    async def talk() -> list[str | None]:
        async with elsewhere as nebo:
            memory = NeboMemory(nebo.user(annie.id).session("chat"))
            await memory.aput(ChatMessage("One.", role="user"))
            await memory.aset([ChatMessage("Two.", role="user")])
            await memory.aput_messages([ChatMessage("Three.", role="assistant")])
            contents = [one.content for one in await memory.aget_all()]
            assert [one.content for one in await memory.aget("x")][-2:] == contents
            await memory.areset()
            assert await memory.aget_all() == []
            return contents

    assert asyncio.run(talk()) == ["Two.", "Three."]
