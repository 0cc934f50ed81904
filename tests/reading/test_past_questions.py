"""Whether a question is about how things were."""

from __future__ import annotations

import pytest

from nebo.reading.wording.past_questions import asks_of_the_past


@pytest.mark.parametrize(
    "question",
    ["Where did I live before?", "Which job was it, originally?", "Where was I living?", "Wo habe ich früher gewohnt?",
     "¿Dónde vivía antes?", "Où est-ce que j'habitais avant ?", "Dove abitavo prima?"],
)  # fmt: skip
def test_a_word_of_the_past_asks_of_the_past(question: str) -> None:
    assert asks_of_the_past(question)


@pytest.mark.parametrize(
    "question",
    ["Where do I live?", "How old is Juniper?", "Was spielt Mio?", "¿Dónde vivo?", "Wo wohne ich?"],
)  # fmt: skip
def test_other_questions_ask_of_the_present(question: str) -> None:
    assert not asks_of_the_past(question)
