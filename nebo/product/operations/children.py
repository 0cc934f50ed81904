"""The processes that `manage.py start` looks after: started, listened to, brought back, stopped.

Each stands in a process group of its own, so that Ctrl-C reaches the parent alone and the parent decides.
"""

from __future__ import annotations

import hashlib
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from nebo.env import env
from nebo.product.operations.restarts import Restarts

STOP_SECONDS = 12.0  # what a child gets to end by itself
TAIL_LINES = 20
NEWS = re.compile(
    r"\[(\x1b\[\d+m)*info |\"level\": \"info\""
)  # as nebo.logs writes it, plain, coloured or JSON
# glibc would give each thread a heap of its own, in which what a model took once is never used by another: 20 MB a web
# process. What the operator has set stands.
FEW_HEAPS = {"MALLOC_ARENA_MAX": "2"}
MEMORY = Path("/dev/shm")  # noqa: S108  Linux's place for files in memory
EXEC_WITH_PARENT = Path(__file__).with_name("exec_with_parent.py")


def place_for_metrics(data_dir: Path, memory: Path = MEMORY) -> Path:
    """Where all processes keep what they count: in memory if it can be, since who counts in a file for which the disk
    has no room is ended by the system (SIGBUS).
    """
    if not os.access(memory, os.W_OK):
        return data_dir / "metrics"
    return memory / f"nebo-{os.getuid()}-{hashlib.sha256(bytes(data_dir)).hexdigest()[:16]}"


METRICS_DIR = place_for_metrics(env.data_dir)


class Output:
    """What the children say: held back until `release`, since the list of steps is being shown."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self._held: list[str] | None = []
        self._lock = threading.Lock()

    def write(self, line: str) -> None:
        """One line, now or at the release."""
        with self._lock:
            if self._held is not None:
                self._held.append(line)
                return
            self.stream.write(line)
            self.stream.flush()

    def release(self) -> None:
        """From now on lines go straight out; of those held back, all but mere news go first."""
        with self._lock:
            self.stream.writelines(line for line in self._held or () if not NEWS.search(line))
            self.stream.flush()
            self._held = None


class Child:
    """One process with a name, its last lines, and how often it had to be started again."""

    def __init__(self, name: str, command: Sequence[str], output: Output, *, waits: bool = False) -> None:
        """One that `waits` reads a byte from its standard input before it goes on with what it is for."""
        self.name = name
        self.command = command
        self.output = output
        self.waits = waits
        self.restarts = Restarts()
        self.process = self._start()

    def _start(self) -> subprocess.Popen[str]:
        self.restarts.note_start()
        self.tail: deque[str] = deque(maxlen=TAIL_LINES)
        tether = [sys.executable, "-SE", str(EXEC_WITH_PARENT), str(os.getpid())]
        process = subprocess.Popen(  # noqa: S603  our own commands
            [*tether, *self.command],
            stdin=subprocess.PIPE if self.waits else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
            env={"PROMETHEUS_MULTIPROC_DIR": str(METRICS_DIR)} | FEW_HEAPS | os.environ,
        )
        threading.Thread(target=self._listen, args=(process,), daemon=True).start()
        return process

    def _listen(self, process: subprocess.Popen[str]) -> None:
        if process.stdout is None:
            return
        with process.stdout as lines:
            for line in lines:
                self.tail.append(line)
                self.output.write(line)

    def start_again(self) -> None:
        """Another process in place of the one that ended; what is left of its group goes with it."""
        self.signal(signal.SIGKILL)
        self.process = self._start()
        self.let_go_on()

    def let_go_on(self) -> None:
        """Give one that waits the word, unless it has ended meanwhile."""
        if self.process.stdin is not None:
            with suppress(BrokenPipeError), self.process.stdin as word:
                word.write("\n")

    def has_ended(self) -> bool:
        return self.process.poll() is not None

    def signal(self, number: signal.Signals) -> None:
        """To the whole group, which may be gone."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, number)

    def ask_to_stop(self) -> None:
        """SIGTERM to the process itself: it knows best how to end those it started."""
        if not self.has_ended():
            self.process.terminate()

    def wait(self, until: float) -> None:
        """Wait for the end until a moment of the monotonic clock, then kill; nothing of the group is left."""
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(max(0.0, until - time.monotonic()))
        self.signal(signal.SIGKILL)
        self.process.wait()
        if self.process.stdin is not None:
            self.process.stdin.close()


def stop_all(children: Sequence[Child], *, seconds: float = STOP_SECONDS) -> None:
    """Ask all at once, wait for each, kill what is left. A second Ctrl-C shortens the wait to nothing."""
    for child in children:
        child.ask_to_stop()
    until = time.monotonic() + seconds
    try:
        for child in children:
            child.wait(until)
    except KeyboardInterrupt:
        for child in children:
            child.wait(until=0.0)
