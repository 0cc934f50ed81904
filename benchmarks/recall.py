"""How much of a question's evidence an answer names, as numbers from 0 to 1."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from benchmarks.conversations import Question

DEPTHS = (5, 10, 20, 50)  # distinct messages


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of a conversation with the message ids that were found for it, best first."""

    conversation: str
    question: Question
    found: tuple[str, ...]
    by_agent: tuple[str, ...] = ()  # the part of the evidence that the assistant said

    def share(self, depth: int | None = None) -> float:
        """The fraction of the evidence among the first `depth` messages, or among all."""
        return len(set(self.question.evidence) & set(self.found[:depth])) / len(self.question.evidence)

    def agent_share(self, depth: int) -> float | None:
        """The same of what the assistant said; None where it said none of the evidence."""
        return (
            len(set(self.by_agent) & set(self.found[:depth])) / len(self.by_agent) if self.by_agent else None
        )

    def has_agent_hit(self, depth: int) -> bool | None:
        """Whether any of that is among them; None where the assistant said none of the evidence."""
        return bool(set(self.by_agent) & set(self.found[:depth])) if self.by_agent else None

    def reciprocal_rank(self) -> float:
        """Of the first evidence turn; 0 where none was found."""
        first = min((place for place in self.ranks().values() if place), default=0)
        return 1 / first if first else 0.0

    def ranks(self) -> dict[str, int | None]:
        """Where each evidence turn stands, from 1; None if it wasn't found."""
        places = {id: place for place, id in enumerate(self.found, 1)}
        return {id: places.get(id) for id in self.question.evidence}


def list_named_messages(results: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    """External ids of the messages that results name, in their order, each once."""
    named = (m["external_id"] for result in results for m in result.get("messages") or ())
    return tuple(dict.fromkeys(id for id in named if id))


def list_cited_messages(context: Mapping[str, Any], external_ids: Mapping[str, str]) -> tuple[str, ...]:
    """External ids of the messages that a context cites on its cards or carries, each once."""
    cited = [id for card in context["cards"] for id in card.get("message_ids") or ()]
    cited += [message["id"] for message in context["messages"]]
    return tuple(dict.fromkeys(external_ids[id] for id in cited if id in external_ids))


def mean_shares(asked: Sequence[Asked], depths: Iterable[int | None] = DEPTHS) -> dict[int | None, float]:
    """The mean share by depth; every question weighs the same."""
    return {depth: fmean(one.share(depth) for one in asked) for depth in depths}


def mean_reciprocal_rank(asked: Sequence[Asked]) -> float:
    """How far up the first evidence stands, 0..1."""
    return fmean(one.reciprocal_rank() for one in asked)


def mean_agent_share(asked: Sequence[Asked], depth: int) -> float | None:
    """Over the questions with evidence that the assistant said; None where there are none."""
    shares = [share for one in asked if (share := one.agent_share(depth)) is not None]
    return fmean(shares) if shares else None


def agent_hit_rate(asked: Sequence[Asked], depth: int) -> float | None:
    """The share of those questions for which any of what the assistant said is found; None where there are none."""
    hits = [hit for one in asked if (hit := one.has_agent_hit(depth)) is not None]
    return fmean(hits) if hits else None


def group(asked: Iterable[Asked], by: Callable[[Asked], str]) -> dict[str, list[Asked]]:
    """Questions by what `by` says of them, in alphabetical order."""
    groups: dict[str, list[Asked]] = defaultdict(list)
    for one in asked:
        groups[by(one)].append(one)
    return dict(sorted(groups.items()))
