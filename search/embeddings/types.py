"""What every embedding provider looks like from outside."""

from collections.abc import Sequence
from typing import Protocol

OWN_PROCESS = ("local", "hashing")  # providers that are nobody outside


class Embedder(Protocol):
    """Turns texts into vectors of length one, so that a dot product is a cosine.

    `dimensions` is the length of every vector. `embed` keeps the order of its texts, accepts none, and raises
    `nebo.llm.errors.RetryableError` or `PermanentError` when the provider fails.
    """

    @property
    def provider(self) -> str: ...

    @property
    def model(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> list[list[float]]: ...
