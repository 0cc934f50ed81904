"""An agent of Pydantic AI with Nebo's tools."""

from __future__ import annotations

import asyncio
from typing import Any

from nebo_client import AsyncNebo, Nebo, User
from nebo_client.adapters.pydantic_ai import NeboToolset
from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

Calls = list[tuple[str, dict[str, Any]]]


def told(toolset: NeboToolset, calls: Calls) -> list[str]:
    """What the tools answer when a model calls them one after the other."""
    answers: list[str] = []

    def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        assert {tool.name for tool in info.function_tools} == {
            "search_memory",
            "save_memory",
            "forget_memory",
        }
        assert all(tool.description for tool in info.function_tools)
        answers.extend(str(part.content) for part in messages[-1].parts if isinstance(part, ToolReturnPart))
        if len(answers) == len(calls):
            return ModelResponse([TextPart("Done.")])
        return ModelResponse([ToolCallPart(*calls[len(answers)])])

    assert Agent(FunctionModel(model), toolsets=[toolset]).run_sync("Go.").output == "Done."
    return answers


def test_a_model_keeps_finds_and_forgets(annie: User) -> None:
    calls: Calls = [
        ("save_memory", {"text": "Is allergic to walnuts.", "key": "allergy"}),
        ("search_memory", {"query": "nuts"}),
        ("forget_memory", {"key": "allergy"}),
    ]

    saved, found, forgotten = told(NeboToolset(annie), calls)

    assert "allergy" in saved
    assert "walnuts" in found
    assert "allergy" in forgotten
    assert list(annie.memories()) == []


def test_the_same_with_an_event_loop(annie: User, elsewhere: AsyncNebo) -> None:
    async def talk() -> str:
        async with elsewhere as nebo:
            toolset = NeboToolset(nebo.user(annie.id))
            await toolset.save_memory("Likes rooibos.", "tea")
            return await toolset.search_memory("Which tea?")

    assert "rooibos" in asyncio.run(talk())


def test_a_nebo_that_is_away_fails_no_run() -> None:
    nowhere = Nebo("nebo_key", "http://127.0.0.1:9", retries=0)

    (answer,) = told(NeboToolset(nowhere.user("annie")), [("search_memory", {"query": "x"})])

    assert answer.startswith("The memory can't be used now")
