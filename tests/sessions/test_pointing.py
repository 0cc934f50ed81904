"""Whom a pronoun of a question means is told by what the person said last."""

from __future__ import annotations

from sessions.context.pointing import name_whom, points_to_somebody

SAID = [
    "how many daffodils can one person own?",
    "I'm going to call mum tomorrow morning",
    "I have to order the flowers for Moira",
]


def test_a_pronoun_is_whoever_was_named_with_a_word_of_the_question() -> None:
    question = "What should I keep in mind before I call her?"

    assert points_to_somebody(question)
    assert name_whom(question, SAID) == "What should I keep in mind before I call mum?"


def test_a_question_that_names_somebody_or_nobody_points_to_nobody() -> None:
    assert not points_to_somebody("When does Moira marry her farmer?")
    assert not points_to_somebody("What is my passport number?")


def test_a_question_stays_where_nothing_said_shares_a_word() -> None:
    assert name_whom("Where did she study?", SAID) == "Where did she study?"
