"""Whether a sentence that an assistant says passes on an order: to itself or others, to keep or to hide something.

`orders.py` asks this of what is stored, where hardly anything tells its reader what to do. An assistant's answers are
full of advice, so here a head of its own must agree, with the same vectors. Most sentences need no vectors: their words
alone say that they are no order. `training/fit_said.py` fits both.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path

import numpy as np

from nebo.encoders.files import has_e5
from nebo.reading.orders.notation import READ_CHARS
from nebo.reading.orders.orders import CACHED, KINDS, Array, Order, OrderHead, load_head, vector_of
from nebo.reading.orders.orders import LIKELY as STORED_LIKELY

FILE = Path(__file__).parents[1] / "heads" / "said.npz"
WORDS_FILE = Path(__file__).parents[1] / "heads" / "said_words.npz"
LIKELY = 0.3  # log-odds from which a sentence waits that stands among few
PLAINLY = 6.0  # and among many: long answers are full of what somebody should do
FEW = 4  # sentences of a message, at most
MAYBE = -1.2  # log-odds by its words alone from which a sentence is read by its meaning
LEAST_WORDS = 4  # of a sentence that can be an order
MOST_WORDS = 60  # of a sentence that are looked at without a model
STEM = 5  # letters of a longer word that stand for its other forms
PLACES = 1 << 15  # for the weights of words and pairs of words
STRANGE = 0.5  # share of words that no fit saw, from which their weights say nothing
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class WordWeights:
    """What each word, its beginning and each pair of words adds to the log-odds of an order; 0 where none was seen."""

    weight: Array
    bias: float

    def score(self, sentence: str) -> float:
        """Log-odds, in which a long sentence weighs no more than a short one."""
        places = list_places_of_words(sentence)
        return float(self.weight[places].sum() / len(places) ** 0.5 + self.bias)

    def is_strange(self, sentence: str) -> bool:
        """Whether most of its words are in none of the sentences that it was fitted on."""
        words = [_place(word) for word in _words(sentence)]
        return not words or float((self.weight[words] == 0).mean()) >= STRANGE


def may_be_order(sentence: str) -> bool:
    """Whether a sentence is worth being read by its meaning. Takes some microseconds."""
    weights = load_words()
    return weights.score(sentence) >= MAYBE or weights.is_strange(sentence)


@lru_cache(CACHED)
def find_said_order(sentence: str, among: int = 1) -> Order | None:
    """What a sentence of a message of so many is of these, or None. 10 ms: never while anybody waits."""
    if not has_e5():
        return None
    vector = vector_of(sentence[:READ_CHARS])
    scores = load_said().score(vector)
    is_likely = scores[0] >= (LIKELY if among <= FEW else PLAINLY)
    return (
        KINDS[int(scores[1:].argmax())]
        if is_likely and load_head().score(vector)[0] >= STORED_LIKELY
        else None
    )


def list_places_of_words(sentence: str) -> list[int]:
    """Where the weights of its words, their beginnings and their pairs stand, each once."""
    words = ["^", *_words(sentence), "$"]
    found = set(map(_place, words))
    found |= {_place(f"{word[:STEM]}*") for word in words if len(word) > STEM}
    found |= {_place(f"{one} {next_one}") for one, next_one in pairwise(words)}
    return sorted(found)


def _words(sentence: str) -> Iterator[str]:
    for word in _WORD.findall(sentence)[:MOST_WORDS]:
        yield "0" if word.isdigit() else word.lower()


def _place(text: str) -> int:
    return zlib.crc32(text.encode()) % PLACES


def load_said() -> OrderHead:
    """The numbers that `fit_said.py` wrote."""
    return load_head(FILE)


@cache
def load_words(path: Path = WORDS_FILE) -> WordWeights:
    """The weights of words that `fit_said.py` wrote."""
    with np.load(path) as file:
        return WordWeights(file["weight"].astype(np.float32), float(file["bias"]))
