"""What is known near the new words, as an extractor is shown it: under short ids, by which it can name it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args
from uuid import UUID

from memories.extraction.material import shorten

Change = Literal["same", "changes", "ends"]
CHANGES: tuple[Change, ...] = get_args(Change)
KNOWN_CHARS = 200  # characters of one thing
NOTHING_KNOWN = "(nothing)"


@dataclass(frozen=True, slots=True)
class Known:
    """Live memories, open todos and standing wishes by their ids, the nearest first."""

    memories: Mapping[UUID, str] = field(default_factory=dict)
    todos: Mapping[UUID, str] = field(default_factory=dict)
    wishes: Mapping[UUID, str] = field(default_factory=dict)

    def render(self) -> str:
        """A line each, `m1: Lives in Porto.`, `t1: Call the dentist` and `w1: Use British spelling`."""
        lines = [f"{name}: {shorten(text, KNOWN_CHARS)}" for name, (_, text) in self._named().items()]
        return "\n".join(lines) or NOTHING_KNOWN

    def find(self, name: str) -> tuple[UUID, str] | None:
        """The id and the text of what a model calls by a short id."""
        return self._named().get(name.strip().strip("[]").lower())

    def _named(self) -> dict[str, tuple[UUID, str]]:
        lists = {"m": self.memories, "t": self.todos, "w": self.wishes}
        return {f"{sign}{n}": one for sign, known in lists.items() for n, one in enumerate(known.items(), 1)}


NOT_KNOWN = Known()
