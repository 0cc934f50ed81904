"""What somebody says of their body isn't taken for a joke because of an apostrophe or a full stop."""

from __future__ import annotations

import pytest

from nebo.reading.facts.statements import is_worth_keeping
from nebo.reading.meaning.reader import read_text
from nebo.reading.meaning.spellings import list_spellings


@pytest.mark.parametrize(
    "text",
    [
        "I'm allergic to nuts.",
        "I am allergic to nuts",
        "i'm allergic to peanuts",
        "I’m allergic to shellfish.",
    ],
)
def test_an_allergy_is_kept_however_it_is_typed(text: str) -> None:
    (sentence,) = read_text(text).sentences

    assert sentence.meaning.slot == "allergy"
    assert is_worth_keeping(sentence)


@pytest.mark.parametrize("text", ["I'm allergic to Mondays.", "Apparently I'm allergic to hard work, haha"])
def test_a_joke_stays_one(text: str) -> None:
    assert not any(is_worth_keeping(sentence) for sentence in read_text(text).sentences)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I'm a vegetarian and allergic to nuts.", ["I'm a vegetarian", "I'm allergic to nuts."]),
        ("I'm a vegetarian, allergic to nuts", ["I'm a vegetarian", "I'm allergic to nuts"]),
    ],
)
def test_two_facts_about_the_body_in_one_breath_are_no_joke(text: str, told: list[str]) -> None:
    sentences = read_text(text).sentences

    assert [sentence.text for sentence in sentences] == told
    assert all(map(is_worth_keeping, sentences))


def test_each_spelling_stands_once() -> None:
    assert list_spellings("I'm vegan.") == ["I'm vegan.", "I am vegan.", "i'm vegan", "i am vegan"]
    assert list_spellings("i am vegan") == ["i am vegan"]
