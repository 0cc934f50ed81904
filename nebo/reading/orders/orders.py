"""Whether a text orders whoever reads it about, moves trust or money to somebody else, or wants to be hidden or spread.

It is asked of words that are not the person's own, before they are stored, and never on the way to an answer. A small
network decides, on the vectors of the multilingual encoder as it comes and as the reader has it, side by side; each
tells something that the other doesn't. `training/fit_orders.py` fits it. Without that encoder nothing is found here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from typing import Literal, cast

import numpy as np
from numpy.typing import NDArray

from nebo.encoders.files import has_e5
from nebo.reading.meaning.reader import encode
from nebo.reading.orders.notation import READ_CHARS, list_sentences

Order = Literal["order", "change", "spread"]
KINDS: tuple[Order, ...] = ("order", "change", "spread")
FILE = Path(__file__).parents[1] / "heads" / "orders.npz"
LIKELY = 1.2  # log-odds that a sentence must have, and AMID what stands around it
AMID = 1.15
PLAINLY = 2.8  # of a sentence, whatever stands around it: an order amid other facts
SURELY = 5.0  # of a sentence that leaves no doubt
AROUND = 1  # sentences on each side of one that are read with it
_WORD = re.compile(r"\w+")
LEAST_WORDS = 4  # of a text in an alphabet that can order anything: "Note number 1" can't
CACHED = 4_000  # texts

Array = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class OrderHead:
    """Weights (320, 768) and (4, 320) and biases: whether it is any of them, and then which."""

    hidden: Array
    hidden_bias: Array
    weight: Array
    bias: Array

    def score(self, vector: Array) -> Array:
        """Log-odds: of any, then of each kind."""
        seen = np.maximum(self.hidden @ vector + self.hidden_bias, 0)
        return cast(Array, self.weight @ seen + self.bias)


@lru_cache(CACHED)
def find_order(text: str) -> Order | None:
    """What a text is of these, or None. 10 ms a sentence: call it before a transaction, where its answer is kept."""
    if not has_e5() or (text.isascii() and len(_WORD.findall(text)) < LEAST_WORDS):
        return None
    sentences = list_sentences(text)
    for place in range(len(sentences)):
        scores = _score(sentences[place])
        if scores[0] >= LIKELY and (scores[0] >= PLAINLY or _is_likely_amid(sentences, place)):
            return KINDS[int(scores[1:].argmax())]
    return None


def is_surely_order(sentence: str) -> bool:
    """Whether a sentence by itself leaves no doubt."""
    return has_e5() and bool(_score(sentence[:READ_CHARS])[0] >= SURELY)


def _is_likely_amid(sentences: Sequence[str], place: int) -> bool:
    """Whether it still is with the sentences around it: chatter says “you should” too."""
    amid = sentences[max(place - AROUND, 0) : place + AROUND + 1]
    return len(amid) == 1 or bool(_score(" ".join(amid))[0] >= AMID)


def vector_of(text: str) -> Array:
    """(768,) as the encoder comes, and as the reader has it."""
    plain = import_module("nebo.encoders.loading").load_plain_e5()
    return np.concatenate([plain.encode(text), encode(text)])


@lru_cache(CACHED)
def _score(text: str) -> Array:
    return load_head().score(vector_of(text))


@cache
def load_head(path: Path = FILE) -> OrderHead:
    """The numbers that `fit_orders.py` wrote."""
    with np.load(path) as file:
        return OrderHead(file["hidden"].astype(np.float32), file["hidden_bias"], file["weight"], file["bias"])
