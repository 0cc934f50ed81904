"""Who works another number of days now works the old one no longer."""

from __future__ import annotations

import pytest

from nebo.reading.meaning.reader import read_text
from nebo.reading.relations.judging import CLEAR, judge


def is_over(known: str, said: str) -> bool:
    judged = [judge(known, sentence) for sentence in read_text(said).sentences]
    return any(kind in ("changes", "ends") and chance >= CLEAR for kind, chance in judged)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        (
            "My new number of working days is three, Mondays off.",
            "Actually I work five days again, they were short of people",
        ),
        ("I work four days a week.", "I work 5 days now, sadly"),
        ("Ich arbeite vier Tage die Woche.", "ich arbeite jetzt drei Tage"),
    ],
)
def test_another_number_of_days_takes_the_place_of_the_known_one(known: str, said: str) -> None:
    assert is_over(known, said)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("I work four days a week.", "I worked nine days straight"),
        ("I work four days a week.", "should I work five days again?"),
        ("I work four days a week.", "my sister works five days again"),
        ("I work four days a week.", "I work four days now"),
    ],
)
def test_anything_else_leaves_it(known: str, said: str) -> None:
    assert not is_over(known, said)
