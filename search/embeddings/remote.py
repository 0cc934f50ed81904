"""What embedding providers over HTTP share: batches, retries, and the check of what came back."""

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from nebo.llm.answers import read_object, unreadable
from nebo.llm.errors import RetryableError
from nebo.llm.transport import SHARED_TRANSPORT, Endpoint, Transport
from search.embeddings.types import Embedder

MAX_BATCH = 64  # texts a request
PAUSES_S = (0.5, 2.0, 8.0)  # seconds before each retry; docs/design.md#search-numbers
TIMEOUT_S = 30.0  # seconds a request; a batch takes longer than one question
QUESTION_S = 1.0  # seconds that a question waits for its vector; then words alone answer it
TRIAL_S = 5.0  # seconds for the short text by which a provider that failed is tried again
MAX_VECTOR_BYTES = 128 * 1024  # 3,072 numbers in JSON are about 64 KiB


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How long a request may take and how often it is tried again; seconds."""

    timeout_s: float = TIMEOUT_S
    pauses_s: Sequence[float] = PAUSES_S
    sleep: Callable[[float], None] = time.sleep


DEFAULT_PATIENCE = RetryPolicy()
QUESTION = RetryPolicy(timeout_s=QUESTION_S, pauses_s=())
TRIAL = RetryPolicy(timeout_s=TRIAL_S, pauses_s=())


@dataclass(frozen=True, slots=True)
class RemoteModel:
    """One model behind one address; `read_vectors` finds the list of vectors in an answer, in order."""

    endpoint: Endpoint
    dimensions: int
    build_payload: Callable[[Sequence[str]], Mapping[str, Any]]
    read_vectors: Callable[[Mapping[str, Any]], object]
    retry_policy: RetryPolicy = DEFAULT_PATIENCE
    transport: Transport = field(default=SHARED_TRANSPORT, repr=False)

    @property
    def provider(self) -> str:
        """The name in `provider/model`."""
        return self.endpoint.provider

    @property
    def model(self) -> str:
        """The provider's own name of the model."""
        return self.endpoint.model

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Vectors of length one in the order of `texts`, 64 texts a request.

        A failed request is retried after 0.5, 2 and 8 s, one that got no answer in its time is not. Raises
        RetryableError when it still fails, and PermanentError at once for one that would fail again (400, 401, 403 and
        the like).
        """
        vectors: list[list[float]] = []
        for first in range(0, len(texts), MAX_BATCH):
            vectors += self._embed_patiently(texts[first : first + MAX_BATCH])
        return vectors

    def _embed_patiently(self, batch: Sequence[str]) -> list[list[float]]:
        for pause_s in self.retry_policy.pauses_s:
            try:
                return self._embed_batch(batch)
            except RetryableError as error:
                if error.kind == "timeout":
                    raise
                # A provider that says how long to wait knows better, within reason.
                self.retry_policy.sleep(min(max(pause_s, error.retry_after_s or 0.0), PAUSES_S[-1]))
        return self._embed_batch(batch)

    def _embed_batch(self, batch: Sequence[str]) -> list[list[float]]:
        answer = self.transport.post_json(
            self.endpoint,
            self.build_payload(batch),
            timeout_s=self.retry_policy.timeout_s,
            max_bytes=MAX_VECTOR_BYTES * (len(batch) + 1),
        )
        found = self.read_vectors(read_object(self.endpoint, answer))
        if not isinstance(found, list) or len(found) != len(batch):
            raise unreadable(self.endpoint, "its answer has another number of vectors than was asked for")
        return [self._checked(vector) for vector in found]

    def _checked(self, vector: object) -> list[float]:
        if not isinstance(vector, list) or len(vector) != self.dimensions:
            raise unreadable(
                self.endpoint, f"its answer has vectors of other than {self.dimensions} dimensions"
            )
        if not all(_is_number(value) for value in vector):
            raise unreadable(self.endpoint, "its answer has vectors with something else than numbers")
        length = math.sqrt(sum(value * value for value in vector))
        if length == 0.0:
            raise unreadable(self.endpoint, "its answer has a vector of nothing but zeros")
        return [value / length for value in vector]


def in_a_hurry(embedder: Embedder, policy: RetryPolicy) -> Embedder:
    """The same, with no more patience than that; one of this process as it is."""
    return replace(embedder, retry_policy=policy) if isinstance(embedder, RemoteModel) else embedder


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
