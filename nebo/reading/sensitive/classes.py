"""Which classes of sensitive personal matters a text tells of: an illness, a faith, a vote, a debt, a sentence.

A linear head decides, on the vectors of the multilingual encoder as it comes and as the reader has it, side by side;
`training/fit_sensitive.py` fits it. A word of the matter makes it likelier (`words.py`); without that encoder the
words are all there is. docs/reading.md has how right it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray

from nebo.encoders.files import has_e5
from nebo.reading.orders.notation import list_sentences
from nebo.reading.orders.orders import vector_of
from nebo.reading.sensitive.kinds import SensitiveClass
from nebo.reading.sensitive.words import find_worded
from nebo.reading.words.hasty import write_apostrophes

FILE = Path(__file__).parents[1] / "heads" / "sensitive.npz"
LIKELY = -0.5  # log-odds from which a sentence is of a class
WORDED = -2.5  # the same of one that has a word of it
CACHED = 4_000  # texts

Array = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class SensitiveHead:
    """A row of weights and a bias for each class: (n, 768) and (n,)."""

    classes: tuple[SensitiveClass, ...]
    weight: Array
    bias: Array

    def score(self, vector: Array) -> Array:
        """Log-odds of each class."""
        return cast(Array, self.weight @ vector + self.bias)


@lru_cache(CACHED)
def find_classes(text: str) -> frozenset[SensitiveClass]:
    """The classes that a text tells of, in whichever of its sentences. 10 ms a sentence that wasn't read before."""
    return frozenset(name for sentence in list_sentences(text) for name in classes_of(sentence))


@lru_cache(CACHED)
def classes_of(sentence: str) -> frozenset[SensitiveClass]:
    """The same of one sentence."""
    worded = find_worded(sentence)
    if not has_e5():
        return worded
    head = load_head()
    scores = head.score(vector_of(write_apostrophes(sentence)))
    return frozenset(
        name
        for name, score in zip(head.classes, scores.tolist(), strict=True)
        if score >= (WORDED if name in worded else LIKELY)
    )


@cache
def load_head(path: Path = FILE) -> SensitiveHead:
    """The numbers that `fit_sensitive.py` wrote."""
    with np.load(path) as file:
        names = cast("tuple[SensitiveClass, ...]", tuple(map(str, file["classes"])))
        return SensitiveHead(names, file["weight"], file["bias"])
