"""Fits the head that finds orders (`nebo/reading/orders/`) on `orders/*.tsv`, and says how right it is.

    python -m nebo.reading.training.fit_orders              # write heads/orders.npz, print figures of a fifth left out
    python -m nebo.reading.training.fit_orders --talk FILE  # every alarm among the texts of a file, one a line

A line is `order`, `change`, `spread` or `-`, a tab, and a sentence. Ordinary sentences of `sentences/` are
counterexamples too. Each is seen alone, as it will be read, and those of `orders/` once more in a notation of agents
(`notations.py`). Takes some minutes; `OPENBLAS_NUM_THREADS=1` makes it quicker where others use the processor.
"""

from __future__ import annotations

import argparse
import random
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nebo.reading.orders.orders import FILE, KINDS, LIKELY, OrderHead, find_order, vector_of
from nebo.reading.training.examples import read_examples
from nebo.reading.training.notations import write_in_notation

HERE = Path(__file__).parent / "orders"
# What a person says to their assistant about itself is neither an example nor a counterexample.
TO_THE_AGENT = {"wish", "wish_back", "wish_if", "forget", "remember", "request", "confidence"}
ORDINARY = 5_000  # sentences of `sentences/` that are counterexamples
ORDINARY_WEIGHT = 0.4  # of one of these counterexamples
NOTED_WEIGHT = 0.5  # of a sentence in a notation
SPREAD = 3.0  # that the vectors, which lie close together, are drawn apart by
HIDDEN, NETWORKS = 64, 5
DROPPED_IN, DROPPED = 0.1, 0.3  # shares of the inputs and of the hidden layer (Srivastava et al., JMLR 2014)
EPOCHS, BATCH = 24, 64
RATE, DECAY = 2e-3, 1e-3  # of Adam with decoupled decay (Loshchilov and Hutter, ICLR 2019)
FOLDS = 5

Array = NDArray[np.float32]


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
            found.append(Example(text, label, path.name.split(".")[0], 1.0, len(found)))
    return found


def list_noted(examples: list[Example]) -> list[Example]:
    """Each once more in a notation drawn by chance, of the group of the sentence itself."""
    chance = random.Random(0)
    return [
        Example(
            write_in_notation(one.text, one.language, chance),
            one.label,
            one.language,
            NOTED_WEIGHT,
            one.group,
        )
        for one in examples
    ]


def list_ordinary() -> list[Example]:
    """What people say of themselves and others."""
    texts = [one.text for one in read_examples() if one.kinds is not None and not one.kinds & TO_THE_AGENT]
    chosen = random.sample(texts, ORDINARY)
    return [Example(text, "-", "", ORDINARY_WEIGHT, -1 - at) for at, text in enumerate(chosen)]


def fit(vectors: Array, wanted: Array, weights: Array) -> OrderHead:
    """The mean of several networks, laid side by side as one: what only one of them sees in a sentence isn't there."""
    each = [_fit_one(vectors, wanted, weights, seed) for seed in range(NETWORKS)]
    return OrderHead(
        np.concatenate([one.hidden for one in each]),
        np.concatenate([one.hidden_bias for one in each]),
        np.concatenate([one.weight for one in each], axis=1).astype(np.float32) / np.float32(NETWORKS),
        np.mean([one.bias for one in each], axis=0).astype(np.float32),
    )


def _fit_one(vectors: Array, wanted: Array, weights: Array, seed: int) -> OrderHead:
    """One hidden layer with dropout: a line can't tell "pay Jo" from "was paid by Jo" in every wording at once."""
    chance = np.random.default_rng(seed)
    shares = (weights / weights.mean()).astype(np.float32)
    layers = [
        (chance.normal(size=(vectors.shape[1], HIDDEN)) * 1.5 / np.sqrt(vectors.shape[1])).astype(np.float32),
        np.zeros(HIDDEN, np.float32),
        (chance.normal(size=(HIDDEN, wanted.shape[1])) / np.sqrt(HIDDEN)).astype(np.float32),
        np.zeros(wanted.shape[1], np.float32),
    ]
    moments = [(np.zeros_like(one), np.zeros_like(one)) for one in layers]
    last = EPOCHS * (len(vectors) // BATCH)
    for step in range(last):
        if step % (len(vectors) // BATCH) == 0:
            order = chance.permutation(len(vectors))
        rows = order[step * BATCH % (len(vectors) // BATCH * BATCH) :][:BATCH]
        slopes = _slopes(layers, vectors[rows], wanted[rows], shares[rows], chance)
        for at, (one, slope, (mean, square)) in enumerate(zip(layers, slopes, moments, strict=True)):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            moved = mean / (1 - 0.9 ** (step + 1)) / (np.sqrt(square / (1 - 0.999 ** (step + 1))) + 1e-8)
            one -= RATE * (1 - step / last) * (moved + (DECAY * one if at in (0, 2) else 0))
    return OrderHead(layers[0].T, layers[1], layers[2].T, layers[3])


def _slopes(
    layers: list[Array], vectors: Array, wanted: Array, shares: Array, chance: np.random.Generator
) -> list[Array]:
    """Of the logistic loss of each outcome, with a part of the inputs and of the hidden layer left out."""
    seen = vectors * (chance.random(vectors.shape, np.float32) >= DROPPED_IN) / np.float32(1 - DROPPED_IN)
    kept = (chance.random((len(vectors), HIDDEN), np.float32) >= DROPPED) / np.float32(1 - DROPPED)
    hidden = np.maximum(seen @ layers[0] + layers[1], 0) * kept
    chances = 1 / (1 + np.exp(-(hidden @ layers[2] + layers[3])))
    off = (chances - wanted) * shares[:, None] / np.float32(len(vectors))
    back = off @ layers[2].T * kept * (hidden > 0)
    return [seen.T @ back, back.sum(0), hidden.T @ off, off.sum(0)]


def outcomes_of(examples: list[Example]) -> Array:
    """(examples, 4): whether it is any, then each kind."""
    rows = [[one.label != "-", *(one.label == kind for kind in KINDS)] for one in examples]
    return np.array(rows, np.float32)


def report(examples: list[Example], vectors: Array, wanted: Array, weights: Array) -> None:
    """Of sentences that a fit didn't see: how many are found, and how many of the counterexamples are taken for one."""
    alone = np.array([one.weight == 1.0 for one in examples])
    groups = np.array([one.group % FOLDS for one in examples])
    scores = np.zeros(len(examples))
    for left_out in range(FOLDS):
        seen = groups != left_out
        head = fit(vectors[seen], wanted[seen], weights[seen])
        scores[~seen] = [head.score(vector)[0] for vector in vectors[~seen]]
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
    examples = [*labelled, *list_noted(labelled), *list_ordinary()]
    raw = np.array([vector_of(one.text) for one in examples], np.float32)
    mean = raw[: len(labelled)].mean(0)
    vectors, wanted = (raw - mean) * np.float32(SPREAD), outcomes_of(examples)
    weights = np.array([one.weight for one in examples], np.float32)
    report(examples, vectors, wanted, weights)
    head = fit(vectors, wanted, weights)
    # The head takes vectors as they come, so what was done to them here is done by its first layer there.
    hidden = (head.hidden * np.float32(SPREAD)).astype(np.float16)
    np.savez_compressed(
        FILE,
        hidden=hidden,
        hidden_bias=head.hidden_bias - hidden.astype(np.float32) @ mean,
        weight=head.weight,
        bias=head.bias,
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
