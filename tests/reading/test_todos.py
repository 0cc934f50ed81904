"""What somebody still has to do: that a sentence says so, and the act in its words."""

from __future__ import annotations

from datetime import date

import pytest

from nebo.reading.meaning.reader import read_text
from nebo.reading.requests.todos import FoundTodo, act_of, find_todo
from nebo.reading.times.dates import find_due

TODAY = date(2031, 3, 5)


def find(text: str) -> list[FoundTodo]:
    return [found for one in read_text(text).sentences if (found := find_todo(one, TODAY))]


@pytest.mark.parametrize(
    "text, act",
    [
        ("gotta get the boiler serviced", "Get the boiler serviced"),
        ("I'll send you the file tonight", "Send you the file"),
        ("need to water the plants", "Water the plants"),
        ("I have to water the neighbour's tomatoes.", "Water the neighbour's tomatoes"),
    ],
)
def test_words_that_lead_up_to_an_act_make_up_for_some_doubt(text: str, act: str) -> None:
    assert [found.text for found in find(text)] == [act]


@pytest.mark.parametrize(
    "text",
    [
        "I'll see you tonight",
        "I'm going to be a grandmother",
        "I have to say that was fun",
        "Do I have to sign this?",
        "My sister has to see her dentist",
        "I have to get up at six every day",
    ],
)
def test_the_same_words_without_a_thing_to_do_make_none(text: str) -> None:
    assert find(text) == []


@pytest.mark.parametrize(
    ("text", "act", "due"),
    [
        ("next week i have to hand in my grades by friday", "Hand in my grades", date(2026, 12, 4)),
        ("Den Keller bis übermorgen aufräumen", "Den Keller aufräumen", date(2026, 11, 25)),
        ("nächste Woche muss ich bis Freitag die Noten abgeben", "Die Noten abgeben", date(2026, 12, 4)),
        ("Book the ferry before midsummer", "Book the ferry", date(2027, 6, 23)),
        ("call Ana by friday", "Call Ana", date(2026, 11, 27)),
    ],
)
def test_a_day_within_the_words_is_found_and_leaves_the_act(text: str, act: str, due: date) -> None:
    when = find_due(text, date(2026, 11, 23))  # a Monday

    assert when is not None and when.due == due
    assert act_of(text, when) == act
