"""Chunks: sizes, overlap, exact offsets, for any text there is."""

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search.indexing.chunking import split_text

prose = st.lists(
    st.sampled_from(
        [
            "Word ",
            "sentence. ",
            "！",
            "。",
            "\n\n",
            "? ",
            "   ",
            "naïve ",
            "日本語",
            "🎉",
            "x" * 25,
            "\r\n\r\n",
        ]
    ),
    max_size=120,
).map("".join)
texts = st.one_of(st.text(max_size=600), prose)
sizes = st.tuples(st.integers(2, 60), st.integers(0, 59)).filter(lambda size: size[1] < size[0])


@given(texts, sizes)
def test_offsets_are_exact_and_no_chunk_is_too_long(text: str, size: tuple[int, int]) -> None:
    max_chars, overlap_chars = size

    chunks = split_text(text, max_chars=max_chars, overlap_chars=overlap_chars)

    assert [chunk.index for chunk in chunks] == list(range(len(chunks)))
    assert all(text[chunk.start : chunk.end] == chunk.text != "" for chunk in chunks)
    if len(chunks) > 1:
        assert all(len(chunk.text) <= max_chars for chunk in chunks)


@given(texts, sizes)
def test_chunks_cover_the_text_in_order_and_overlap_within_bounds(text: str, size: tuple[int, int]) -> None:
    max_chars, overlap_chars = size

    chunks = split_text(text, max_chars=max_chars, overlap_chars=overlap_chars)

    assert (chunks[0].start, chunks[-1].end) == (0, len(text)) if text else chunks == []
    for before, after in pairwise(chunks):
        assert before.start < after.start <= before.end < after.end
        assert before.end - after.start <= overlap_chars


@given(st.text(max_size=600))
def test_the_split_never_depends_on_anything_but_the_text(text: str) -> None:
    first = split_text(text, max_chars=40, overlap_chars=8)

    second = split_text(text, max_chars=40, overlap_chars=8)

    assert first == second


@pytest.mark.parametrize("length, expected", [(0, 0), (1, 1), (1919, 1), (1920, 2)])
def test_a_text_of_less_than_1920_characters_is_one_chunk(length: int, expected: int) -> None:
    text = ("word " * 400)[:length]

    chunks = split_text(text)

    assert len(chunks) == expected


def test_a_chunk_ends_with_its_sentence_and_keeps_the_delimiter() -> None:
    text = "One is here. Two is here! Three is here? Four is here.\n\nFive is here."

    chunks = split_text(text, max_chars=30, overlap_chars=0)

    assert [chunk.text for chunk in chunks] == [
        "One is here. Two is here! ",
        "Three is here? Four is here.\n\n",
        "Five is here.",
    ]


def test_neighbours_share_whole_sentences_where_they_fit() -> None:
    text = "One is here. Two is here. Three is here. Four is here."

    chunks = split_text(text, max_chars=30, overlap_chars=16)

    assert chunks[0].text == "One is here. Two is here. "
    assert chunks[1].text == "Two is here. Three is here. "


def test_chinese_sentences_end_without_a_space() -> None:
    text = "我喜欢猫。你喜欢狗吗？我们去公园！好的。"

    chunks = split_text(text, max_chars=10, overlap_chars=0)

    assert [chunk.text for chunk in chunks] == ["我喜欢猫。", "你喜欢狗吗？", "我们去公园！好的。"]


def test_an_overlong_sentence_is_cut_at_a_space() -> None:
    text = "word " * 20

    chunks = split_text(text, max_chars=23, overlap_chars=7)

    assert {chunk.text for chunk in chunks[:-1]} == {"word word word word "}
    assert all(chunk.text.startswith("word") for chunk in chunks)


def test_a_version_number_is_not_the_end_of_a_sentence() -> None:
    text = "We run Django 5.2 here. It is fine."

    chunks = split_text(text, max_chars=26, overlap_chars=0)

    assert chunks[0].text == "We run Django 5.2 here. "


@pytest.mark.parametrize("pattern", [".", "\n", " ", "!? ", "\r\n ", "x", "。", '."'])
def test_a_megabyte_of_anything_is_split_in_reasonable_time(pattern: str) -> None:
    text = pattern * (1_000_000 // len(pattern))
    started = time.process_time()

    chunks = split_text(text)

    assert chunks[-1].end == len(text)
    assert time.process_time() - started < 5


@pytest.mark.parametrize("max_chars, overlap_chars", [(0, 0), (10, 10), (10, 11), (10, -1)])
def test_sizes_that_could_not_end_are_refused(max_chars: int, overlap_chars: int) -> None:
    with pytest.raises(ValueError, match="overlap_chars"):
        split_text("text", max_chars=max_chars, overlap_chars=overlap_chars)
