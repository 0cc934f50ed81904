"""A line between what is meant and what isn't: logistic regression."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

FOLDS = 5
DECAY = 5e-5
STEPS, RATE = 400, 0.5  # of Adam (Kingma and Ba, ICLR 2015)

Array = NDArray[np.float64]


def fit_line(vectors: Array, wanted: Array, weights: Array, *, decay: float = DECAY) -> tuple[Array, Array]:
    """Logistic regression of each outcome; `decay` pulls the weights towards zero."""
    weight, bias = np.zeros((wanted.shape[1], vectors.shape[1])), np.full(wanted.shape[1], -2.0)
    means = [np.zeros_like(weight), np.zeros_like(bias)]
    squares = [np.zeros_like(weight), np.zeros_like(bias)]
    for step in range(1, STEPS + 1):
        chances = 1 / (1 + np.exp(-(vectors @ weight.T + bias)))
        off = (chances - wanted) * weights[:, None] / weights.sum()
        slopes = (off.T @ vectors + decay * weight, off.sum(0))
        for of, slope in enumerate(slopes):
            means[of] = 0.9 * means[of] + 0.1 * slope
            squares[of] = 0.999 * squares[of] + 0.001 * slope**2
            moved = means[of] / (1 - 0.9**step) / (np.sqrt(squares[of] / (1 - 0.999**step)) + 1e-8)
            (weight if of == 0 else bias)[...] -= RATE * moved
    return weight, bias


def score_unseen(
    texts: Sequence[str], vectors: Array, wanted: Array, weights: Array, *, decay: float = DECAY
) -> Array:
    """Log-odds of each outcome, (texts, outcomes), by lines that were fitted without the text's fold."""
    folds = np.array([crc32(text.encode()) % FOLDS for text in texts])
    scores = np.zeros(wanted.shape)
    for left_out in range(FOLDS):
        seen = folds != left_out
        weight, bias = fit_line(vectors[seen], wanted[seen], weights[seen], decay=decay)
        scores[~seen] = vectors[~seen] @ weight.T + bias
    return scores


def fit_and_write(
    file: Path, vectors: Array, wanted: Array, weights: Array, *, mean: Array, spread: float
) -> None:
    """The line of one outcome, for vectors as they are read: `vectors` have `mean` taken off and are times `spread`."""
    weight, bias = fit_line(vectors, wanted, weights)
    np.savez_compressed(
        file,
        weight=(weight[0] * spread).astype(np.float32),
        bias=(bias[0] - weight[0] @ mean * spread).astype(np.float32),
    )
    print(f"{file.name} is written.")
