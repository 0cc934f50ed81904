"""Linear heads on a vector: what kind of thing a sentence says, what it is worth, what it is about.

A head is a file of numbers made by `training/`: weights (outcomes, 384) and a bias for each outcome, and for some
encoders an adapter. `DIGEST` of the file is kept with whatever it decided.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

FOLDER = Path(__file__).parents[1] / "heads"
DIGEST_CHARS = 12  # hex digits that tell one file from another

Array = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Head:
    """Outcomes by name, and how a vector is weighed for each."""

    names: tuple[str, ...]
    weight: Array
    bias: Array

    def score(self, vector: Array) -> Array:
        """Log-odds of each outcome."""
        return cast(Array, self.weight @ vector + self.bias)


@dataclass(frozen=True, slots=True)
class Heads:
    """All that is read off one encoder's vectors. `act` and `ask` are the chances from which a kind counts."""

    kinds: Head
    worth: Head
    slot: Head
    relation: Head | None
    adapter: Mapping[str, Array]
    act: Mapping[str, float]
    ask: Mapping[str, float]
    digest: str


@cache
def load_heads(encoder: str, fitted: Path | None = None) -> Heads:
    """The heads for an encoder: `e5` or `minilm`, its own or those of another fit, with its own limits."""
    path = fitted or FOLDER / f"{encoder}.npz"
    with np.load(path) as file:
        arrays: dict[str, NDArray[Any]] = {name: file[name] for name in file.files}
    names = json.loads(arrays.pop("names").tobytes())
    chosen = FOLDER / f"{encoder}.json"
    limits = json.loads(chosen.read_text(encoding="utf-8")) if chosen.exists() else {}
    heads = {name: _head(arrays, name, names) for name in ("kinds", "worth", "slot", "relation")}
    return Heads(
        kinds=cast(Head, heads["kinds"]),
        worth=cast(Head, heads["worth"]),
        slot=cast(Head, heads["slot"]),
        relation=heads["relation"],
        adapter={name: value.astype(np.float32) for name, value in arrays.items()},
        act={kind: limit["act"] for kind, limit in limits.items()},
        ask={kind: limit["ask"] for kind, limit in limits.items()},
        digest=hashlib.sha256(path.read_bytes()).hexdigest()[:DIGEST_CHARS],
    )


def _head(arrays: dict[str, NDArray[Any]], name: str, names: Mapping[str, list[str]]) -> Head | None:
    if f"{name}.weight" not in arrays:
        return None
    return Head(tuple(names[name]), arrays.pop(f"{name}.weight"), arrays.pop(f"{name}.bias"))


def softmax(scores: Array) -> Array:
    """Chances that add up to one."""
    grown = np.exp(scores - scores.max())
    return cast(Array, grown / grown.sum())


def sigmoid(scores: Array) -> Array:
    """A chance for each, whatever the others'."""
    return cast(Array, 1 / (1 + np.exp(-scores)))
