"""Fits the head that finds sensitive personal matters (`nebo/reading/sensitive/classes.py`) on `sensitive/*.tsv`.

    python -m nebo.reading.training.fit_sensitive                # write heads/sensitive.npz, print figures of folds
    python -m nebo.reading.training.fit_sensitive --unseen FILE  # fit nothing, print figures of these sentences

A line is a class or `-`, a tab, and a sentence. Sentences of `sentences/` that answer a question which touches no class
are examples of none, of less weight. Takes a minute, without torch.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from nebo.reading.facts.third_person import NAMELESS, name_subject
from nebo.reading.orders.orders import vector_of
from nebo.reading.sensitive.classes import FILE, LIKELY, WORDED, find_classes
from nebo.reading.sensitive.kinds import CLASSES
from nebo.reading.sensitive.words import find_worded
from nebo.reading.training.examples import read_examples
from nebo.reading.training.line import fit_line, score_unseen
from nebo.reading.words.hasty import write_apostrophes

HERE = Path(__file__).parent / "sensitive"
OTHERS, OTHER_WEIGHT = 1_000, 0.2  # sentences of none, and what each counts
MAY_TOUCH = {  # slots of which a sentence may well be sensitive, and none that nobody named
    "", "health", "allergy", "body", "diet", "belief", "partner", "family", "money", "origin", "event", "habit",
    "trait", "other", "friction", "thread", "commitment", "plan", "decision", "birthday", "age",
}  # fmt: skip
KEPT_WEIGHT = 0.7  # of a sentence as it is kept
SPEAKERS = (NAMELESS, "Lena", "Jonas", "Maya", "Omar", "Inès", "Alice")
DECAY = 1e-4

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Example:
    """A label and a sentence, what it counts, and the sentence it was made of; folds keep those together."""

    label: str
    text: str
    weight: float
    source: str
    language: str


def read_labelled(path: Path) -> list[tuple[str, str]]:
    """Label and sentence of each line."""
    lines = [line.split("\t") for line in path.read_text("utf-8").splitlines()]
    return [(line[-2], line[-1]) for line in lines]


def list_labelled() -> list[Example]:
    """Those of `sensitive/`, each also as it is kept of somebody, then some of `sentences/`."""
    own = [
        Example(label, text, 1.0, text, path.stem)
        for path in sorted(HERE.glob("*.tsv"))
        for label, text in read_labelled(path)
    ]
    others = [one.text for one in read_examples() if one.slot not in MAY_TOUCH and not find_worded(one.text)]
    others.sort(key=lambda text: crc32(text.encode()))
    none = [Example("-", text, OTHER_WEIGHT, text, "") for text in others[:OTHERS]]
    return [*own, *map(_as_kept, own), *none]


def _as_kept(one: Example) -> Example:
    """“I'm a Sikh” of somebody: “Lena is a Sikh”."""
    speaker = SPEAKERS[crc32(one.text.encode()) % len(SPEAKERS)]
    text = name_subject(one.text, speaker=speaker, english=one.language == "en")
    return replace(one, text=text, weight=KEPT_WEIGHT)


def report(labelled: Sequence[Example], scores: Array) -> None:
    """Precision and recall of each class, and of any; how many of the others are taken for one."""
    worded = [find_worded(one.text) for one in labelled]
    limits = np.array([[WORDED if name in words else LIKELY for name in CLASSES] for words in worded])
    found = scores >= limits
    wanted = np.array([[one.label == name for name in CLASSES] for one in labelled])
    weights = np.array([one.weight for one in labelled])
    for title, own in (("as said", weights == 1.0), ("as kept", weights == KEPT_WEIGHT)):
        print(title)
        for row, name in enumerate(CLASSES):
            _print(name, wanted[own, row], found[own, row])
        _print("any", wanted[own].any(1), found[own].any(1))
    other = weights == OTHER_WEIGHT
    print(f"of {other.sum()} sentences of none elsewhere: {found[other].any(1).mean():.4f}")


def _print(name: str, wanted: Flags, found: Flags) -> None:
    right = (wanted & found).sum()
    precision, recall = right / max(found.sum(), 1), right / max(wanted.sum(), 1)
    print(f"{name:10} {wanted.sum():4}  precision {precision:.3f}  recall {recall:.3f}")


def measure(path: Path) -> None:
    """How right the head that ships is on sentences which no fit saw; what it gets wrong."""
    labelled = read_labelled(path)
    found = [find_classes(text) for _, text in labelled]
    for name in CLASSES:
        _print(
            name,
            np.array([label == name for label, _ in labelled]),
            np.array([name in one for one in found]),
        )
    _print("any", np.array([label != "-" for label, _ in labelled]), np.array([bool(one) for one in found]))
    for (label, text), one in zip(labelled, found, strict=True):
        if (label == "-") == bool(one) or (one and label not in one):
            print(f"  {label:10} taken for {', '.join(sorted(one)) or '-':10} {text}")


def fit_and_save() -> None:
    """On everything, once the figures are told."""
    labelled = list_labelled()
    raw = np.array([vector_of(write_apostrophes(one.text)) for one in labelled], np.float64)
    weights = np.array([one.weight for one in labelled])
    mean = raw.mean(0)
    spread = 1 / (3 * (raw - mean).std())
    vectors = (raw - mean) * spread
    wanted = np.array([[one.label == name for name in CLASSES] for one in labelled], np.float64)
    report(labelled, score_unseen([one.source for one in labelled], vectors, wanted, weights, decay=DECAY))
    weight, bias = fit_line(vectors, wanted, weights, decay=DECAY)
    np.savez_compressed(
        FILE,
        classes=np.array(CLASSES),
        weight=(weight * spread).astype(np.float32),
        bias=(bias - weight @ mean * spread).astype(np.float32),
    )
    print(f"{FILE.name} is written.")


if __name__ == "__main__":
    measure(Path(sys.argv[2])) if sys.argv[1:2] == ["--unseen"] else fit_and_save()
