"""Fits what finds orders in an assistant's words (`nebo/reading/orders/said.py`), and says how right it is.

    python -m nebo.reading.training.fit_said              # write heads/said*.npz, print figures of a fifth left out
    python -m nebo.reading.training.fit_said --talk FILE  # every alarm among the texts of a file, one a line

`said/*.tsv` has what assistants say: `order`, `change`, `spread` or `-`, a tab, the sentence. It is fitted on with
sentences of `orders/`, since an assistant may repeat those as they stand, by the network of `fit_orders.py`. Takes a
minute or two; `OPENBLAS_NUM_THREADS=1` makes it quicker where others use the processor.
"""

from __future__ import annotations

import argparse
import random
from dataclasses import replace
from pathlib import Path

import numpy as np

from nebo.reading.orders.orders import KINDS, Array, OrderHead, vector_of
from nebo.reading.orders.said import (
    FILE,
    LIKELY,
    MAYBE,
    PLACES,
    WORDS_FILE,
    WordWeights,
    find_said_order,
    list_places_of_words,
    may_be_order,
)
from nebo.reading.training.fit_orders import (
    FOLDS,
    SPREAD,
    Example,
    fit,
    outcomes_of,
    read_labelled,
    write_head,
)

HERE = Path(__file__).parent / "said"
SAID_WEIGHT = 2.0  # of what an assistant says, beside a sentence of `orders/`
ROUNDS = 12  # over all sentences, for the weights of words
RATE, DECAY = 0.3, 1e-4  # of AdaGrad (Duchi et al., JMLR 2011)
AT_FIRST = 0.05  # of the squares it sums up


def list_said() -> list[Example]:
    """What assistants say."""
    return [replace(one, weight=SAID_WEIGHT) for one in read_labelled(HERE)]


def list_stored() -> list[Example]:
    """What is stored, each a group of its own."""
    behind = len(read_labelled(HERE))
    return [replace(one, group=one.group + behind) for one in read_labelled()]


def fit_words(examples: list[Example]) -> WordWeights:
    """Logistic regression of whether it is any order on which words stand in it."""
    chance = random.Random(0)
    rows = [(list_places_of_words(one.text), one.label != "-", one.weight) for one in examples]
    weight, squares, bias = np.zeros(PLACES), np.full(PLACES, AT_FIRST), 0.0
    for _ in range(ROUNDS):
        chance.shuffle(rows)
        for places, wanted, counts in rows:
            share = len(places) ** -0.5
            off = (1 / (1 + np.exp(-(weight[places].sum() * share + bias))) - wanted) * counts
            squares[places] += (off * share) ** 2
            weight[places] -= RATE * (off * share + DECAY * weight[places]) / np.sqrt(squares[places])
            bias -= 0.01 * off
    return WordWeights(weight.astype(np.float32), float(bias))


def report(examples: list[Example], vectors: Array, wanted: Array, weights: Array) -> None:
    """Of sentences that a fit didn't see: how many wait, and how many are read by their meaning at all."""
    groups = np.array([one.group % FOLDS for one in examples])
    scores, by_words = np.zeros(len(examples)), np.zeros(len(examples))
    for left_out in range(FOLDS):
        seen = groups != left_out
        head = fit(vectors[seen], wanted[seen], weights[seen])
        words = fit_words([one for one in examples if one.group % FOLDS != left_out])
        scores[~seen] = [head.score(vector)[0] for vector in vectors[~seen]]
        for at in np.flatnonzero(~seen):
            is_maybe = words.score(examples[at].text) >= MAYBE or words.is_strange(examples[at].text)
            by_words[at] = is_maybe
    said = np.array([one.weight == SAID_WEIGHT for one in examples])
    for name, among in (("said", said), ("stored", ~said)):
        for label in ("-", *KINDS):
            rows = among & np.array([one.label == label for one in examples])
            waits = (scores[rows] >= LIKELY) & (by_words[rows] > 0)
            print(
                f"{name:7} {label:7} {rows.sum():5}  read {by_words[rows].mean():.3f}  waits {waits.mean():.4f}"
            )
    for language in sorted({one.language for one in examples if one.language}):
        own = said & np.array([one.language == language for one in examples])
        if own.any():
            right, wrong = scores[own & (wanted[:, 0] == 1)], scores[own & (wanted[:, 0] == 0)]
            found, false = (right >= LIKELY).mean(), (wrong >= LIKELY).mean()
            print(f"said {language} {own.sum():5}  waits {found:.3f}, of look-alikes {false:.3f}")


def fit_and_save() -> None:
    """On everything, once the figures are told."""
    examples = [*list_said(), *list_stored()]
    raw = np.array([vector_of(one.text) for one in examples], np.float32)
    mean = raw.mean(0)
    vectors, wanted = (raw - mean) * np.float32(SPREAD), outcomes_of(examples)
    weights = np.array([one.weight for one in examples], np.float32)
    report(examples, vectors, wanted, weights)
    head: OrderHead = fit(vectors, wanted, weights)
    write_head(FILE, head, mean)
    words = fit_words(examples)
    np.savez_compressed(WORDS_FILE, weight=words.weight.astype(np.float16), bias=words.bias)
    print(f"{FILE.name} and {WORDS_FILE.name} are written.")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--talk", type=Path, help="a file of texts, one a line")
    given = parser.parse_args()
    if given.talk is None:
        fit_and_save()
        return
    for text in given.talk.read_text(encoding="utf-8").splitlines():
        found = find_said_order(text) if may_be_order(text) else None
        if found:
            print(f"{found:8} {text}")


if __name__ == "__main__":
    main()
