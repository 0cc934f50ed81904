"""A text is read as the same sentences in any notation."""

from __future__ import annotations

import pytest

from nebo.reading.orders.notation import READ_CHARS, list_sentences

pytestmark = pytest.mark.filterwarnings("error")


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Has a cat. Sings.", ["Has a cat.", "Sings."]),
        ("Knows Dr. Prior and Mr. Orme.", ["Knows Dr. Prior and Mr. Orme."]),
        ("Has a cat.\nHas a cat.", ["Has a cat."]),
        ("text: Has a cat\nsure: true", ["text: Has a cat", "sure: true"]),
        ('{"text": "Has a cat", "sure": true}', ["text: Has a cat, sure: true", "Has a cat"]),
        ('{"pet_name": "Mo", "of": {"age": 4}, "likes": []}', ["pet name: Mo, of: age: 4, likes:"]),
        ('```json\n["Has a cat", null]\n```', ["Has a cat, null", "Has a cat"]),
        ("{not JSON}", ["{not JSON}"]),
        ("# Pets\n\n* **Mo**: a cat", ["Pets", "Mo: a cat"]),
        ("1. Has a cat\n2) Sings", ["Has a cat", "Sings"]),
        ("- [ ] feed Mo\n- [x] sing", ["feed Mo", "sing"]),
        ("| pet | age |\n| --- | :-: |\n| Mo | 4 |", ["pet, age", "Mo, 4"]),
        ("[2024-05-02T10:00Z] fed Mo", ["fed Mo"]),
        ("2024-05-02: fed Mo", ["fed Mo"]),
        ("2024 was a good year", ["2024 was a good year"]),
        ('<fact of="Mo">Has a cat.</fact>', ["fact: Has a cat."]),
        ("again again again", ["again"]),
        ("-- ", []),
        ("", []),
    ],
)
def test_marks_are_left_out_and_names_of_values_stay(text: str, sentences: list[str]) -> None:
    assert list_sentences(text) == sentences


@pytest.mark.parametrize("text", ["[" * 7 + '"Has a cat"' + "]" * 7, "[" * 2_000])
def test_what_nobody_would_nest_is_read_as_it_stands(text: str) -> None:
    assert "".join(list_sentences(text))[: len(text)][:100] == text[:100]


def test_of_a_long_sentence_every_word_is_read() -> None:
    words = [f"word{number}" for number in range(400)]

    pieces = list_sentences(" ".join(words))

    assert all(len(piece) <= READ_CHARS for piece in pieces)
    assert all(any(word in piece for piece in pieces) for word in words)


@pytest.mark.parametrize("text", ["-" * 2_048 + "x", "|:" * 1_024 + "x", "- " * 1_024 + "x", "**" * 1_024])
@pytest.mark.timeout(20)
def test_no_text_takes_long(text: str) -> None:
    assert list_sentences(text)
