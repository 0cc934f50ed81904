"""What one sees while Nebo starts: a line a step, ticked when it is done, with a bar where it takes long."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from tqdm import tqdm

WIDTH = 66  # columns before the time


class Step:
    """One line. `done` is what it says in the end; by default what it said at first."""

    def __init__(self, stream: TextIO, doing: str) -> None:
        self.stream = stream
        self.doing = self.done = doing

    @contextmanager
    def bar(self, total: int, unit: str) -> Iterator[tqdm[Any]]:
        """A bar in place of the line, on a terminal alone."""
        with tqdm(
            total=total, desc=f"  {self.doing}", unit=f" {unit}", leave=False, file=self.stream, disable=None
        ) as bar:
            yield bar


class Steps:
    """The whole list, written to `stream`."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    @contextmanager
    def step(self, doing: str) -> Iterator[Step]:
        """Show what is being done, then tick it with its time, or cross it out if it raises."""
        began = time.monotonic()
        step = Step(self.stream, doing)
        self._say(f"  · {doing} …", ends=False)
        line = f"  ✗ {step.doing}"
        try:
            yield step
            line = f"  ✓ {step.done:<{WIDTH}} {time.monotonic() - began:5.1f} s"
        finally:
            self._say(line, ends=True)

    def _say(self, line: str, *, ends: bool) -> None:
        """On a terminal a finished line takes the place of the unfinished; elsewhere only the former is told."""
        if self.stream.isatty():
            self.stream.write(f"\r\033[K{line}" + ("\n" if ends else ""))
        elif ends:
            self.stream.write(f"{line}\n")
        self.stream.flush()
