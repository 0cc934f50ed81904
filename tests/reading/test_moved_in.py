"""A plan to live somewhere that has come true."""

from __future__ import annotations

import pytest

from nebo.reading.meaning.reader import read_text
from nebo.reading.relations.moved_in import find_place, leaves_home_alone, move_home, planned_to_live


@pytest.mark.parametrize(
    "known",
    [
        "I am looking to buy in Penarth.",
        "I move to Penarth on the 9th of January.",
        "We're moving to Penarth in May",
        "We're hoping to find a flat in Penarth",
    ],
)
def test_to_move_somewhere_is_a_plan_to_live_there(known: str) -> None:
    assert planned_to_live(known, "Penarth")
    assert not planned_to_live(known, "Barry")


@pytest.mark.parametrize(
    "known",
    [
        "I'm planning a trip to Penarth",
        "I want to run the marathon in Penarth",
        "I've a meeting in Penarth on Friday",
        "I'm starting a job in Penarth in May",
        "I live in Penarth.",
    ],
)
def test_to_do_something_there_is_not(known: str) -> None:
    assert not planned_to_live(known, "Penarth")


def test_the_place_is_set_into_the_home() -> None:
    (sentence,) = read_text("we're in Penarth now, boxes everywhere").sentences

    assert move_home("Priti lives in Splott.", sentence) == "Priti lives in Penarth."
    assert not move_home("Priti lives in Penarth.", sentence)


@pytest.mark.parametrize(
    "said",
    ["we're in Penarth now for the weekend", "we're at the office now", "our office is in Penarth now"],
)
def test_a_visit_is_no_move(said: str) -> None:
    (sentence,) = read_text(said).sentences

    assert not find_place(sentence)


@pytest.mark.parametrize(
    ("text", "stays"),
    [
        ("I spent the whole weekend looking at flats in Inverness with Mairi, she signs on Friday", True),
        ("we had the most wonderful five days of rain and cake in Stromness", True),
        ("Inverness now", False),
        ("She's in Inverness now, and she loves it", False),
        ("Ya estamos en Inverness, en un tercero de la Rúa", False),
        ("after all these years we have finally moved to Inverness", False),
    ],
)
def test_a_stay_in_another_place_moves_nobody(text: str, *, stays: bool) -> None:
    assert leaves_home_alone("Lives in Kirkwall", text) is stays
    assert not leaves_home_alone("Collects stamps from Kirkwall", text)
