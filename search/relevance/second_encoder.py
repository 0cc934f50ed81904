"""A second encoder's word on whether a text is about a question: the multilingual one of this process.

It helps where the serving model can't tell: all-MiniLM-L6-v2 knows English only, and the cosines of some models are
unmeasured. It takes some 5 ms for a text it hasn't read yet; read ones are cached.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from nebo.encoders.files import E5_NAME, has_e5
from nebo.encoders.weights import Array
from search.embeddings.local import LocalEmbedder

READ_CHARS = 400  # of a text; what it is about stands early
KEPT = 4_000  # vectors, 1.5 kB each

_encoder = LocalEmbedder(E5_NAME, threads=1)


def can_read() -> bool:
    """Whether the encoder is installed."""
    return has_e5()


def list_cosines(question: str, texts: Sequence[str]) -> list[float]:
    """How near each text is to the question; two that have nothing in common have 0.77 or so."""
    asked = _vector(question[:READ_CHARS])
    return [float(asked @ _vector(text[:READ_CHARS])) for text in texts]


@lru_cache(KEPT)
def _vector(text: str) -> Array:
    return np.asarray(_encoder.embed([text])[0], np.float32)
