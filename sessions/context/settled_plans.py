"""What was planned and is settled since: "the frames aren't ordered yet"."""

from __future__ import annotations

from collections.abc import Mapping

from nebo.llm.rules.remembered import is_settled, list_settled
from sessions.context.stable import KnownMemory

PLANNED = "commitment/"  # keys of what somebody means to do


class SettledPlans:
    """By what was said before and no longer holds (`over`), which is read once, and only for a plan."""

    def __init__(self, over: Mapping[str, str]) -> None:
        self._over = over
        self._settled: list[frozenset[str]] | None = None

    def has(self, memory: KnownMemory) -> bool:
        """Whether a memory is a plan that was settled."""
        if not memory.key.startswith(PLANNED):
            return False
        if self._settled is None:
            self._settled = list_settled(self._over)
        return is_settled(memory.value, self._settled)
