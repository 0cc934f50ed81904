"""Every example of the page on frameworks runs as it stands there."""

from __future__ import annotations

import uuid

import pytest
from conftest import Place, Provider
from documented import example, run
from nebo_client import Nebo

LINES = 10  # of an example, at most

TOLD = {
    "LangGraph": "Is allergic to walnuts",
    "LangChain": "A fine town.",
    "OpenAI Agents": "A fine town.",
    "LlamaIndex": "I live in Ghent.",
    "Pydantic AI": "search_memory",
}


@pytest.fixture
def _settings(place: Place, provider: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (
        ("NEBO_KEY", place.key), ("NEBO_URL", place.url), ("OPENAI_API_KEY", "k"),
        ("OPENAI_BASE_URL", provider.url), ("OPENAI_AGENTS_DISABLE_TRACING", "1"),
    ):  # fmt: skip
        monkeypatch.setenv(name, value)


@pytest.mark.parametrize("heading", TOLD)
@pytest.mark.usefixtures("_settings")
def test_an_example_runs_in_less_than_ten_lines(
    heading: str, provider: Provider, capsys: pytest.CaptureFixture[str]
) -> None:
    code = example("frameworks.md", heading).replace('"annie"', f'"annie-{uuid.uuid4().hex[:8]}"')
    assert len([line for line in code.splitlines() if line]) < LINES
    provider.will_answer(response("A fine town."))

    run(code)

    assert TOLD[heading] in capsys.readouterr().out


def response(text: str) -> dict[str, object]:
    """Of OpenAI's Responses API."""
    part = {"type": "output_text", "text": text, "annotations": []}
    said = {"id": "msg", "type": "message", "role": "assistant", "status": "completed", "content": [part]}
    return {
        "id": "resp", "object": "response", "created_at": 1, "model": "m", "status": "completed", "output": [said],
        "parallel_tool_calls": False, "tool_choice": "auto", "tools": [], "error": None, "incomplete_details": None,
        "instructions": None, "metadata": {}, "temperature": 1, "top_p": 1,
    }  # fmt: skip


@pytest.mark.usefixtures("_settings")
def test_what_openais_responses_answer_is_plain_words_for_nebo(place: Place, provider: Provider) -> None:
    user = f"annie-{uuid.uuid4().hex[:8]}"
    provider.will_answer(response("A fine town."))

    run(example("frameworks.md", "OpenAI Agents").replace('"annie"', f'"{user}"'))

    told = [
        (one["role"], one["content"])
        for one in Nebo(place.key, place.url).user(user).session("chat-1").messages()
    ]
    assert told == [("user", "I live in Ghent."), ("assistant", "A fine town.")]
