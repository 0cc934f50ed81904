"""Whether a text orders whoever reads it about, moves trust or money to somebody else, or wants to be hidden or spread.

It is asked of words that are not the person's own, before they are stored, and never on the way to an answer. A linear
head on the vectors of the multilingual encoder as it comes decides; `training/fit_orders.py` fits it. Without that
encoder nothing is found here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from typing import Literal, cast

import numpy as np
from numpy.typing import NDArray

from nebo.encoders.files import has_e5
from nebo.reading.words.content_words import split_sentences

Order = Literal["order", "change", "spread"]
KINDS: tuple[Order, ...] = ("order", "change", "spread")
FILE = Path(__file__).parents[1] / "heads" / "orders.npz"
LIKELY = 0.9  # log-odds that a sentence and what stands around it must both have
SURELY = 3.0  # of a sentence, whatever stands around it
AROUND = 1  # sentences on each side of one that are read with it
READ_CHARS = 600  # of a sentence; a longer one is cut
CACHED = 4_000  # texts

Array = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class OrderHead:
    """Weights (4, 384) and biases: whether it is any of them, and then which."""

    weight: Array
    bias: Array

    def score(self, vector: Array) -> Array:
        """Log-odds: of any, then of each kind."""
        return cast(Array, self.weight @ vector + self.bias)


@lru_cache(CACHED)
def find_order(text: str) -> Order | None:
    """What a text is of these, or None. 5 ms a sentence: call it before a transaction, where its answer is kept."""
    if not has_e5():
        return None
    sentences = [sentence[:READ_CHARS] for sentence in split_sentences(text) if sentence.strip()]
    for place in range(len(sentences)):
        scores = _score(sentences[place])
        if scores[0] >= LIKELY and (scores[0] >= SURELY or _is_likely_amid(sentences, place)):
            return KINDS[int(scores[1:].argmax())]
    return None


def _is_likely_amid(sentences: Sequence[str], place: int) -> bool:
    """Whether it still is with the sentences around it: chatter says “you should” too."""
    amid = sentences[max(place - AROUND, 0) : place + AROUND + 1]
    return len(amid) == 1 or bool(_score(" ".join(amid))[0] >= LIKELY)


def _score(text: str) -> Array:
    encoder = import_module("nebo.encoders.loading").load_plain_e5()
    return load_head().score(encoder.encode(text))


@cache
def load_head(path: Path = FILE) -> OrderHead:
    """The numbers that `fit_orders.py` wrote."""
    with np.load(path) as file:
        return OrderHead(file["weight"], file["bias"])
