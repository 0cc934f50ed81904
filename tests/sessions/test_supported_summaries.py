"""Whatever a model writes about a conversation, only what was said of it is kept."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from nebo.llm.types import ChatMessage, ChatReply, ChatRequest, Task
from sessions.summaries.supported import keep_supported

SAID = (
    ("user", "I'm moving to Porto in August, my partner Tomasz got a job at Feedzai."),
    ("assistant", "Congratulations! What do you need?"),
    ("user", "A flat under 1200 euros. I'm allergic to cats."),
    ("user", "I have to call the landlord on Monday."),
)
EARLIER = "Alice plays the cello in Leeds."


def written(task: Task, text: str, *, earlier: str = "") -> str:
    """What is left of a model's answer."""
    material = tuple(
        ChatMessage(role, content, created_at=datetime(2026, 5, 28, tzinfo=UTC)) for role, content in SAID
    )
    request = ChatRequest(task=task, system="", prompt="", material=material, earlier=earlier)
    return keep_supported(ChatReply(text, "openai", "gpt-x", 0, 0, 0), request).text


@pytest.mark.parametrize("task", ["summarize", "rolling"])
def test_prose_loses_the_sentences_that_nobody_said(task: Task) -> None:
    answer = (
        "The user is moving to Porto in August [0]. They have three horses. Bob will help them. "
        "They need a flat under 1,200 euros [2]."
    )

    text = written(task, answer)

    assert text == "The user is moving to Porto in August. They need a flat under 1,200 euros."


def test_what_the_summary_said_before_may_be_said_again() -> None:
    text = written("rolling", f"{EARLIER} The user is allergic to cats.", earlier=EARLIER)

    assert text == f"{EARLIER} The user is allergic to cats."


def test_a_summary_of_which_nothing_stands_is_written_by_rule() -> None:
    text = written("rolling", "Bob bought three horses in Ohio for 90,000 dollars.")

    assert text
    assert "Bob" not in text
    assert "horses" not in text


def test_each_line_of_a_sessions_summary_is_held_to_what_was_said() -> None:
    answer = {
        "one_liner": "Planned the move to Porto.",
        "what_mattered": ["Move to Porto in August", "Buying a horse"],
        "open_loops": ["Call the landlord on Monday", "Call the bank on 12 June"],
        "commitments": ["The assistant promised to pay 500 euros"],
        "people": ["Tomasz", "Rakesh"],
        "tone": "busy",
    }

    kept = json.loads(written("session_summary", json.dumps(answer)))

    assert kept["what_mattered"] == ["Move to Porto in August"]
    assert kept["open_loops"] == ["Call the landlord on Monday"]
    assert kept["commitments"] == []
    assert kept["people"] == ["Tomasz"]


def test_a_section_of_which_nothing_stands_is_left_as_it_was() -> None:
    answer = (
        f"PROFILE\n- {EARLIER}\n- Is allergic to cats\n- Has a yacht\n\nPEOPLE\n- Rakesh is their brother"
    )

    text = written("spine", answer, earlier=f"PROFILE\n- {EARLIER}\n\nPEOPLE\n- Lena is their sister")

    assert text == f"PROFILE\n- {EARLIER}\n- Is allergic to cats"


@pytest.mark.parametrize(
    ("answer", "task"),
    [
        ("Find a flat under 1200 euros", "Find a flat under 1200 euros"),
        ("Buy a yacht in Monaco", "Pack"),
        ("none", "none"),
    ],
)
def test_a_task_that_nobody_named_leaves_the_one_before(answer: str, task: str) -> None:
    assert written("active_task", answer, earlier="Pack") == task
