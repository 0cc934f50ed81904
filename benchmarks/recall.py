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

    def share(self, depth: int | None = None) -> float:
        """The fraction of the evidence among the first `depth` messages, or among all."""
        return len(set(self.question.evidence) & set(self.found[:depth])) / len(self.question.evidence)

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


def group(asked: Iterable[Asked], by: Callable[[Asked], str]) -> dict[str, list[Asked]]:
    """Questions by what `by` says of them, in alphabetical order."""
    groups: dict[str, list[Asked]] = defaultdict(list)
    for one in asked:
        groups[by(one)].append(one)
    return dict(sorted(groups.items()))
