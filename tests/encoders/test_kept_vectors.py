"""What the tests keep of the encoders is what these compute, and nothing else is taken for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nebo.encoders.loading import _build_minilm
from tests.kept_vectors import KeepingSession, KeptVectors, open_session

TEXTS = ([[101, 7592, 102]], [[101, 7592, 999, 102]])


class Counting:
    """onnxruntime's session, and how often it has computed."""

    def __init__(self, model: bytes) -> None:
        self.session, self.asked = open_session(model), 0

    def run(self, names: Sequence[str], given: Mapping[str, np.ndarray]) -> Any:
        self.asked += 1
        return self.session.run(names, given)


@pytest.fixture(scope="module")
def model() -> bytes:
    return _build_minilm(None)


def vectors_of(session: Any) -> list[bytes]:
    inputs = [{"input_ids": np.array(ids, np.int64)} for ids in TEXTS]
    return [session.run(["vector"], given)[0][0].tobytes() for given in inputs]


def test_a_vector_is_computed_once_and_found_in_the_next_run(model: bytes, tmp_path: Path) -> None:
    computes, file = Counting(model), tmp_path / "vectors.sqlite3"
    first = KeptVectors(file)

    told = vectors_of(KeepingSession(computes, model, first))
    again = vectors_of(KeepingSession(computes, model, first))
    first.close()
    later = vectors_of(KeepingSession(computes, model, KeptVectors(file)))

    assert told == again == later == vectors_of(computes.session)
    assert computes.asked == len(TEXTS)


def test_another_model_computes_its_own(model: bytes, tmp_path: Path) -> None:
    computes, kept = Counting(model), KeptVectors(tmp_path / "vectors.sqlite3")
    vectors_of(KeepingSession(computes, model, kept))

    vectors_of(KeepingSession(computes, model + b"another", kept))

    assert computes.asked == 2 * len(TEXTS)


@pytest.mark.parametrize("content", [b"", b"no database at all" * 100])
def test_without_a_file_that_can_be_read_each_is_computed(
    model: bytes, tmp_path: Path, content: bytes
) -> None:
    file = tmp_path / "vectors.sqlite3"
    file.write_bytes(content)

    assert vectors_of(KeepingSession(Counting(model), model, KeptVectors(file))) == vectors_of(
        open_session(model)
    )
