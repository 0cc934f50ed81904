"""Whether two words mean the same, in one language or two: by the vectors of the multilingual encoder as it is.

The reader's own vectors tell kinds of sentences and are poor at words. This one takes 47 MB once somebody asks, which
only a worker does that reads a model's answers.
"""

from __future__ import annotations

from functools import cache, lru_cache
from importlib import import_module
from typing import TYPE_CHECKING

from nebo.encoders.files import has_e5
from nebo.reading.wording.vocabulary import kin_of

if TYPE_CHECKING:
    from nebo.encoders.loading import Encoder
    from nebo.encoders.weights import Array

SAME_MEANING = (
    0.905  # cosine; of 44 pairs in two languages 23 are above, of 44 near misses ("tea", „Kaffee“) two
)
CACHED = 20_000  # words


def is_alike(claimed: str, quoted: str) -> bool:
    """Whether two words mean the same; False where the multilingual encoder isn't installed."""
    if kin_of(claimed) or kin_of(quoted) or _encoder() is None:
        return False
    return float(_vector(claimed) @ _vector(quoted)) >= SAME_MEANING


@lru_cache(CACHED)
def _vector(word: str) -> Array:
    encoder = _encoder()
    assert encoder is not None
    return encoder.encode(word)


@cache
def _encoder() -> Encoder | None:
    encoder: Encoder | None = import_module("nebo.encoders.loading").load_plain_e5() if has_e5() else None
    return encoder
