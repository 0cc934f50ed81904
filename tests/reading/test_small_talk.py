"""Which messages are mere moods and remarks."""

from __future__ import annotations

import pytest

from nebo.reading.meaning.reader import read_text
from nebo.reading.meaning.small_talk import is_small_talk


@pytest.mark.parametrize(
    "text",
    [
        "ugh it's raining again",
        "i think im coming down with something",
        "mir ist grad langweilig",
        "qué frío hace hoy",
        "haha that's so funny",
    ],
)
def test_moods_and_remarks_are(text: str) -> None:
    assert is_small_talk(read_text(text))


@pytest.mark.parametrize(
    "text",
    [
        "Blue.",
        "About 40 euros I think",
        "no sorry, the 11th",
        "the flights are booked",
        "Hedda is moving to Tromsø",
        "Which bread needs no yeast?",
        "ugh it's raining again. I must call the roofer tomorrow.",
        "",
    ],
)
def test_what_tells_asks_or_answers_something_is_not(text: str) -> None:
    assert not is_small_talk(read_text(text))
