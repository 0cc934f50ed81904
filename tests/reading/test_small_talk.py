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
        "Wow Nora, that looks gorgeous! How did you come up with it?",
        "das ist ja toll! Wie bist du darauf gekommen?",
        "¡qué chulo! ¿cómo se te ocurrió?",
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
        "That's great! I make jam from my own plums. What about you?",
        "nice one! could you send me the recipe for 12 people?",
    ],
)
def test_what_tells_asks_or_answers_something_is_not(text: str) -> None:
    assert not is_small_talk(read_text(text))
