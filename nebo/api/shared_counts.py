"""Counts that all processes of a web server share: how often something has happened in a window of time.

A table of fixed size in memory that is mapped before the server forks. A lock on a file guards it, which the kernel
takes back when its holder is killed. Processes that were started one by one have a table each.
"""

from __future__ import annotations

import fcntl
import mmap
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from struct import Struct

SLOTS = 1 << 15  # names at a time; half a megabyte
TRIES = 16  # slots that a name may stand in
SLOT = Struct("<QII")  # digest of the name, the window's end in seconds since 1970, count


def _open_nameless() -> int:
    """A file that no name leads to, open for as long as the process lives."""
    number, path = tempfile.mkstemp(prefix="nebo-counts-")
    Path(path).unlink()
    return number


@dataclass(frozen=True, slots=True)
class SharedCounts:
    """Counts by name. Where all slots of a name are taken, the smallest count is forgotten for it."""

    memory: mmap.mmap = field(default_factory=lambda: mmap.mmap(-1, SLOTS * SLOT.size))
    guard: int = field(default_factory=_open_nameless)
    threads: threading.Lock = field(default_factory=threading.Lock)

    def add(self, name: str, *, until: int) -> int:
        """One more of this name in the window that ends then (seconds since 1970); how many there are now."""
        digest = int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), "little") or 1
        with self._held():
            place, count = self._find(digest, until)
            SLOT.pack_into(self.memory, place, digest, until, count + 1)
        return count + 1

    def _find(self, digest: int, until: int) -> tuple[int, int]:
        """The place of a name and its count so far."""
        now, best, fewest = int(time.time()), 0, None
        for number in range(TRIES):
            place = (digest + number) % SLOTS * SLOT.size
            found, end, count = SLOT.unpack_from(self.memory, place)
            if (found, end) == (digest, until):
                return place, count
            worth = 0 if end <= now else count
            if fewest is None or worth < fewest:
                best, fewest = place, worth
        return best, 0

    @contextmanager
    def _held(self) -> Iterator[None]:
        """A file's lock is the process's, so its threads need one more."""
        with self.threads:
            fcntl.lockf(self.guard, fcntl.LOCK_EX)
            try:
                yield
            finally:
                fcntl.lockf(self.guard, fcntl.LOCK_UN)
