"""The real memory tool of Anthropic's SDK, with its files in Nebo."""

from __future__ import annotations

import asyncio
import uuid
from pathlib import Path
from typing import Any

import anthropic
import pytest
from anthropic.lib.tools import ToolError
from conftest import Place, Provider
from documented import example, run
from nebo_client import AsyncNebo, Nebo
from nebo_client.adapters.anthropic import AsyncNeboMemoryTool, NeboMemoryTool

NOTES = "/memories/notes.md"


@pytest.fixture
def tool(place: Place) -> NeboMemoryTool:
    return NeboMemoryTool(Nebo(place.key, place.url).user(f"annie-{uuid.uuid4().hex[:8]}"))


def uses(command: dict[str, Any]) -> dict[str, Any]:
    block = {"type": "tool_use", "id": "toolu_1", "name": "memory", "input": command}
    return answer([block], "tool_use")


def answer(content: list[Any], reason: str = "end_turn") -> dict[str, Any]:
    return {
        "id": "1", "type": "message", "role": "assistant", "model": "m", "stop_reason": reason,
        "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}, "content": content,
    }  # fmt: skip


def result_of(provider: Provider, call: int) -> dict[str, Any]:
    """The result of the tool that the model was told in a call."""
    return provider.asked[call]["messages"][-1]["content"][0]


def test_the_runner_of_their_sdk_runs_all_commands(tool: NeboMemoryTool, provider: Provider) -> None:
    commands: list[tuple[dict[str, Any], str]] = [
        (
            {"command": "create", "path": NOTES, "file_text": "one\ntwo\n"},
            "File created successfully at: /memories/notes.md",
        ),
        (
            {"command": "str_replace", "path": NOTES, "old_str": "two", "new_str": "three"},
            "The memory file has been edited.",
        ),
        (
            {"command": "insert", "path": NOTES, "insert_line": 1, "insert_text": "two"},
            "The file /memories/notes.md has been edited.",
        ),
        ({"command": "view", "path": NOTES, "view_range": [2, 3]}, "     2\ttwo\n     3\tthree"),
        ({"command": "rename", "old_path": NOTES, "new_path": "/memories/b.md"}, "Successfully renamed"),
        ({"command": "view", "path": "/memories"}, "/memories/b.md"),
        ({"command": "delete", "path": "/memories/b.md"}, "Successfully deleted /memories/b.md"),
        ({"command": "view", "path": NOTES}, "does not exist. Please provide a valid path."),
    ]
    for command, _ in commands:
        provider.will_answer(uses(command))
    provider.will_answer(answer([{"type": "text", "text": "Done."}]))
    client = anthropic.Anthropic(api_key="k", base_url=provider.url)

    last = client.beta.messages.tool_runner(
        model="m", max_tokens=9, tools=[tool], messages=[{"role": "user", "content": "Note it."}]
    ).until_done()

    assert last.content[0].text == "Done."
    assert provider.asked[0]["tools"] == [{"type": "memory_20250818", "name": "memory"}]
    results = [result_of(provider, call) for call in range(1, len(commands) + 1)]
    for result, (_, said) in zip(results, commands, strict=True):
        assert said in str(result["content"])
    assert [bool(result.get("is_error")) for result in results] == [False] * 7 + [True]


def test_the_same_commands_do_the_same_as_their_own_example(tool: NeboMemoryTool, tmp_path: Path) -> None:
    local = pytest.importorskip("anthropic.tools").BetaLocalFilesystemMemoryTool(str(tmp_path))
    commands: list[dict[str, Any]] = [
        {"command": "create", "path": NOTES, "file_text": "a\nb\nb\n"},
        {"command": "view", "path": NOTES},
        {"command": "view", "path": NOTES, "view_range": [2, -1]},
        {"command": "str_replace", "path": NOTES, "old_str": "a", "new_str": "A"},
        {"command": "insert", "path": NOTES, "insert_line": 3, "insert_text": "end\n"},
        {"command": "view", "path": NOTES},
        {"command": "str_replace", "path": NOTES, "old_str": "b", "new_str": "c"},
        {"command": "str_replace", "path": NOTES, "old_str": "zzz", "new_str": "c"},
        {"command": "create", "path": NOTES, "file_text": "again"},
        {"command": "insert", "path": "/memories/no", "insert_line": 0, "insert_text": "x"},
        {"command": "view", "path": "/memories/no"},
        {"command": "rename", "old_path": NOTES, "new_path": NOTES},
        {"command": "rename", "old_path": NOTES, "new_path": "/memories/d/e.md"},
        {"command": "delete", "path": "/memories/d"},
        {"command": "delete", "path": "/memories"},
    ]

    for command in commands:
        ours, theirs = outcome(tool, command), outcome(local, command)
        assert ours[0] == theirs[0], command
        assert words(ours[1]) == words(theirs[1]), command


def outcome(tool: Any, command: dict[str, Any]) -> tuple[bool, str]:
    try:
        return True, str(tool.call(command))
    except ToolError as error:
        return False, str(error.content)


def words(text: str) -> str:
    """Their example says less in front and behind than their documentation does."""
    return text.removeprefix("Error: ").removesuffix(" Please provide a valid path.").rstrip(".")


def test_the_same_with_an_event_loop(place: Place, provider: Provider) -> None:
    async def talk() -> list[str]:
        async with AsyncNebo(place.key, place.url) as nebo:
            tool = AsyncNeboMemoryTool(nebo.user(f"annie-{uuid.uuid4().hex[:8]}"))
            made = await tool.call({"command": "create", "path": NOTES, "file_text": "tea"})
            with pytest.raises(ToolError, match="already exists"):
                await tool.call({"command": "create", "path": NOTES, "file_text": "tea"})
            return [str(made), str(await tool.call({"command": "view", "path": NOTES}))]

    made, seen = asyncio.run(talk())

    assert made == f"File created successfully at: {NOTES}"
    assert seen.endswith("     1\ttea")


def test_what_goes_wrong_is_told_to_the_model(place: Place) -> None:
    nowhere = NeboMemoryTool(Nebo("nebo_key", "http://127.0.0.1:9", retries=0).user("annie"))
    stranger = NeboMemoryTool(Nebo("nebo_wrong", place.url).user("annie"))
    tool = NeboMemoryTool(Nebo(place.key, place.url).user("annie"))

    for broken, command in (
        (nowhere, {"command": "view", "path": "/memories"}),
        (stranger, {"command": "view", "path": "/memories"}),
        (tool, {"command": "create", "path": NOTES}),
    ):
        with pytest.raises(ToolError, match="can't be used now"):
            broken.call(command)


def test_the_pages_example_runs(
    place: Place, provider: Provider, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in (
        ("NEBO_KEY", place.key), ("NEBO_URL", place.url), ("ANTHROPIC_API_KEY", "k"),
        ("ANTHROPIC_BASE_URL", provider.url),
    ):  # fmt: skip
        monkeypatch.setenv(name, value)
    note = {"command": "create", "path": f"/memories/{uuid.uuid4().hex}.md", "file_text": "Black coffee.\n"}
    provider.will_answer(uses(note))
    provider.will_answer(answer([{"type": "text", "text": "I will."}]))

    run(example("memory-tool.md"))

    assert "I will." in capsys.readouterr().out
    assert result_of(provider, 1)["content"] == f"File created successfully at: {note['path']}"
