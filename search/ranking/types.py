"""What ranking gives: scores with every part of them, and the weights it takes."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isnan
from typing import NamedTuple

from search.ranking.positions import Floats

AGENTS = "by_agent"  # the feature by which what the agent said is told from the rest
REPLIES = "replies"  # the feature by which what the agent said is told from the rest, where it is wanted


class Part(NamedTuple):
    """One share of a score: `raw` as measured, `scaled` within 0..1, `weight` in force."""

    feature: str
    raw: float
    scaled: float
    weight: float

    @property
    def points(self) -> float:
        """What it adds to the score."""
        return self.weight * self.scaled


class Column(NamedTuple):
    """One feature over all candidates, in their order; `raw` is NaN where it was not measured."""

    feature: str
    raw: Floats
    scaled: Floats
    weight: float

    def part(self, position: int) -> Part:
        """The share of the candidate at `position`."""
        raw = float(self.raw[position])
        return Part(self.feature, 0.0 if isnan(raw) else raw, float(self.scaled[position]), self.weight)


class Ranked(NamedTuple):
    """A candidate with its score, 0..1: the sum of the points of its parts."""

    position: int  # among the candidates
    score: float
    columns: Sequence[Column]

    def explain(self) -> dict[str, dict[str, float]]:
        """The parts by feature name, as JSON takes them."""
        parts = (column.part(self.position) for column in self.columns)
        return {
            part.feature: {
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

    `content`: what the chunk itself says (lexical, vector), scaled over the candidates. `situation`: features
    that are 0..1 already (named, recency, importance). `neighbours`: the share of the content score that
    the best neighbour passes on, by distance in messages (1, 2, …); `alone`: what a memory, which has none, gets
    of its own score instead. `answer`: what a question passes on to the next message besides. `reply`: what a message
    of the person passes on to the agent's after it, where the agent's words are wanted. `session`: the share of a
    session's best. `follows`: for the agent's reply to what turns out best.
    """

    content: Mapping[str, float]
    situation: Mapping[str, float] = field(default_factory=dict)
    neighbours: tuple[float, ...] = ()
    alone: float = 0.0
    answer: float = 0.0
    reply: float = 0.0
    session: float = 0.0
    follows: float = 0.0

    def of(self, features: Container[str]) -> Weights:
        """Without what has no feature."""
        known = {name: weight for name, weight in self.situation.items() if name in features}
        reply = self.reply if REPLIES in features else 0.0
        return replace(
            self, situation=known, reply=reply, follows=self.follows if AGENTS in features else 0.0
        )

    @property
    def total(self) -> float:
        """The highest sum there could be; dividing by it keeps scores within 0..1."""
        content = sum(self.content.values())
        context = max(self.alone, *self.neighbours, 0.0) + self.answer + self.reply + self.session
        return content * (1 + context) + sum(self.situation.values()) + self.follows
