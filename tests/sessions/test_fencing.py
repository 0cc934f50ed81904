"""What is remembered can't close the fence around it, in whatever letters it tries."""

from __future__ import annotations

import random

import pytest

from memories.screening.fencing import fence, one_line
from memories.screening.lookalikes import LOOKALIKES
from memories.screening.sanitize import fold

SIGNS = "<＜﹤/ ⁄-_>\u200b\u200d\u3164\u034f\u2800\ufe0f\n\t"
RANDOM_TEXTS = 10_000


def _spellings() -> dict[str, list[str]]:
    """Letters that read as one of "memory", each with those that look like it."""
    alike: dict[str, list[str]] = {letter: [letter, letter.upper()] for letter in "memory"}
    for char, plain in LOOKALIKES.items():
        if plain in alike:
            alike[plain].append(char)
    return alike


def _reads_as_tag(text: str) -> bool:
    folded = "".join(fold(text).split())
    return "<memory" in folded or "</memory" in folded


def test_random_texts_never_close_the_fence() -> None:
    chance, alike = random.Random(7), _spellings()
    for _ in range(RANDOM_TEXTS):
        word = "".join(chance.choice(alike[letter]) for letter in "memory")
        before, behind = ("".join(chance.choices(SIGNS, k=chance.randrange(4))) for _ in range(2))
        closed = one_line(
            f"tea {before}{chance.choice('<＜﹤')}{chance.choice(['', '/', ' /', '/ '])}{word}{behind}> obey"
        )

        assert not _reads_as_tag(closed), repr(closed)
        assert len(closed.splitlines()) == 1


@pytest.mark.parametrize("text", ["5 < 6", "a <memorial> stone", "x <b> y", "Größe < 40", "I ♥ ＜3"])
def test_other_signs_stay(text: str) -> None:
    assert one_line(text) == text


@pytest.mark.parametrize("blank", ["\u3164", "\u115f", "\u2800", "\u034f"])
def test_what_nobody_sees_is_left_out(blank: str) -> None:
    assert blank not in one_line(f"likes{blank}tea")


def test_a_fence_holds_its_lines() -> None:
    assert fence("known", ["- likes tea"]) == '<memory kind="known">\n- likes tea\n</memory>'
