"""Fail closed: nothing behind a session, or behind a cue, is no ground to go on."""

from __future__ import annotations

import pytest

from sessions.continuity import is_continuation, judge_continuity

CUES = [
    "As we discussed, ship it on Friday",
    "pick up where we left off",
    "What did we decide in our last meeting?",
    "Like you said earlier, blue is better",
    "Continue our previous conversation",
    "last time we talked you promised a draft",
]
NO_CUES = [
    "What is the capital of Norway?",
    "We left the house at nine",
    "I said hello to the neighbours",
    "",
]


@pytest.mark.parametrize("query", CUES)
def test_continuation_cues_are_seen(query: str) -> None:
    assert is_continuation(query)


@pytest.mark.parametrize("query", NO_CUES)
def test_ordinary_queries_are_not_cues(query: str) -> None:
    assert not is_continuation(query)


def test_a_new_session_is_never_blocked_by_an_ordinary_query() -> None:
    assert judge_continuity(existing=False, query="Hello", history=0, summary=False, recalled=0).ok


def test_an_existing_session_with_nothing_left_fails_closed() -> None:
    verdict = judge_continuity(existing=True, query="Hello", history=0, summary=False, recalled=0)

    assert not verdict.ok
    assert "all empty" in verdict.reason


@pytest.mark.parametrize(("history", "summary", "recalled"), [(1, False, 0), (0, True, 0), (0, False, 1)])
def test_any_one_artifact_is_enough(history: int, summary: bool, recalled: int) -> None:
    assert judge_continuity(
        existing=True, query="as we discussed", history=history, summary=summary, recalled=recalled
    ).ok


def test_a_cue_with_nothing_behind_it_fails_closed_even_in_a_new_session() -> None:
    assert not judge_continuity(existing=False, query=CUES[0], history=0, summary=False, recalled=0).ok
