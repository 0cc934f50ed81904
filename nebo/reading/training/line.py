"""A line between what is meant and what isn't: logistic regression."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

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
