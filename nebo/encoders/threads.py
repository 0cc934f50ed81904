"""Work for the encoders in other threads, while the one that wants it asks the database: they leave Python's lock."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import ParamSpec, TypeVar

CORES = 2  # at most, of the machine's
THREADS = 2 * min(
    CORES, os.cpu_count() or 1
)  # so that a question needn't wait behind somebody's long message

P = ParamSpec("P")
T = TypeVar("T")


class _Pool:
    """Its threads begin with their first work."""

    def __init__(self) -> None:
        self.renew()

    def renew(self) -> None:
        """In a forked child, too, which has none of its parent's threads."""
        self.executor = ThreadPoolExecutor(THREADS, "encoder")


_pool = _Pool()
os.register_at_fork(after_in_child=_pool.renew)


def begin(work: Callable[P, T], *args: P.args, **options: P.kwargs) -> Future[T]:
    """What the work gives, soon. It may not wait for other work that is begun here: all threads could be waiting."""
    return _pool.executor.submit(work, *args, **options)
