"""When something that has ended may be started again: at once, and after longer and longer pauses if it ends again."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

PAUSES_S = (0.0, 1.0, 2.0, 5.0, 10.0, 30.0)  # before the next start, by the number of ends that came soon
LONG_LIFE_S = 60.0  # after it an end is a first one again


@dataclass
class Restarts:
    """Of one process; all times are of `clock`, in seconds."""

    clock: Callable[[], float] = time.monotonic
    _ends: int = 0
    _started_at: float = float("-inf")
    _next_start: float | None = None

    def plan(self, *, at_once: bool = False) -> float | None:
        """It has ended: seconds until the next start, told once; None where that start is planned already.

        `at_once` is for one that was killed from outside, which says nothing about itself.
        """
        if self._next_start is not None:
            return None
        if not at_once:
            self._ends = self._ends + 1 if self.clock() - self._started_at < LONG_LIFE_S else 1
        pause = 0.0 if at_once else PAUSES_S[min(self._ends, len(PAUSES_S)) - 1]
        self._next_start = self.clock() + pause
        return pause

    def is_due(self) -> bool:
        """Whether the time of the planned start has come."""
        return self._next_start is not None and self.clock() >= self._next_start

    def note_start(self) -> None:
        """It was started, or that was tried."""
        self._started_at = self.clock()
        self._next_start = None


def describe_pause(seconds: float) -> str:
    """`now`, or `in 5 s`."""
    return f"in {seconds:.0f} s" if seconds else "now"
