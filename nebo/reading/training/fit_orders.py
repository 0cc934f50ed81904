"""Fits the head that finds orders (`nebo/reading/orders/`) on `orders/*.tsv`, and says how right it is.

    python -m nebo.reading.training.fit_orders              # write heads/orders.npz, print figures of a fifth left out
    python -m nebo.reading.training.fit_orders --talk FILE  # every alarm among the texts of a file, one a line

A line is `order`, `change`, `spread` or `-`, a tab, and a sentence. Ordinary sentences of `sentences/` are
counterexamples too. Each sentence is seen alone and beside another one, as it will be read. Takes a minute.
"""

from __future__ import annotations

import argparse
import random
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nebo.reading.orders.orders import FILE, KINDS, LIKELY, find_order, vector_of
from nebo.reading.training.examples import read_examples

HERE = Path(__file__).parent / "orders"
# What a person says to their assistant about itself is neither an example nor a counterexample.
TO_THE_AGENT = {"wish", "wish_back", "wish_if", "forget", "remember", "request", "confidence"}
ORDINARY = 5_000  # sentences of `sentences/` that are counterexamples
ORDINARY_WEIGHT, BESIDE_WEIGHT = 0.2, 0.5  # of a counterexample, and of a sentence beside another
SPREAD = 3.0  # that the vectors, which lie close together, are drawn apart by
DECAY = 5e-5
STEPS, RATE = 400, 0.5  # of Adam (Kingma and Ba, ICLR 2015)
FOLDS = 5

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence, what it is (`-`: none of these), its language, what it counts, and to which sentence it belongs."""

    text: str
    label: str
    language: str
    weight: float
    group: int


def read_labelled() -> list[Example]:
    """The sentences of `orders/`."""
    found: list[Example] = []
    for path in sorted(HERE.glob("*.tsv")):
        for line in path.read_text(encoding="utf-8").splitlines():
            label, text = line.split("\t")
            found.append(Example(text, label, path.stem, 1.0, len(found)))
    return found


def put_beside(labelled: list[Example], others: int) -> list[Example]:
    """Each sentence together with ordinary ones of its language, in any order."""
    found: list[Example] = []
    for one in labelled:
        ordinary = [other.text for other in labelled if other.label == "-" and other.language == one.language]
        parts = [one.text, *random.sample(ordinary, others)]
        random.shuffle(parts)
        text = " ".join(part if part[-1] in ".!?" else f"{part}." for part in parts)
        found.append(Example(text, one.label, one.language, BESIDE_WEIGHT, one.group))
    return found


def list_ordinary() -> list[Example]:
    """What people say of themselves and others."""
    texts = [one.text for one in read_examples() if one.kinds is not None and not one.kinds & TO_THE_AGENT]
    chosen = random.sample(texts, ORDINARY)
    return [Example(text, "-", "", ORDINARY_WEIGHT, -1 - at) for at, text in enumerate(chosen)]


def fit(vectors: Array, wanted: Array, weights: Array) -> tuple[Array, Array]:
    """Logistic regression of each outcome."""
    weight, bias = np.zeros((wanted.shape[1], vectors.shape[1])), np.full(wanted.shape[1], -2.0)
    means = [np.zeros_like(weight), np.zeros_like(bias)]
    squares = [np.zeros_like(weight), np.zeros_like(bias)]
    for step in range(1, STEPS + 1):
        chances = 1 / (1 + np.exp(-(vectors @ weight.T + bias)))
        off = (chances - wanted) * weights[:, None] / weights.sum()
        slopes = (off.T @ vectors + DECAY * weight, off.sum(0))
        for of, slope in enumerate(slopes):
            means[of] = 0.9 * means[of] + 0.1 * slope
            squares[of] = 0.999 * squares[of] + 0.001 * slope**2
            moved = means[of] / (1 - 0.9**step) / (np.sqrt(squares[of] / (1 - 0.999**step)) + 1e-8)
            (weight if of == 0 else bias)[...] -= RATE * moved
    return weight, bias


def outcomes_of(examples: list[Example]) -> Array:
    """(examples, 4): whether it is any, then each kind."""
    rows = [[one.label != "-", *(one.label == kind for kind in KINDS)] for one in examples]
    return np.array(rows, np.float64)


def report(examples: list[Example], vectors: Array, wanted: Array, weights: Array) -> None:
    """Of sentences that a fit didn't see: how many are found, and how many of the counterexamples are taken for one."""
    alone = np.array([one.weight == 1.0 for one in examples])
    groups = np.array([hash(one.group) % FOLDS for one in examples])
    scores = np.zeros(len(examples))
    for left_out in range(FOLDS):
        seen = groups != left_out
        weight, bias = fit(vectors[seen], wanted[seen], weights[seen])
        scores[~seen] = (vectors[~seen] @ weight.T + bias)[:, 0]
    for label in ("-", *KINDS):
        rows = alone & np.array([one.label == label for one in examples])
        print(f"{label:8} {rows.sum():4}  found {(scores[rows] >= LIKELY).mean():.3f}")
    for language in sorted({one.language for one in examples if one.language}):
        own = alone & np.array([one.language == language for one in examples])
        orders = own & (wanted[:, 0] == 1)
        wrong = own & (wanted[:, 0] == 0)
        right, false = (scores[orders] >= LIKELY).mean(), (scores[wrong] >= LIKELY).mean()
        print(f"{language:8} {own.sum():4}  found {right:.3f}, of look-alikes {false:.3f}")
    ordinary = np.array([one.group < 0 for one in examples])
    print(f"ordinary {ordinary.sum():4}  found {(scores[ordinary] >= LIKELY).mean():.4f}")


def fit_and_save() -> None:
    """On everything, once the figures are told."""
    random.seed(0)
    labelled = read_labelled()
    examples = [*labelled, *put_beside(labelled, 1), *put_beside(labelled, 2), *list_ordinary()]
    raw = np.array([vector_of(one.text) for one in examples], np.float64)
    mean = raw[: len(labelled)].mean(0)
    vectors, wanted = (raw - mean) * SPREAD, outcomes_of(examples)
    weights = np.array([one.weight for one in examples])
    report(examples, vectors, wanted, weights)
    weight, bias = fit(vectors, wanted, weights)
    np.savez_compressed(
        FILE,
        weight=(weight * SPREAD).astype(np.float32),
        bias=(bias - weight @ mean * SPREAD).astype(np.float32),
    )
    print(f"{FILE.name} is written.")


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
        if found := find_order(text):
            print(f"{found:8} {text}")


if __name__ == "__main__":
    main()
