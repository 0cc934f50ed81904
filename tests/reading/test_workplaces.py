"""Where somebody works ends with their job; what is taken back by its name touches nothing else."""

from __future__ import annotations

import pytest

from nebo.reading.facts.values import find_job
from nebo.reading.meaning.reader import read_text
from nebo.reading.relations.judging import CLEAR, judge


def is_over(known: str, said: str) -> bool:
    judged = [judge(known, sentence) for sentence in read_text(said).sentences]
    return any(kind in ("changes", "ends") and chance >= CLEAR for kind, chance in judged)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("I work in Kassel.", "I quit at the bakery"),
        ("The user works in Bristol.", "I've just quit my job"),
    ],
)
def test_the_place_of_a_job_that_was_left_is_over(known: str, said: str) -> None:
    assert is_over(known, said)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("I work in Kassel.", "what if I quit my job?"),
        ("I work in Kassel.", "I quit smoking"),
        ("I live in Kassel.", "I quit at the bakery"),
        ("I work in a bakery in Kassel.", "ich hab nicht gekündigt"),
        (
            "From May on the user is working for Harbour Lights as their cook.",
            "scratch what I said about Trello, at Harbour Lights we use Asana and so do I from now on",
        ),
    ],
)
def test_anything_else_is_left_alone(known: str, said: str) -> None:
    assert not is_over(known, said)


def test_whose_a_job_is_is_no_part_of_it() -> None:
    assert find_job("From April on I'm working for Harbour Lights as their head cook") == "head cook"
