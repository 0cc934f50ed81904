"""Texts full of times, made to take long: a text four times as long takes some four times as long to read."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import date

import pytest

from nebo.reading.times.dates import find_due, find_later, iter_when, without_times

TODAY = date(2026, 11, 26)
SHORT, LONG = 1_500, 6_000  # characters
MOST = 9.0  # of four; what reads the rest of a text anew at each time takes sixteen times as long
ENTRIES: dict[str, Callable[[str], object]] = {
    "iter_when": lambda text: list(iter_when(text, TODAY)),
    "without_times": without_times,
    "find_due": lambda text: find_due(text, TODAY),
    "find_later": lambda text: find_later(text, TODAY, than=TODAY),
}
MADE = [
    "on 3 May ",
    "3 May 2023 ",
    "the letter of 3 May, ",
    "am 3. Mai, der ",
    "12/03/2027 ",
    "tomorrow, which ",
    "a ",
]


@pytest.mark.parametrize("unit", MADE)
@pytest.mark.parametrize("entry", ENTRIES)
def test_reading_times_takes_as_long_as_the_text_is(entry: str, unit: str) -> None:
    read = ENTRIES[entry]
    read(unit)

    short, long = (min(_seconds(read, unit, length) for _ in range(3)) for length in (SHORT, LONG))

    assert long <= MOST * short


def test_every_time_of_a_long_text_is_found_in_its_order() -> None:
    text = "on 3 May, tomorrow, on 4 June " * 100

    found = [text[when.start : when.end] for when in iter_when(text, TODAY)]

    assert found == ["on 3 May", "tomorrow", "on 4 June"] * 100


def _seconds(read: Callable[[str], object], unit: str, length: int) -> float:
    """Of this thread's own work, whatever else the machine does."""
    text = unit * (length // len(unit))
    began = time.thread_time()
    read(text)
    return time.thread_time() - began
