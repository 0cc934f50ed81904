"""What a text is about, what says nothing, and what was told already."""

from __future__ import annotations

import pytest

from nebo.reading.relations.coverage import Coverage
from nebo.reading.words.content_words import content_words, is_bare


@pytest.mark.parametrize(
    "text",
    [
        "OK.",
        "Noted.",
        "Sure, no problem!",
        "Klar, gerne!",
        "Gracias, perfecto.",
        "You're welcome!",
        "D'accord, merci.",
    ],
)
def test_courtesy_says_nothing_by_itself(text: str) -> None:
    assert is_bare(text)


@pytest.mark.parametrize("text", ["In Ghent.", "Postgres.", "42", "Haselnüsse!", "Am Freitag.", "我喜欢猫"])
def test_a_bare_answer_says_something(text: str) -> None:
    assert not is_bare(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("flowers", "flower"),
        ("allergies", "allergic"),
        ("painting", "paints"),
        ("lives", "living"),
        ("Häuser", "Häusern"),
    ],
)
def test_forms_of_a_word_are_one(one: str, other: str) -> None:
    assert content_words(one) == content_words(other) != frozenset()


def test_a_compound_is_another_word() -> None:
    assert not content_words("Zahnarzt") & content_words("Zahnarzthelferin")


def test_a_fact_is_told_once_in_whatever_grammar() -> None:
    told = Coverage(["Ruth is allergic to penicillin."])

    assert told.has("I'm allergic to penicillin, by the way, says Ruth")
    assert not told.has("Ruth is not allergic to penicillin.")
    assert not told.has("Ruth is allergic to penicillin and to hazelnuts")
    assert not told.has("OK.")


def test_what_only_touches_on_a_fact_is_not_told_by_it() -> None:
    told = Coverage(["We planned the Lucia wreath with 350 grams of butter for Thursday."])

    assert not told.has("Butter")
    assert told.take("Signe plays the tuba")
    assert not told.take("Signe plays the tuba.")
