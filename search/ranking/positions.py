"""Where candidates stand: turns in their sessions, and what stands next to what."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Numbers: TypeAlias = NDArray[np.int64]

SEQ_ROOM = 1 << 32  # numbers of messages, so that session and number make one (exact as a float, too)
NOWHERE = -1  # the place of what stands in no session
SELF_STANDING = 40  # words without stop words, of a turn that says by itself what it is about


@dataclass(frozen=True, slots=True)
class Positions:
    """Candidates in columns: `first` and `last` number their messages across sessions, NOWHERE for a memory.

    `asks` is whether it ends in a question; `leaning`, 0..1, how much it takes those beside it to understand a turn:
    the longer it is, the less.
    """

    ids: Numbers
    sessions: Numbers
    first: Numbers
    last: Numbers
    asks: NDArray[np.bool_]
    leaning: Floats

    @classmethod
    def of(
        cls,
        ids: Sequence[int],
        sessions: Sequence[Hashable],
        seq_from: Sequence[int | None],
        seq_to: Sequence[int | None],
        asks: Sequence[bool],
        lengths: Sequence[int | None],
    ) -> Positions:
        """From columns of equal length: a turn stands in its session, from message to message; a memory in None.

        `lengths` are in words; a memory has none.
        """
        numbers: dict[Hashable, int] = {None: NOWHERE}
        numbered = np.array([numbers.setdefault(session, len(numbers)) for session in sessions], np.int64)
        # A missing number becomes NaN on the way, since arrays of integers know none.
        first, last = (
            np.where(numbered == NOWHERE, NOWHERE, numbered * SEQ_ROOM + np.nan_to_num(np.array(seq, float)))
            for seq in (seq_from, seq_to)
        )
        return cls(
            np.array(ids, np.int64),
            numbered,
            first.astype(np.int64),
            last.astype(np.int64),
            np.array(asks, bool) & (numbered != NOWHERE),
            SELF_STANDING / np.fmax(np.array(lengths, np.float64), SELF_STANDING),
        )

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def somewhere(self) -> NDArray[np.bool_]:
        """Which stand in a session."""
        return np.not_equal(self.sessions, NOWHERE)


class MaxAtPosition:
    """The greatest of the `values` (≥ 0; numbers, or a row of them each) at every place; 0 where none stands."""

    def __init__(self, where: Numbers, values: Floats) -> None:
        standing = where != NOWHERE
        order = np.argsort(where[standing], kind="stable")
        places, values = where[standing][order], values[standing][order]
        starts = np.flatnonzero(np.diff(places, prepend=NOWHERE))
        self._places = places[starts]
        self._best = np.maximum.reduceat(values, starts, axis=0) if len(starts) else values

    def at(self, where: Numbers) -> Any:
        """A value, or a row of them, for each of `where`."""
        if not len(self._places):
            return np.zeros((len(where), *self._best.shape[1:]))
        nearest = np.minimum(np.searchsorted(self._places, where), len(self._places) - 1)
        found = self._places[nearest] == where
        return np.where(found.reshape(-1, *(1,) * (self._best.ndim - 1)), self._best[nearest], 0.0)
