"""Fits the head that finds mere steps of some work (`nebo/reading/facts/steps.py`) on `steps/*.tsv`.

    python -m nebo.reading.training.fit_steps       # write heads/steps.npz, print figures of a fifth left out

A line is `keep` or `step`, a tab, and a sentence. The English sentences of `sentences/` whose worth is judged are
examples too, of less weight. Takes a minute, without torch.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nebo.reading.facts.steps import FILE, LIKELY
from nebo.reading.meaning.reader import encode
from nebo.reading.training.examples import read_examples
from nebo.reading.training.fit_orders import SPREAD
from nebo.reading.training.line import fit_and_write, score_unseen

HERE = Path(__file__).parent / "steps"
OF_WORTH = {"good": "keep", "trivial": "step"}
JUDGED_WEIGHT = 0.1  # of a sentence of `sentences/`

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence, what it is, and what it counts."""

    text: str
    label: str
    weight: float


def list_labelled() -> list[Example]:
    """Those of `steps/`, then those of `sentences/`."""
    lines = [line for path in sorted(HERE.glob("*.tsv")) for line in path.read_text("utf-8").splitlines()]
    own = [Example(text, label, 1.0) for label, text in (line.split("\t") for line in lines)]
    judged = [one for one in read_examples() if one.language == "en" and one.worth in OF_WORTH]
    return own + [Example(one.text, OF_WORTH[one.worth], JUDGED_WEIGHT) for one in judged]


def report(examples: list[Example], vectors: Array, wanted: Array, weights: Array) -> None:
    """Of sentences that a fit didn't see: how many of each label are taken for steps."""
    scores = score_unseen([one.text for one in examples], vectors, wanted, weights)[:, 0]
    for source, counts in (("steps", 1.0), ("sentences", JUDGED_WEIGHT)):
        for label in ("keep", "step"):
            rows = (weights == counts) & np.array([one.label == label for one in examples])
            print(f"{source:10} {label:5} {rows.sum():5}  found {(scores[rows] >= LIKELY).mean():.3f}")


def fit_and_save() -> None:
    """On everything, once the figures are told."""
    examples = list_labelled()
    raw = np.array([encode(one.text) for one in examples], np.float64)
    weights = np.array([one.weight for one in examples])
    mean = raw[weights == 1.0].mean(0)
    vectors = (raw - mean) * SPREAD
    wanted = np.array([[one.label == "step"] for one in examples], np.float64)
    report(examples, vectors, wanted, weights)
    fit_and_write(FILE, vectors, wanted, weights, mean=mean, spread=SPREAD)


if __name__ == "__main__":
    fit_and_save()
