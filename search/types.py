"""What ranking takes and gives: candidates with raw signals in, scored results with every part out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple


class Candidate(NamedTuple):
    """A chunk that may answer, with its raw signals by name.

    A signal that is missing counts as the least: no vector yet, no word in common. `session`, `seq_from` and
    `seq_to` place a chunk of a transcript; they stay None for a memory.
    """

    id: int
    signals: Mapping[str, float]
    session: object = None
    seq_from: int | None = None
    seq_to: int | None = None


class Part(NamedTuple):
    """One share of a score: `raw` as measured, `scaled` within 0..1, `weight` in force."""

    signal: str
    raw: float
    scaled: float
    weight: float

    @property
    def points(self) -> float:
        """What it adds to the score."""
        return self.weight * self.scaled


class Column(NamedTuple):
    """One signal over all candidates, in their order; `Part` is one cell of it."""

    signal: str
    raw: Sequence[float]
    scaled: Sequence[float]
    weight: float

    def part(self, position: int) -> Part:
        """The share of the candidate at `position`."""
        return Part(self.signal, self.raw[position], self.scaled[position], self.weight)


class Ranked(NamedTuple):
    """A candidate with its score, 0..1: the sum of the points of its parts."""

    candidate: Candidate
    score: float
    columns: Sequence[Column]
    position: int  # of the candidate in the columns

    def explain(self) -> dict[str, dict[str, float]]:
        """The parts by signal name, as JSON takes them."""
        parts = (column.part(self.position) for column in self.columns)
        return {
            part.signal: {
                "raw": part.raw,
                "scaled": part.scaled,
                "weight": part.weight,
                "points": part.points,
            }
            for part in parts
        }


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each kind of evidence counts; only the proportions matter.

    `content`: what the chunk itself says (lexical, vector), scaled over the candidates. `situation`: signals
    that are 0..1 already (speaker, recency, importance). `neighbours`: the share of the content score that
    the best neighbour passes on, by distance in messages (1, 2, …). `session`: the same for a session's best.
    """

    content: Mapping[str, float]
    situation: Mapping[str, float] = field(default_factory=dict)
    neighbours: tuple[float, ...] = ()
    session: float = 0.0

    @property
    def total(self) -> float:
        """The highest sum there could be; dividing by it keeps scores within 0..1."""
        content = sum(self.content.values())
        context = max(self.neighbours, default=0.0) + self.session
        return content * (1 + context) + sum(self.situation.values())
