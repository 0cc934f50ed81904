"""What a question asks one by one, and how each part reads as a statement."""

from __future__ import annotations

import pytest

from search.questions.parts import list_parts, list_readings


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        (
            "Where do I live and what should I not eat?",
            ["Where do I live", "what should I not eat?"],
        ),
        ("Wo wohne ich und wie heißt mein Hund?", ["Wo wohne ich", "wie heißt mein Hund?"]),
        ("¿Dónde vivo y a qué soy alérgica?", ["¿Dónde vivo", "a qué soy alérgica?"]),
        ("What is my job? And where do I live?", ["What is my job", "where do I live?"]),
    ],
)
def test_where_a_question_word_begins_a_clause_something_else_is_asked(
    question: str, parts: list[str]
) -> None:
    assert list_parts(question) == parts


@pytest.mark.parametrize("question", ["What did Tom and Ann eat?", "Where do I live, and why?", "job"])
def test_a_question_after_one_thing_has_one_part(question: str) -> None:
    assert list_parts(question) == [question]


@pytest.mark.parametrize(
    ("part", "statement"),
    [
        ("Where do I live", "I live"),
        ("what should I not eat?", "I should not eat"),
        ("Wo wohne ich?", "ich wohne"),
        ("a qué soy alérgica?", "soy alérgica"),
    ],
)
def test_a_part_reads_as_the_statement_that_it_asks_to_complete(part: str, statement: str) -> None:
    assert next(list_readings(part)) == statement
