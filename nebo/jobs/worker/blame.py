"""Whose doing it was that a worker was killed: its job's, or somebody's from outside.

A job that kills its worker does so each time it is tried, and harms no other process. Whatever kills from outside (an
operator, a machine short of memory, a database that went away) meets idle processes too, and several jobs. What such a
kill interrupts has done nothing wrong, so it isn't held against it.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from uuid import UUID

WINDOW_S = 60.0  # for which a kill from outside is remembered
JOBS_BY_CHANCE = 3  # so many different jobs don't all go wrong within the window


@dataclass
class Losses:
    """What one supervisor has lost lately; times are of `clock`, in seconds."""

    clock: Callable[[], float] = time.monotonic
    _lost: deque[tuple[float, UUID]] = field(default_factory=deque)
    _outside_until: float = 0.0

    def note_process(self, jobs: Collection[UUID]) -> None:
        """A signal killed a process that ran these jobs: one, or none."""
        now = self.clock()
        self._lost.extend((now, job) for job in jobs)
        while self._lost and self._lost[0][0] < now - WINDOW_S:
            self._lost.popleft()
        if not jobs or len({job for _, job in self._lost}) >= JOBS_BY_CHANCE:
            self._outside_until = now + WINDOW_S

    def note_outage(self) -> None:
        """The database could not be reached, so leases ran out that nobody could renew."""
        self._outside_until = self.clock() + WINDOW_S

    def come_from_outside(self) -> bool:
        """Whether what is lost now is nobody's own doing."""
        return self.clock() < self._outside_until
