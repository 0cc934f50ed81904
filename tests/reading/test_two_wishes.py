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
