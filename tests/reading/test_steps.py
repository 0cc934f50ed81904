"""What seems worth keeping and isn't: steps of some work, pieces of sentences, and what only others' words explain."""

from __future__ import annotations

from datetime import date

import pytest

from nebo.reading.facts.statements import find_fact
from nebo.reading.facts.steps import is_step
from nebo.reading.meaning.reader import read_text

NAME = "Wren"
ON = date(2033, 5, 2)


def learned(said: str) -> list[str]:
    facts = (find_fact(one, speaker=NAME, on=ON) for one in read_text(said).sentences)
    return [fact.value for fact in facts if fact]


@pytest.mark.parametrize(
    "step",
    [
        "I've added a retry to the upload job and it stops after three tries.",
        "I'm passing the customer id in the header of each request.",
        "I've solved nine of the ten exercises on tangents.",
        "I'm trying to figure out whether the folding bike is worth the extra cost.",
        "I think splitting it into smaller tasks will be key for me.",
        "I've been reading about different ways to do it, and a small library might help.",
    ],
)
def test_a_step_of_some_work_is_not_kept(step: str) -> None:
    assert is_step(step)
    assert learned(step) == []


@pytest.mark.parametrize(
    "lasting",
    [
        "I'm building a seed exchange with Phoenix and Postgres.",
        "We decided to host the seed exchange on our own server.",
        "The seed exchange has to be online by 1 March.",
        "I've been going to physio for my shoulder since August.",
        "I'm trying to sell the boat before the winter.",
        "I was in the last four of the county darts and I won.",
    ],
)
def test_what_the_work_is_about_is_kept(lasting: str) -> None:
    assert not is_step(lasting)


def test_no_doubt_is_left_off_that_is_all_there_is_behind_a_day() -> None:
    said = (
        "Since the move on 3 May, I'm still deciding on the best school for my son, and I want to make sure I'm not "
        "missing anything."
    )

    assert learned(said) == [
        "Since the move on 3 May, Wren is still deciding on the best school for their son."
    ]


def test_an_outcome_behind_a_fact_is_kept_with_it() -> None:
    said = "I was in the final of the county darts on 30 April, and I won."

    assert learned(said) == ["Wren was in the final of the county darts on 30 April, and they won."]


def test_a_doubt_behind_a_fact_is_not_kept_with_it() -> None:
    said = "I've been offered a post in Bergen from August, but I'm not sure how to decide."

    assert is_step("I'm not sure how to decide")
    assert learned(said) == ["Wren has been offered a post in Bergen from August."]


@pytest.mark.parametrize(
    ("said", "values"),
    [
        (
            "I'm into stamps, coins, and old maps.",
            ["Wren is into stamps, coins, and old maps."],
        ),
        ("Can you plan a dinner with 40% carbs, 35% protein, and 25% fat, like I had in June?", []),
        ("Since I've moved to Leith, with two cats.", ["Wren has moved to Leith, with two cats."]),
        (
            "I always use a wall planner to stay on track, see deadlines and remember birthdays.",
            ["Wren always uses a wall planner to stay on track, see deadlines and remember birthdays."],
        ),
        ("Sharing songs with people from all over - that's great!", []),
        (
            "Dyed my hair last week - come see!",
            ["Wren dyed their hair last week (the week before 2 May 2033) - come see."],
        ),
        (
            "I recently sold my shares of the mill on 13 August.",
            ["Wren recently sold their shares of the mill on 13 August."],
        ),
    ],
)
def test_a_list_and_a_clause_stay_whole(said: str, values: list[str]) -> None:
    assert learned(said) == values


@pytest.mark.parametrize(
    "said",
    [
        "I made it in the evening class yesterday.",
        "I'm writing one with my neighbour for the parish.",
        "Last August I told you about my walk along the canal with Jo.",
        "I've had them since May.",
        "As someone who learns late, with little time for grammar.",
        "Especially since its screen is so bright.",
    ],
)
def test_what_only_other_words_explain_is_not_kept(said: str) -> None:
    assert learned(said) == []


def test_an_order_for_what_is_asked_is_no_habit_of_the_speaker() -> None:
    assert learned("Always use the metric system when I ask about recipes.") == []


def test_a_question_behind_a_fact_is_left_off() -> None:
    said = "I bought a boat on 3 May, is that something I should insure?"

    assert learned(said) == ["Wren bought a boat on 3 May."]


def test_who_one_is_stays_with_what_one_wonders() -> None:
    said = "As someone who's 24 and earns about 1,100 a month, I'm not sure how to pay for the funeral."

    assert any("24" in value for value in learned(said))
