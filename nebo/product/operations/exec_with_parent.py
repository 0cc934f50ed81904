"""`python exec_with_parent.py PARENT COMMAND…`: become COMMAND, and end with the parent even if that is killed.

Between `fork` and `exec` this can't be done safely in a process with threads; as a program of its own it can.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1  # prctl(2)


def main(arguments: list[str]) -> None:
    """Ask Linux for SIGTERM at the parent's death (elsewhere: nothing), then give the process away."""
    parent, *command = arguments
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != int(parent):  # it died before we could ask
        sys.exit(1)
    os.execv(command[0], command)  # noqa: S606  our own commands, without a shell


if __name__ == "__main__":
    main(sys.argv[1:])
