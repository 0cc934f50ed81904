"""Embedding models on this machine's processor, through onnxruntime: all-MiniLM-L6-v2, and multilingual-e5-small."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from typing import TYPE_CHECKING, Any

from nebo.encoders.bert import HIDDEN
from nebo.encoders.files import E5_NAME, MINILM_NAME, EncoderError
from nebo.llm.errors import PermanentError

if TYPE_CHECKING:
    from nebo.encoders.loading import Encoder

DIMENSIONS = HIDDEN
DEFAULT_THREADS = 2  # texts at a time
LOADERS = {MINILM_NAME: "load_plain_minilm", E5_NAME: "load_plain_e5"}  # in nebo.encoders.loading


class LocalEmbedder:
    """Loads the model at first use; may be called from many threads.

    Each text is computed by itself, so that its vector doesn't depend on its company, and by one thread: a short
    question takes two of them longer.
    """

    provider = "local"
    dimensions = DIMENSIONS

    def __init__(self, model: str = MINILM_NAME, *, threads: int = 0) -> None:
        """`threads` work on many texts; 0 takes two, or one on a machine with one core."""
        self.model = model
        self._threads = threads or min(DEFAULT_THREADS, os.cpu_count() or 1)
        self._encoder: Encoder | None = None
        self._loading = threading.Lock()
        os.register_at_fork(after_in_child=self._renew_lock)

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Mean of the token vectors, length one. Raises PermanentError if the model file is damaged or missing."""
        encoder = self._load()
        if len(texts) == 1 or self._threads == 1:
            return [encoder.encode(text).tolist() for text in texts]
        with ThreadPoolExecutor(self._threads) as pool:
            return [vector.tolist() for vector in pool.map(encoder.encode, texts)]

    def _load(self) -> Encoder:
        encoder = self._encoder
        if encoder is not None:
            return encoder
        with self._loading:
            if self._encoder is None:
                try:
                    self._encoder = getattr(import_runtime(), LOADERS[self.model])()
                except EncoderError as error:
                    raise PermanentError("local", self.model, str(error), kind="refused") from error
            return self._encoder

    def _renew_lock(self) -> None:
        """In a forked child: the parent may have held it. The model is good there, since it has no threads."""
        self._loading = threading.Lock()


def import_runtime() -> Any:
    """What computes: onnxruntime takes 0.1 s and 15 MB, which processes that embed nothing needn't pay."""
    return import_module("nebo.encoders.loading")
