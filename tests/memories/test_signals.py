from __future__ import annotations

import time
from datetime import UTC, date, datetime, timedelta

import pytest

from memories.extraction.mapping import verify_quote
from memories.signals import find_signals

AT = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "kind", "key", "detail"),
    [
        ("My name is Sam", "name", "user/name", "Sam"),
        ("I prefer dark mode", "preference", "preference/dark-mode", "dark mode"),
        ("be more formal", "preference", "style/formal", "formal"),
        ("I'm in UTC+2", "timezone", "user/timezone", "UTC+2"),
        ("I live in Oslo", "place", "user/location", "Oslo"),
        ("I have two cats", "fact", "has/cat", "two cats"),
        ("I went to Rome yesterday", "fact", "event/went-rome-2023-05-07", "to Rome"),
        ("Remember that the alarm is on the left", "remember", "note/alarm-left", "the alarm is on the left"),
        ("Remember that I like tea", "remember", "preference/tea", "tea"),
        ("Forget my old address", "forget", "forget/old-address", "my old address"),
        ("Remind me to call mom", "task", "task/call-mom", "call mom"),
    ],
)
def test_each_kind_of_signal_is_found(text: str, kind: str, key: str, detail: str) -> None:
    (signal, *_) = find_signals(text, at=AT)

    assert (signal.kind, signal.key, signal.detail, signal.confidence) == (kind, key, detail, 0.9)


@pytest.mark.parametrize(
    "text",
    [
        "Do I live in Oslo?",
        "If I lived in Oslo",
        "Maybe I like tea",
        "I might move to Rome",
        "She said I like tea",
    ],
)
def test_questions_hypotheticals_and_hedges_are_no_signals(text: str) -> None:
    assert find_signals(text, at=AT) == []


def test_a_task_expires_after_a_fortnight_and_nothing_else_does() -> None:
    task, place = find_signals("Remind me to call mom tomorrow. I live in Oslo.", at=AT)

    assert (task.due, task.expires_at) == (date(2023, 5, 9), AT + timedelta(days=14))
    assert place.expires_at is None


def test_the_quote_is_a_verbatim_part_of_the_message() -> None:
    text = "Thanks, Mel! Last Friday, I joined a choir – it was fun."

    (signal,) = find_signals(text, speaker="Caroline", at=AT)

    assert signal.value == "Caroline joined a choir (5 May 2023)"
    assert text[signal.start : signal.end] == "Last Friday, I joined a choir"
    assert verify_quote(text[signal.start : signal.end], text) == (signal.start, signal.end)


def test_of_a_very_long_message_both_ends_are_read() -> None:
    text = "I live in Oslo. " + "Lorem ipsum dolor sit amet. " * 4_000 + "My name is Sam."

    place, name = find_signals(text, at=AT)

    assert text[place.start : place.end] == "I live in Oslo"
    assert text[name.start : name.end] == "My name is Sam"


@pytest.mark.parametrize(
    "unit",
    [
        "I like ",
        "Last Friday, I ",
        "\n",
        "my wife Sarah, ",
        "remember that I ",
        "I am Sam. ",
        "(((",
        "and I ",
    ],
)
def test_a_hostile_message_of_100_kb_takes_no_time(unit: str) -> None:
    text = (unit * 100_000)[:100_000]

    started = time.process_time()
    find_signals(text, at=AT)

    assert time.process_time() - started < 1.0


def test_an_ordinary_message_takes_a_millisecond() -> None:
    text = "Hey! I moved to Oslo last month, and it has been great so far. My wife Sarah works at a bakery. What's new?"
    find_signals(text, at=AT)

    started = time.process_time()
    for _ in range(100):
        find_signals(text, at=AT)

    assert (time.process_time() - started) / 100 < 0.005
