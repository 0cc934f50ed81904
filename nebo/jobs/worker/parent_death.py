"""No process outlives the one that started it, even when that one is killed without warning (Linux only)."""

from __future__ import annotations

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1  # linux/prctl.h


def die_with(parent_pid: int) -> None:
    """Have the kernel kill this process when its parent dies, and each process it forks likewise.

    Where there is no prctl(2), only the first check holds: a parent that is gone already ends this process.
    """
    _die_with_parent()
    os.register_at_fork(after_in_child=_start_clean)
    if os.getppid() != parent_pid:
        os._exit(1)


def _start_clean() -> None:
    """In each forked child: SIGTERM ends it, whatever its parent does with one."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _die_with_parent()


def _die_with_parent() -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
