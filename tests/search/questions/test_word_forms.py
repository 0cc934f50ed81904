"""Forms of a word that no stem joins."""

from __future__ import annotations

import pytest

from search.questions.word_forms import FORMS, IRREGULAR, find_forms


@pytest.mark.parametrize(
    ("question", "forms"),
    [
        ("Who taught her to swim?", ["teach taught", "swim swam swum"]),
        ("Is Ana TEACHING again?", ["teach taught"]),
        ("How many women's shelves were sold?", ["woman women", "shelf shelves", "sell sold"]),
        ("Does he write, or is he writing?", ["write wrote written"]),
        ("When is she getting up?", ["get got gotten"]),
        ("Which colour is the lamp?", []),
        ("", []),
    ],
)
def test_words_that_change_within_are_looked_up_in_all_their_forms(question: str, forms: list[str]) -> None:
    assert find_forms(question) == forms


def test_no_form_is_of_two_words() -> None:
    forms = [form for group in IRREGULAR.split(",") for form in group.split()]

    assert len(forms) == len(set(forms))
    assert all(form in FORMS[form].split() for form in forms)
