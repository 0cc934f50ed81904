"""Fits the head that tells given names from other words (`nebo/reading/meaning/given_names.py`) on `names/words.tsv`.

    python -m nebo.reading.training.fit_names       # write heads/names.npz, print figures of a fifth left out

A line is `name` or `word`, a tab, a language (or `pets`), a tab, and the word in small letters. The other words are
those that may stand where a name does: "my brother paul", "my brother pregnant". Takes half a minute, without torch.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from nebo.reading.meaning.given_names import FILE
from nebo.reading.meaning.reader import encode
from nebo.reading.training.line import fit_and_write, score_unseen

WORDS = Path(__file__).parent / "names" / "words.tsv"
SPREAD = 5.0  # by which vectors are stretched before the fit: the more, the surer of what it saw
LIKELY = (0.0, 1.0, 2.0)  # log-odds that are reported


def fit_and_save() -> None:
    """On everything, once the figures of what a fit didn't see are told."""
    rows = [line.split("\t") for line in WORDS.read_text("utf-8").splitlines()]
    raw = np.array([encode(word) for _, _, word in rows], np.float64)
    wanted = np.array([[label == "name"] for label, _, _ in rows], np.float64)
    mean = raw.mean(0)
    vectors, weights = (raw - mean) * SPREAD, np.ones(len(rows))
    scores = score_unseen([word for _, _, word in rows], vectors, wanted, weights)[:, 0]
    for least in LIKELY:
        found, right = scores >= least, wanted[:, 0] > 0
        precision, recall = (found & right).sum() / found.sum(), (found & right).sum() / right.sum()
        print(f"from {least:.0f}: precision {precision:.3f}, recall {recall:.3f}")
    fit_and_write(FILE, vectors, wanted, weights, mean=mean, spread=SPREAD)


if __name__ == "__main__":
    fit_and_save()
