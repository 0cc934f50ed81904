"""What seems worth keeping and is a mere step of some work, over with the next one.

"I've added a spinner to the page" says nothing in a month, though "I'm building a shop with Django" does. A linear head
tells them, on the vector by which the clause is read anyway; `training/fit_steps.py` fits it. It knows English alone,
since in other languages it took what lasts for a step, and needs the multilingual encoder.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from math import inf
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nebo.encoders.files import has_e5
from nebo.reading.meaning.reader import encode
from nebo.reading.words.hasty import write_apostrophes
from nebo.reading.words.languages import is_english

FILE = Path(__file__).parents[1] / "heads" / "steps.npz"
LIKELY = 0.3  # log-odds from which a clause is a step; docs/reading.md has what that finds
SURELY = 1.5  # from which a part of one is
CACHED = 1_000  # clauses

Array = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class StepHead:
    """Weights (384,) and a bias."""

    weight: Array
    bias: float

    def score(self, vector: Array) -> float:
        """Log-odds."""
        return float(self.weight @ vector + self.bias)


def is_step(clause: str) -> bool:
    """Whether a clause is a mere step, or a doubt on the way, whatever it seems worth."""
    return _score(clause) >= LIKELY


def is_surely_step(part: str) -> bool:
    """The same of a part of a clause: "…, and I won" says little by itself."""
    return _score(part) >= SURELY


@lru_cache(CACHED)
def _score(clause: str) -> float:
    """Log-odds; less than any limit where it can't be told."""
    if not has_e5() or not is_english(clause):
        return -inf
    return load_head().score(encode(write_apostrophes(clause)))


@cache
def load_head(path: Path = FILE) -> StepHead:
    """The numbers that `fit_steps.py` wrote."""
    with np.load(path) as file:
        return StepHead(file["weight"], float(file["bias"]))
