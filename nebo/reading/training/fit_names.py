"""Fits the head that tells given names from other words (`nebo/reading/meaning/given_names.py`) on `names/words.tsv`.

    python -m nebo.reading.training.fit_names       # write heads/names.npz, print figures of a fifth left out

A line is `name` or `word`, a tab, a language (or `pets`), a tab, and the word in small letters. The other words are
those that may stand where a name does: "my brother paul", "my brother pregnant". Takes half a minute, without torch.
"""

from __future__ import annotations

from pathlib import Path
from zlib import crc32

import numpy as np

from nebo.reading.meaning.given_names import FILE
from nebo.reading.meaning.reader import encode
from nebo.reading.training.fit_orders import FOLDS
from nebo.reading.training.line import fit_line

WORDS = Path(__file__).parent / "names" / "words.tsv"
SPREAD = 5.0  # by which vectors are stretched before the fit: the more, the surer of what it saw
LIKELY = (0.0, 1.0, 2.0)  # log-odds that are reported


def fit_and_save() -> None:
    """On everything, once the figures of what a fit didn't see are told."""
    rows = [line.split("\t") for line in WORDS.read_text("utf-8").splitlines()]
    raw = np.array([encode(word) for _, _, word in rows], np.float64)
    wanted = np.array([[label == "name"] for label, _, _ in rows], np.float64)
    mean, folds = raw.mean(0), np.array([crc32(word.encode()) % FOLDS for _, _, word in rows])
    vectors, weights = (raw - mean) * SPREAD, np.ones(len(rows))
    scores = np.zeros(len(rows))
    for left_out in range(FOLDS):
        seen = folds != left_out
        weight, bias = fit_line(vectors[seen], wanted[seen], weights[seen])
        scores[~seen] = (vectors[~seen] @ weight.T + bias)[:, 0]
    for least in LIKELY:
        found, right = scores >= least, wanted[:, 0] > 0
        precision, recall = (found & right).sum() / found.sum(), (found & right).sum() / right.sum()
        print(f"from {least:.0f}: precision {precision:.3f}, recall {recall:.3f}")
    weight, bias = fit_line(vectors, wanted, weights)
    np.savez_compressed(
        FILE,
        weight=(weight[0] * SPREAD).astype(np.float32),
        bias=(bias[0] - weight[0] @ mean * SPREAD).astype(np.float32),
    )
    print(f"{FILE.name} is written.")


if __name__ == "__main__":
    fit_and_save()
