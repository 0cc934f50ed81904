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
    """Live memories and open todos by their ids, the nearest first."""

    memories: Mapping[UUID, str] = field(default_factory=dict)
    todos: Mapping[UUID, str] = field(default_factory=dict)

    def render(self) -> str:
        """A line each, `m1: Lives in Porto.` and `t1: Call the dentist`."""
        lines = [f"{name}: {shorten(text, KNOWN_CHARS)}" for name, (_, text) in self._named().items()]
        return "\n".join(lines) or NOTHING_KNOWN

    def find(self, name: str) -> tuple[UUID, str] | None:
        """The id and the text of what a model calls by a short id."""
        return self._named().get(name.strip().strip("[]").lower())

    def _named(self) -> dict[str, tuple[UUID, str]]:
        memories = {f"m{n}": one for n, one in enumerate(self.memories.items(), 1)}
        return memories | {f"t{n}": one for n, one in enumerate(self.todos.items(), 1)}


NOT_KNOWN = Known()
