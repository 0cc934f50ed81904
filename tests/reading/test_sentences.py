"""Messages cut into sentences, wherever they come from."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nebo.reading.meaning.sentences import MAX_SENTENCE_CHARS, MAX_SENTENCES, list_sentences


def texts(message: str) -> list[str]:
    return [span.text for span in list_sentences(message)]


@pytest.mark.parametrize(
    ("message", "sentences"),
    [
        ("I live in Oslo. I work here.", ["I live in Oslo.", "I work here."]),
        (
            "Dr. Meyer said hi to Mr. Jones. Then he left.",
            ["Dr. Meyer said hi to Mr. Jones.", "Then he left."],
        ),
        ("Ich hab am 3. Mai frei, z.B. ganz. Toll!", ["Ich hab am 3. Mai frei, z.B. ganz.", "Toll!"]),
        ("muss bis 15.4. die Steuer machen", ["muss bis 15.4. die Steuer machen"]),
        ('Lass das "Gern!" am Ende weg. Danke', ['Lass das "Gern!" am Ende weg.', "Danke"]),
        ("She said 'no.' Then she left.", ["She said 'no.'", "Then she left."]),
        ("¿Qué tal? Todo bien", ["¿Qué tal?", "Todo bien"]),
        ("東京に住んでいます。猫がいます。", ["東京に住んでいます。", "猫がいます。"]),
        ("- milk and eggs\n- two lemons", ["milk and eggs", "two lemons"]),
        (
            "look: `rm -rf x` and https://example.org/a.b?c now",
            ["look: `rm -rf x` and https://example.org/a.b?c now"],
        ),
        ("", []),
        ("!!! … 42", []),
    ],
)
def test_sentences_end_where_a_reader_would_end_them(message: str, sentences: list[str]) -> None:
    assert texts(message) == sentences


def test_code_and_quoted_lines_are_no_sentences() -> None:
    message = "This fails.\n```\nI live in Oslo.\n```\n> I said so.\nWhy?"

    assert texts(message) == ["This fails.", "Why?"]


def test_a_line_that_is_one_quotation_of_several_sentences_is_pasted() -> None:
    message = 'My answer so far:\n\n"We met in Graz. I work as a carpenter, and Ada teaches."\nIs that fine?'

    assert texts(message) == ["My answer so far:", "Is that fine?"]
    assert texts('"I like it. It is ours, and it is green."') == [
        '"I like it.',
        'It is ours, and it is green."',
    ]


def test_pasted_lists_letters_and_headings_are_no_sentences() -> None:
    message = (
        "Here is what I have:\n\n### Costs of the year\n- **Visa fees**: 200 euros\n\n"
        '"Hello everyone,\n\nWe have ordered ten meals for all of you."\n\nI live in Gent. He said "I like it" then.'
    )

    assert [one.text for one in list_sentences(message)] == [
        "Here is what I have:",
        "I live in Gent.",
        'He said "I like it" then.',
    ]


def test_a_run_without_a_stop_is_cut_where_it_pauses() -> None:
    message = "I like tea, " * 100

    assert all(len(text) <= MAX_SENTENCE_CHARS for text in texts(message))
    assert texts(message)[0].endswith("tea,")


def test_of_a_very_long_message_the_ends_are_read() -> None:
    message = " ".join(f"This is sentence {number}." for number in range(1000))

    found = texts(message)

    assert len(found) == MAX_SENTENCES
    assert found[0] == "This is sentence 0."
    assert found[-1] == "This is sentence 999."


@given(st.text(max_size=600))
def test_every_sentence_stands_where_it_says(message: str) -> None:
    spans = list_sentences(message)

    assert all(message[span.start : span.end] == span.text for span in spans)
    assert all(one.end <= other.start for one, other in pairwise(spans))


def test_what_is_done_and_not_said_is_no_sentence() -> None:
    message = (
        "Here's my kiln! [shares a photo: a kiln in a garage]\n[laughs out loud]\nI fire on [most] Sundays."
    )

    assert [span.text for span in list_sentences(message)] == ["Here's my kiln!", "I fire on [most] Sundays."]
