"""The embedder without a model."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search.embeddings.hashing import HashingEmbedder


def cosine(left: list[float], right: list[float]) -> float:
    return sum(a * b for a, b in zip(left, right, strict=True))


@given(st.lists(st.text(max_size=60), max_size=5), st.integers(1, 64))
def test_every_text_has_a_vector_of_length_one(texts: list[str], dimensions: int) -> None:
    vectors = HashingEmbedder(dimensions).embed(texts)

    assert [len(vector) for vector in vectors] == [dimensions] * len(texts)
    assert all(math.hypot(*vector) == pytest.approx(1.0) for vector in vectors)


def test_shared_words_and_typos_are_near() -> None:
    embed = HashingEmbedder().embed

    said, typo, other = embed(["Caroline paints sunsets", "Carolin paints sunset", "quarterly tax report"])

    assert cosine(said, typo) > 0.5
    assert cosine(said, other) < 0.25


def test_chinese_texts_with_a_word_in_common_are_near() -> None:
    embed = HashingEmbedder().embed

    said, asked, other = embed(["我喜欢猫", "谁喜欢猫", "明天下雨"])

    assert cosine(said, asked) > 0.4 > cosine(said, other)


def test_the_same_text_has_the_same_vector_on_every_machine() -> None:
    vector = HashingEmbedder(8).embed(["hello"])[0]

    assert [round(value, 3) for value in vector] == [0.894, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.447]


def test_the_model_is_named_for_its_dimensions() -> None:
    embedder = HashingEmbedder(64)

    assert (embedder.provider, embedder.model, embedder.dimensions) == ("hashing", "64", 64)


def test_no_dimension_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        HashingEmbedder(0)
