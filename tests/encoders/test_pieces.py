"""Words cut into pieces, with vocabularies of a few."""

from __future__ import annotations

import numpy as np
import pytest

from nebo.encoders.pieces import MARK, PieceTokenizer, sort_pieces

BEGIN, END, UNKNOWN = 100, 101, 102


def tokenizer(scores: dict[str, float], characters: dict[int, str] | None = None) -> PieceTokenizer:
    """Of pieces numbered from nought."""
    values = np.array(list(scores.values()), np.float32)
    pieces = sort_pieces(scores, values, unknown=UNKNOWN, begin=BEGIN, end=END, characters=characters or {})
    return PieceTokenizer(pieces)


@pytest.mark.parametrize(
    "whole, parts, expected", [(-3.0, -2.0, [0]), (-5.0, -2.0, [1, 2]), (-5.0, -6.0, [0])]
)
def test_the_highest_total_score_wins(whole: float, parts: float, expected: list[int]) -> None:
    cut = tokenizer({f"{MARK}under": whole, f"{MARK}un": parts, "der": parts}).encode("under")

    assert cut == [BEGIN, *expected, END]


def test_a_character_without_a_piece_is_unknown() -> None:
    cut = tokenizer({MARK: -1.0, "a": -2.0}).encode("a? a")

    assert cut == [BEGIN, 0, 1, UNKNOWN, 0, 1, END]


def test_pieces_that_are_the_same_bytes_in_memory_are_told_apart() -> None:
    """Python's strings of two bytes a character and of one have the same hash then."""
    ours = tokenizer({MARK: -1.0, "ab": -2.0, "扡": -3.0})

    assert ours.encode("ab") == [BEGIN, 0, 1, END]
    assert ours.encode("扡") == [BEGIN, 0, 2, END]


def test_characters_are_exchanged_before_words_are_cut() -> None:
    ours = tokenizer({f"{MARK}fi": -1.0}, characters={ord("ﬁ"): "fi", ord("\t"): " "})

    assert ours.encode("ﬁ\tfi") == [BEGIN, 0, 0, END]


def test_a_long_word_is_cut_like_a_short_one() -> None:
    ours = tokenizer({MARK: -1.0, "ab": -2.0})

    assert ours.encode("ab" * 100) == [BEGIN, 0, *[1] * 100, END]
