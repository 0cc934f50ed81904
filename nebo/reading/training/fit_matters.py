"""Fits the head that tells what a request to forget may mean (`nebo/reading/forgetting/matters.py`).

    python -m nebo.reading.training.fit_matters     # write heads/matters.npz, print figures of a fifth left out

A line of `matters/*.tsv` is a matter or `-`, a tab, and a sentence. Sentences of `sentences/` are examples of none, of
less weight. Takes a minute, without torch.
"""

from __future__ import annotations

from pathlib import Path
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from nebo.reading.forgetting.matters import FILE, LIKELY, NAMES
from nebo.reading.meaning.reader import encode
from nebo.reading.training.examples import read_examples
from nebo.reading.training.line import fit_line, score_unseen

HERE = Path(__file__).parent / "matters"
OTHERS, OTHER_WEIGHT = 1_500, 0.15  # sentences of none, and what each counts
TALKS_OF_IT = {"confidence", "forget", "supposed", "joking"}  # which may well be about a matter
DECAY = 3e-4  # stronger than for more examples
MATTERS = tuple(sorted(NAMES))

Array = NDArray[np.float64]


def list_labelled() -> list[tuple[str, str, float]]:
    """Label, sentence and weight: those of `matters/`, then some of `sentences/`."""
    lines = [line for path in sorted(HERE.glob("*.tsv")) for line in path.read_text("utf-8").splitlines()]
    own = [(label, text, 1.0) for label, text in (line.split("\t") for line in lines)]
    others = [one.text for one in read_examples() if one.kinds is not None and not one.kinds & TALKS_OF_IT]
    others.sort(key=lambda text: crc32(text.encode()))
    return own + [("-", text, OTHER_WEIGHT) for text in others[:OTHERS]]


def report(labelled: list[tuple[str, str, float]], vectors: Array, wanted: Array, weights: Array) -> None:
    """Of sentences that a fit didn't see: how many of each matter are found, and of how many others."""
    scores = score_unseen([text for _, text, _ in labelled], vectors, wanted, weights, decay=DECAY)
    own = weights == 1.0
    for row, matter in enumerate(MATTERS):
        there, found = wanted[:, row] > 0, scores[:, row] >= LIKELY
        print(
            f"{matter:10} {there.sum():4}  found {found[there].mean():.2f}  of others here "
            f"{found[own & ~there].mean():.3f}, elsewhere {found[~own].mean():.4f}"
        )


def fit_and_save() -> None:
    """On everything, once the figures are told."""
    labelled = list_labelled()
    raw = np.array([encode(text) for _, text, _ in labelled], np.float64)
    mean = raw.mean(0)
    spread = 1 / (3 * (raw - mean).std())
    weights = np.array([weight for _, _, weight in labelled])
    wanted = np.array([[label == matter for matter in MATTERS] for label, _, _ in labelled], np.float64)
    vectors = (raw - mean) * spread
    report(labelled, vectors, wanted, weights)
    weight, bias = fit_line(vectors, wanted, weights, decay=DECAY)
    np.savez_compressed(
        FILE,
        matters=np.array(MATTERS),
        weight=(weight * spread).astype(np.float32),
        bias=(bias - weight @ mean * spread).astype(np.float32),
    )
    print(f"{FILE.name} is written.")


if __name__ == "__main__":
    fit_and_save()
