"""What ranking takes and gives: candidates with raw signals in, scored results with every part out."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk that may answer, with its raw signals by name.

    A signal that is missing counts as the least: no vector yet, no word in common. `session`, `seq_from` and
    `seq_to` place a chunk of a transcript; they stay None for a memory.
    """

    id: int
    signals: Mapping[str, float]
    session: str | None = None
    seq_from: int | None = None
    seq_to: int | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """One share of a score: `raw` as measured, `scaled` within 0..1, `weight` in force."""

    signal: str
    raw: float
    scaled: float
    weight: float

    @property
    def points(self) -> float:
        """What it adds to the score."""
        return self.weight * self.scaled


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with its score, 0..1: the sum of the points of its parts."""

    candidate: Candidate
    parts: tuple[Part, ...]
    score: float = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "score", sum(part.points for part in self.parts))

    def explain(self) -> dict[str, dict[str, float]]:
        """The parts by signal name, as JSON takes them."""
        return {
            part.signal: {
                "raw": part.raw,
                "scaled": part.scaled,
                "weight": part.weight,
                "points": part.points,
            }
            for part in self.parts
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
