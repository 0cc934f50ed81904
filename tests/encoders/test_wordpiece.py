"""Words cut into pieces as BERT's own tokenizer does: its published test vectors, and those of our vocabulary."""

from __future__ import annotations

import pytest

from nebo.encoders.loading import build_minilm_tokenizer
from nebo.encoders.wordpiece import MAX_TOKENS, WordPieceTokenizer, list_words

# Vocabulary and cases of tokenization_test.py in https://github.com/google-research/bert.
PIECES = ["[UNK]", "[CLS]", "[SEP]", "want", "##want", "##ed", "wa", "un", "runn", "##ing", ","]


@pytest.mark.parametrize(
    "text, pieces",
    [
        ("UNwant\u00e9d,running", ["un", "##want", "##ed", ",", "runn", "##ing"]),
        ("unwanted running", ["un", "##want", "##ed", "runn", "##ing"]),
        ("unwantedX running", ["[UNK]", "runn", "##ing"]),
        ("", []),
    ],
)
def test_a_text_has_the_pieces_of_the_reference(text: str, pieces: list[str]) -> None:
    numbers = WordPieceTokenizer(PIECES).encode(text)

    assert [PIECES[number] for number in numbers] == ["[CLS]", *pieces, "[SEP]"]


@pytest.mark.parametrize(
    "text, words",
    [
        ("ah\u535a\u63a8zz", ["ah", "\u535a", "\u63a8", "zz"]),
        (" \tHeLLo!how  \n Are yoU?  ", ["hello", "!", "how", "are", "you", "?"]),
        ("H\u00e9llo", ["hello"]),
        ("a\u0005b\u00a0c\u200dd\x00e\ufffdf", ["ab", "cdef"]),
        ("5-6$`.", ["5", "-", "6", "$", "`", "."]),
    ],
)
def test_a_text_has_the_words_of_the_reference(text: str, words: list[str]) -> None:
    assert list_words(text) == words


@pytest.mark.parametrize(
    "text, numbers",
    [  # as the package `tokenizers` gives them; it agreed on 6,000 texts of talks, notes and pranks
        ("Hello, World!", [101, 7592, 1010, 2088, 999, 102]),
        ("Grüße aus Zürich 🎉 猫", [101, 24665, 2226, 17499, 17151, 10204, 100, 100, 102]),
        ("안녕 ΣΊΣ", [101, 1463, 30006, 30021, 29992, 30010, 30025, 1173, 18199, 29733, 102]),
        ("x" * 101, [101, 100, 102]),
    ],
)
def test_a_text_has_the_published_numbers(text: str, numbers: list[int]) -> None:
    assert build_minilm_tokenizer().encode(text) == numbers


def test_a_long_text_is_cut_off_before_its_end() -> None:
    tokenizer = build_minilm_tokenizer()

    short, long = tokenizer.encode("word " * 3), tokenizer.encode("word " * 5000)

    assert len(long) == MAX_TOKENS
    assert (long[0], long[-1]) == (short[0], short[-1])
