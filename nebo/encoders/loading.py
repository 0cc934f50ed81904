"""The encoders that come along, loaded: a text becomes a vector of length one."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Protocol

import numpy as np

from nebo.encoders import e5, minilm
from nebo.encoders.files import checked_e5_path, checked_minilm_path
from nebo.encoders.pieces import PieceTokenizer
from nebo.encoders.weights import Array
from nebo.encoders.wordpiece import WordPieceTokenizer

# Before the import: from 1.29 on the wheel otherwise reports to Microsoft, and its uploader's thread keeps a
# forked process from ending.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

import onnxruntime

E5_PREFIX = "query: "  # what the model was trained to see before a text that is compared with its like
VOCABULARY = Path(__file__).parent / "data" / "minilm_vocab.txt"


class Encoder(Protocol):
    """A loaded model; may be called from many threads."""

    def encode(self, text: str) -> Array:
        """(384,) float32, the mean of the token vectors at length one."""


@dataclass(frozen=True, slots=True)
class _MiniLM:
    session: onnxruntime.InferenceSession
    tokenizer: WordPieceTokenizer

    def encode(self, text: str) -> Array:
        ids = np.array([self.tokenizer.encode(_encodable(text))], np.int64)
        vector: Array = self.session.run(["vector"], {"input_ids": ids})[0][0]
        return vector


@dataclass(frozen=True, slots=True)
class _E5:
    session: onnxruntime.InferenceSession
    file: e5.ModelFile
    tokenizer: PieceTokenizer
    places: Array

    def encode(self, text: str) -> Array:
        ids = self.tokenizer.encode(f"{E5_PREFIX}{_encodable(text)}")
        embedded = self.file.words(np.array(ids)) + self.places[: len(ids)]
        vector: Array = self.session.run(["vector"], {"embedded": embedded[None]})[0][0]
        return vector


def load_minilm(adapter: Mapping[str, Array] | None = None) -> Encoder:
    """all-MiniLM-L6-v2, as it is or with an adapter (`bert.add_adapter`). Raises EncoderError."""
    encoder = _MiniLM(_open_session(_build_minilm(adapter)), build_minilm_tokenizer())
    _give_back_memory()
    return encoder


@cache
def load_plain_minilm() -> Encoder:
    """The same without an adapter, once in a process: 23 MB. Raises EncoderError."""
    return load_minilm()


def load_e5(adapter: Mapping[str, Array] | None = None) -> Encoder:
    """multilingual-e5-small, as it is or with an adapter (`bert.add_adapter`). Raises EncoderError."""
    file = e5.ModelFile(checked_e5_path())
    tokenizer = PieceTokenizer(file.read_pieces())
    encoder = _E5(_open_session(e5.build_model(file, adapter or {})), file, tokenizer, file.places())
    _give_back_memory()
    return encoder


@cache
def load_plain_e5() -> Encoder:
    """The same without an adapter, once in a process: 47 MB. Raises EncoderError."""
    return load_e5()


def _build_minilm(adapter: Mapping[str, Array] | None) -> bytes:
    return minilm.build_model(minilm.ModelFile(checked_minilm_path()), adapter)


def _open_session(model: bytes) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False  # it never gives back what the longest text took
    options.add_session_config_entry("session.x64quantprecision", "0" if _adds_up_exactly() else "1")
    session = onnxruntime.InferenceSession(model, sess_options=options, providers=["CPUExecutionProvider"])
    session._model_bytes = None  # 21 MB, kept for a second try on another kind of processor
    return session


def _give_back_memory() -> None:
    """What building the model took, some 40 MB, the C library would keep. Only glibc can be asked for it."""
    with suppress(AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def _adds_up_exactly() -> bool:
    """Whether the processor's sums of eight-bit products fit (VNNI); others cut them off, or take twice as long."""
    try:
        return "vnni" in Path("/proc/cpuinfo").read_text(encoding="ascii", errors="replace")
    except OSError:
        return False


def build_minilm_tokenizer() -> WordPieceTokenizer:
    """With the vocabulary that the model was trained with."""
    return WordPieceTokenizer(VOCABULARY.read_text(encoding="utf-8").removesuffix("\n").split("\n"))


def _encodable(text: str) -> str:
    """Half a surrogate pair, which JSON can carry, becomes a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")
