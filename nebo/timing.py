"""Where the time of a request goes: named spans, each without what others spent inside it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field


@dataclass(slots=True)
class Timings:
    """Milliseconds by name; `inner` is what spans within the one that is open have taken so far."""

    parts: dict[str, float] = field(default_factory=dict)
    inner: float = 0.0

    def as_header(self) -> str:
        """As `Server-Timing` has it: `embed;dur=4.2, sql;dur=3.1`."""
        return ", ".join(f"{name};dur={ms:.2f}" for name, ms in self.parts.items())


_timings: ContextVar[Timings | None] = ContextVar("timings", default=None)


@contextmanager
def collect_timings() -> Iterator[Timings]:
    """What the spans of this thread take until the end of the block."""
    timings = Timings()
    token = _timings.set(timings)
    try:
        yield timings
    finally:
        _timings.reset(token)


@contextmanager
def span(name: str) -> Iterator[None]:
    """Count the block's time under `name`, if somebody collects."""
    timings = _timings.get()
    if timings is None:
        yield
        return
    outer, timings.inner = timings.inner, 0.0
    began = time.perf_counter()
    try:
        yield
    finally:
        ms = (time.perf_counter() - began) * 1000
        timings.parts[name] = timings.parts.get(name, 0.0) + ms - timings.inner
        timings.inner = outer + ms
