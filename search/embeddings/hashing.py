"""An embedder without a model: features hashed into a vector. The last resort, and what tests use."""

import hashlib
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence

from search.language import segment_for_query

DEFAULT_DIMENSIONS = 384  # as many as the local model has
TRIGRAM_WEIGHT = 0.5  # of a word's; they bridge inflections and typos without drowning whole words
WORD = re.compile(r"\w+")


class HashingEmbedder:
    """Words and their character trigrams, each with a place and a sign by its hash (the hashing trick).

    Weinberger et al., ICML 2009. The same on every machine and in every process.
    """

    provider = "hashing"

    def __init__(self, dimensions: int = DEFAULT_DIMENSIONS) -> None:
        """Raises ValueError for fewer than one dimension."""
        if dimensions < 1:
            raise ValueError("an embedding has at least one dimension")
        self.dimensions = dimensions

    @property
    def model(self) -> str:
        """The number of dimensions, as in `hashing/384`."""
        return str(self.dimensions)

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector of length one a text, an empty text included."""
        return [self._embed_one(text) for text in texts]

    def _embed_one(self, text: str) -> list[float]:
        vector = [0.0] * self.dimensions
        for feature, weight in _weighted_features(text):
            place, sign = _hash(feature, self.dimensions)
            vector[place] += sign * weight
        length = math.sqrt(sum(value * value for value in vector))
        if length == 0.0:  # nothing to hash, or everything cancelled out
            vector[0] = length = 1.0
        return [value / length for value in vector]


def _weighted_features(text: str) -> Iterator[tuple[str, float]]:
    normal = unicodedata.normalize("NFKC", text).casefold()
    for word, count in Counter(WORD.findall(segment_for_query(normal))).items():
        weight = 1.0 + math.log(count)
        yield word, weight
        framed = f"<{word}>"
        for start in range(len(framed) - 2):
            yield f"#{framed[start : start + 3]}", weight * TRIGRAM_WEIGHT


def _hash(feature: str, dimensions: int) -> tuple[int, float]:
    digest = hashlib.blake2b(feature.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    number = int.from_bytes(digest, "big")
    return (number >> 1) % dimensions, 1.0 if number & 1 else -1.0
