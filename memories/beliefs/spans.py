"""From the versions of a memory to the times at which it was believed, and how it was worded then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from memories.models import Memory

Status = Memory.Status
REWORDED, EXPIRED = "reworded", "expired"  # ends of a span that are no states of a memory


@dataclass(frozen=True, slots=True)
class Change:
    """A memory from one version on: what it says, its state, and when that was said, as far as it is known."""

    at: datetime
    value: str
    status: str
    valid_from: datetime | None = None
    valid_to: datetime | None = None


@dataclass(frozen=True, slots=True)
class Span:
    """A time in which one wording of a memory was believed. `until` is None while it still is; `end` says what ended
    it: `reworded`, `expired`, or the state it came to.
    """

    memory_id: UUID
    value: str
    since: datetime
    until: datetime | None = None
    end: str = ""

    def overlaps(self, start: datetime, end: datetime) -> bool:
        """Whether it reaches into a stretch of time."""
        return self.since < end and (self.until is None or self.until > start)


def read_spans(memory: Memory, changes: Sequence[Change]) -> list[Span]:
    """The times in which a memory was believed, the first one first. `changes` begin with the first version."""
    spans: list[Span] = []
    before: Change | None = None
    for change in changes:
        begin = _begin_of(change, before, memory)
        if spans and spans[-1].until is None:
            spans[-1] = _go_on(spans[-1], change, begin)
        if change.status == Status.ACTIVE and (not spans or spans[-1].until is not None):
            spans.append(Span(memory.pk, change.value, begin))
        elif before is None and change.status == Status.SUPERSEDED:
            spans.append(Span(memory.pk, change.value, begin, change.valid_to, Status.SUPERSEDED))
        before = change
    return [_run_out(span, memory.expires_at) for span in spans]


def find_wording(spans: Sequence[Span], moment: datetime) -> Span | None:
    """What was believed at a moment, or None."""
    return next(
        (one for one in spans if one.since <= moment and (one.until is None or one.until > moment)), None
    )


def began_at(memory: Memory) -> datetime:
    """When it was first said."""
    return min(memory.first_observed, memory.valid_from or memory.first_observed)


def _begin_of(change: Change, before: Change | None, memory: Memory) -> datetime:
    """When a change took effect: with the words that told it where they say when, else as it was written down."""
    if before is None:
        return change.at if change.status == Status.QUARANTINED else began_at(memory)
    if change.status == Status.SUPERSEDED and change.valid_to:
        return change.valid_to
    if change.value != before.value and change.valid_from and change.valid_from != before.valid_from:
        return change.valid_from
    return change.at


def _go_on(span: Span, change: Change, begin: datetime) -> Span:
    """A span that is open, after one more change: it ends where words or state are others."""
    if change.status != Status.ACTIVE:
        return replace(span, until=max(begin, span.since), end=change.status)
    if change.value != span.value:
        return replace(span, until=max(begin, span.since), end=REWORDED)
    return span


def _run_out(span: Span, expires_at: datetime | None) -> Span:
    """A memory's own time ends what nothing else has ended."""
    if span.until is None and expires_at is not None:
        return replace(span, until=max(expires_at, span.since), end=EXPIRED)
    return span
