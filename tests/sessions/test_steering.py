"""Steering: the nudge's three conditions, and recovery for one turn."""

from __future__ import annotations

import pytest

from sessions.context.steering import BEHAVIOURAL, SELF_DISCLOSURE, RecentMessage, needs_memory_nudge, steer


def conversation(said: str, assistant_turns: int = 10, *middle: RecentMessage) -> list[RecentMessage]:
    turns = [RecentMessage("assistant", "", f"answer {n}") for n in range(assistant_turns)]
    return [*turns, *middle, RecentMessage("user", "", said)]


@pytest.mark.parametrize("phrase", SELF_DISCLOSURE + BEHAVIOURAL)
def test_each_phrase_of_both_lists_brings_the_nudge(phrase: str) -> None:
    assert needs_memory_nudge(conversation(f"Well, {phrase} something"))


@pytest.mark.parametrize("phrase", ["Miami is warm", "fami always", "I amuse myself", "chimney work"])
def test_matching_is_on_words(phrase: str) -> None:
    assert not needs_memory_nudge(conversation(phrase))


def test_a_curly_apostrophe_is_an_apostrophe() -> None:
    assert needs_memory_nudge(conversation("I’m a nurse"))


def test_nine_assistant_turns_are_too_few() -> None:
    assert not needs_memory_nudge(conversation("I live in Oslo", 9))


def test_the_memory_tool_used_lately_silences_the_nudge() -> None:
    used = RecentMessage("tool", "memory", "stored")

    assert not needs_memory_nudge(conversation("I live in Oslo", 10, used))


def test_the_memory_tool_used_eleven_turns_ago_does_not() -> None:
    turns = [RecentMessage("tool", "memory", "stored"), *conversation("I live in Oslo", 11)]

    assert needs_memory_nudge(turns)


def test_disclosure_older_than_ten_messages_of_the_person_counts_no_more() -> None:
    later = [RecentMessage("user", "", f"question {n}?") for n in range(10)]

    assert not needs_memory_nudge([*conversation("I live in Oslo"), *later])


def test_recovery_stands_first_and_names_itself() -> None:
    hints = steer(conversation("I live in Oslo"), recovering=True)

    assert [hint.name for hint in hints] == ["compactionRecovery", "memoryNudge"]
    assert hints[0].as_user_text().startswith('<steering name="compactionRecovery">')
