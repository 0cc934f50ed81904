"""Reading in another thread, while the one that wants it asks the database: the encoder leaves Python's lock."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field

from nebo.reading.meaning.reader import Reading, read_all

THREADS = 2  # at most; each reads one text at a time


def _open_pool() -> ThreadPoolExecutor:
    """Its threads begin with their first text."""
    return ThreadPoolExecutor(min(THREADS, os.cpu_count() or 1), "reader")


@dataclass(slots=True)
class _Threads:
    pool: ThreadPoolExecutor = field(default_factory=_open_pool)

    def renew(self) -> None:
        """In a forked child, which has none of its parent's threads."""
        self.pool = _open_pool()


_threads = _Threads()
os.register_at_fork(after_in_child=_threads.renew)


def begin_all(texts: Sequence[str], *, limit: int) -> Future[list[Reading]]:
    """What `read_all` finds, soon."""
    return _threads.pool.submit(read_all, texts, limit=limit)
