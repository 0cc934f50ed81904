"""What a question of the person names is found though it shares no word with it; what nobody asked of them isn't."""

from __future__ import annotations

import pytest

from search.relevance.named_matter import is_of_matter, list_matters


@pytest.mark.parametrize(
    ("question", "matter"),
    [
        ("Which animals do we have?", "pet"),
        ("Welche Tiere haben wir?", "pet"),
        ("Quels animaux avons-nous ?", "pet"),
        ("Do I have any allergies?", "allergy"),
        ("Wie heißt mein Hund?", "pet"),
        ("Wo wohne ich?", "home"),
    ],
)
def test_a_question_about_oneself_names_its_matter(question: str, matter: str) -> None:
    assert list_matters(question) == {matter}


@pytest.mark.parametrize(
    "question",
    [
        "How does photosynthesis work?",
        "write a poem about animals",
        "Should I bring a coat?",
        "hi",
        "tell me a joke",
        "¿Qué vino me recomendaste para el pescado?",
    ],
)
def test_what_asks_nothing_of_the_person_names_none(question: str) -> None:
    assert list_matters(question) == frozenset()


def test_others_are_meant_only_where_the_matter_is_others() -> None:
    kitten = "The kitten's here. She's called Blodwen."

    assert is_of_matter("pet/the-kitten", kitten, frozenset({"pet"}), of_another=True)
    assert not is_of_matter("work/huw", "Huw is a stonemason.", frozenset({"work"}), of_another=True)
