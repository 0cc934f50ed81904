"""Two wishes that one sentence joins are read as two; one wish, however it goes on, as one."""

from __future__ import annotations

import pytest

from nebo.reading.meaning.reader import read_text


def slots(text: str) -> list[str]:
    return [one.meaning.slot.partition(":")[0] for one in read_text(text).sentences]


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("tutoie-moi, et fais court stp", ["formality", "length"]),
        ("duz mich bitte und schreib kurz", ["address", "length"]),
        ("call me Jo and keep it short", ["address", "length"]),
    ],
)
def test_two_wishes_are_two(text: str, about: list[str]) -> None:
    assert slots(text) == about


@pytest.mark.parametrize(
    "text",
    [
        "please be brief and to the point",
        "rispondimi breve, che leggo tra una cliente e l'altra",
        "sei kurz und knapp",
    ],
)
def test_one_wish_is_one(text: str) -> None:
    assert len(slots(text)) == 1


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("keep answers short pls, no bullet points", ["length", "format"]),
        ("Please keep it brief, no bullet points and no emojis.", ["length", "format", "emoji"]),
        ("lieber kurze Antworten, ohne Floskeln", ["length", "length"]),
    ],
)
def test_what_is_ruled_out_behind_a_wish_is_one_more(text: str, about: list[str]) -> None:
    reading = read_text(text)

    assert [one.meaning.slot.partition(":")[0] for one in reading.sentences] == about
    assert all(one.meaning.is_sure("wish") for one in reading.sentences)


@pytest.mark.parametrize(
    "text",
    [
        "keep it simple, no sugar in my tea",
        "I want a short trip, no flights",
        "Please fix the function, no new dependencies",
        "bring the short ladder, no ropes",
    ],
)
def test_what_is_ruled_out_behind_anything_else_is_no_wish(text: str) -> None:
    assert not any(one.meaning.is_sure("wish") for one in read_text(text).sentences)
