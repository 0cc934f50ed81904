"""How much a word looks like somebody's given name, whatever its capital: by a linear head on the vector of the word.

Of words that it never saw, nine of ten that it takes for names are some. So it decides only where a name may well
stand: "my brother paul", not "my brother pregnant". `training/fit_names.py` fits it; it needs the multilingual encoder.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

from nebo.encoders.files import has_e5
from nebo.encoders.weights import Array

FILE = Path(__file__).parents[1] / "heads" / "names.npz"
NOT_TOLD = -9.0  # log-odds where no head can tell

Encode = Callable[[str], Array]


def likeness(word: str, encode: Encode) -> float:
    """Log-odds that a word is a given name."""
    if not has_e5() or not FILE.exists():
        return NOT_TOLD
    weight, bias = _load()
    return float(weight @ encode(word.lower()) + bias)


@cache
def _load() -> tuple[Array, float]:
    with np.load(FILE) as file:
        return file["weight"], float(file["bias"])
