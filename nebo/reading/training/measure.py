"""How right the reader is: on labelled sentences held out of the fit, by kind and language, and on ordinary talk.

    python -m nebo.reading.training.measure                     # figures on the held-out tenth
    python -m nebo.reading.training.measure --set-limits        # choose the limits anew, write heads/<encoder>.json
    python -m nebo.reading.training.measure --heads FILE --language de   # a fit made `--without de`, on all of German
    python -m nebo.reading.training.measure --talk FILE         # every alarm among the sentences of a file, one a line

A kind that acts takes the lowest chance from which it was right in 88 of 100 held-out sentences, one that only asks in
75. Half of the held-out sentences are look-alikes, so ordinary talk raises far fewer alarms: `--talk` counts them.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from nebo.reading.meaning.heads import FOLDER
from nebo.reading.meaning.kinds import KINDS, RELATIONS, Kind
from nebo.reading.meaning.reader import read_sentence, read_with, relation
from nebo.reading.training.examples import Example, is_held_out, read_examples

HELD_OUT = 0.10  # share of the sentences and pairs, by a hash of their text
ACT_PRECISION, ASK_PRECISION = 0.88, 0.75  # among held-out sentences, half of which are look-alikes
# These do something only to a known thing that is meant, which is read apart: more may be let in.
MEANT_PRECISION = 0.70
MEANT: tuple[Kind, ...] = ("wish_back", "done", "put_off", "dropped", "correction", "ended")
# A wish binds every answer from then on.
OTHER_ACT_PRECISION: dict[str, float] = {
    "wish": 0.92,
    "asks_back": 0.92,
    "todo": 0.92,
    "confidence": 0.92,
    # These act on nothing by themselves: worth, slot and code's checks stand beside them.
    "lasting": 0.84,
    "passing": 0.75,
    "request": 0.84,
    **dict.fromkeys(MEANT, MEANT_PRECISION),
}
# Asking back only refuses, and must be right; a confidence only hides, and must not be missed.
OTHER_ASK_PRECISION: dict[str, float] = {"asks_back": 0.90, "confidence": 0.70}
LOWEST_ACT = 0.50
LEAST_RECALL = 0.30  # a limit that finds less than this is lowered until it finds as much
LOWEST, HIGHEST = 0.30, 0.97  # limits that are chosen


@dataclass(frozen=True, slots=True)
class Score:
    """Of a kind at a limit: how many it found, how many of those are right, and how many there are."""

    found: int
    right: int
    there: int

    @property
    def precision(self) -> float:
        return self.right / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        return self.right / self.there if self.there else 1.0

    def __str__(self) -> str:
        return f"{self.precision:.2f}/{self.recall:.2f}"


def score(chances: Sequence[float], labels: Sequence[bool], limit: float) -> Score:
    """The score of a kind at a limit."""
    found = [label for chance, label in zip(chances, labels, strict=True) if chance >= limit]
    return Score(len(found), sum(found), sum(labels))


def choose_limit(chances: Sequence[float], labels: Sequence[bool], precision: float) -> float:
    """The lowest limit at which a kind is as precise as it must be."""
    for limit in np.arange(LOWEST, HIGHEST, 0.01):
        if score(chances, labels, limit).precision >= precision:
            return round(float(limit), 2)
    fitting = [
        limit
        for limit in np.arange(LOWEST, HIGHEST, 0.01)
        if score(chances, labels, limit).recall >= LEAST_RECALL
    ]
    return round(float(max(fitting, default=HIGHEST)), 2)


def list_measured(language: str | None) -> tuple[list[Example], list[Example]]:
    """Sentences and pairs held out of every fit, or all of a language that the fit was made without."""
    kept = [
        one
        for one in read_examples()
        if (one.language == language if language else is_held_out(one.text, HELD_OUT))
    ]
    return [one for one in kept if one.kinds is not None], [one for one in kept if one.relation]


def set_limits(sentences: Sequence[Example], encoder: str) -> None:
    """Choose the limits of each kind and write them beside the heads."""
    chances = [read_sentence(one.text).chances for one in sentences]
    limits = {}
    for kind in KINDS:
        ours = [chance[kind] for chance in chances]
        labels = [kind in (one.kinds or ()) for one in sentences]
        wanted = OTHER_ACT_PRECISION.get(kind, ACT_PRECISION)
        act = max(LOWEST_ACT, choose_limit(ours, labels, wanted))
        ask = choose_limit(ours, labels, OTHER_ASK_PRECISION.get(kind, ASK_PRECISION))
        limits[kind] = {"act": act, "ask": min(act, ask)}
    path = FOLDER / f"{encoder}.json"
    path.write_text(json.dumps(limits, indent=2) + "\n", encoding="utf-8")


def print_kinds(sentences: Sequence[Example]) -> None:
    """Precision/recall of each kind: all languages at both limits, then each language at the limit that acts."""
    meanings = [read_sentence(one.text) for one in sentences]
    languages = sorted({one.language for one in sentences})
    print(f"{'kind':12}{'there':>6}  {'acts':11}{'asks':11}" + "".join(f"{name:11}" for name in languages))
    for kind in KINDS:
        labels = [kind in (one.kinds or ()) for one in sentences]
        cells = [
            _cell(labels, [kind in m.acts for m in meanings]),
            _cell(labels, [kind in m.asks for m in meanings]),
        ]
        for language in languages:
            rows = [n for n, one in enumerate(sentences) if one.language == language]
            cells.append(_cell([labels[n] for n in rows], [kind in meanings[n].acts for n in rows]))
        print(f"{kind:12}{sum(labels):6}  " + "".join(f"{cell:11}" for cell in cells))
    judged = [
        (one.worth == "good", m.worth["good"])
        for one, m in zip(sentences, meanings, strict=True)
        if one.worth
    ]
    for limit in (0.5, 0.7, 0.8, 0.9, 0.95):
        print(f"worth keeping from {limit}: {score([c for _, c in judged], [y for y, _ in judged], limit)}")


def _cell(labels: Sequence[bool], found: Sequence[bool]) -> str:
    return str(Score(sum(found), sum(a and b for a, b in zip(labels, found, strict=True)), sum(labels)))


def print_pairs(pairs: Sequence[Example]) -> None:
    """Precision/recall of each relation: the likeliest, and where its chance is 0.75 or more."""
    chances = [relation(*one.text.split(" → ", 1)) for one in pairs]
    if not chances or not chances[0]:
        return
    for name in RELATIONS:
        labels = [one.relation == name for one in pairs]
        best = [max(c, key=c.__getitem__) == name for c in chances]
        sure = [b and c[name] >= 0.75 for b, c in zip(best, chances, strict=True)]
        print(f"{name:12}{sum(labels):6}  {_cell(labels, best)}  sure {_cell(labels, sure)}")


def print_alarms(lines: Iterable[str], kinds: Sequence[Kind]) -> None:
    """Every sentence of a file that a kind would act on, and those it would ask about."""
    counts: dict[str, list[int]] = {kind: [0, 0] for kind in kinds}
    total = 0
    for line in lines:
        total += 1
        meaning = read_sentence(line)
        for kind in kinds:
            counts[kind][0] += kind in meaning.acts
            counts[kind][1] += kind in meaning.asks
            if kind in meaning.asks:
                way = "acts" if kind in meaning.acts else "asks"
                print(f"{kind:12}{way:6}{meaning.chances[kind]:.2f}  {line.strip()}")
    print(
        f"{total} sentences; " + ", ".join(f"{kind} {acts}/{asks}" for kind, (acts, asks) in counts.items())
    )


ACTING: tuple[Kind, ...] = (
    "asks_back", "forget", "wish", "wish_back", "wish_if", "todo", "done", "put_off", "dropped", "confidence",
    "remember",
)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--set-limits", action="store_true")
    parser.add_argument("--talk", type=Path)
    parser.add_argument("--encoder", choices=("e5", "minilm"), default="e5")
    parser.add_argument("--heads", type=Path, metavar="FILE", help="of another fit")
    parser.add_argument("--language", help="count the examples of one language, all of them")
    given = parser.parse_args()
    read_with(given.encoder, given.heads)
    if given.talk:
        print_alarms(given.talk.read_text(encoding="utf-8").splitlines(), ACTING)
        return
    sentences, pairs = list_measured(given.language)
    if given.set_limits:
        set_limits(sentences, given.encoder)
        sys.exit()
    print_kinds(sentences)
    print_pairs(pairs)


if __name__ == "__main__":
    main()
