"""What becomes of a Nebo whose disk is full?

    python -m benchmarks.chaos.full_disk [--turns 200] [--megabytes 768] [--hold 20]

On a server of its own, as `make run` starts it, whose data lie on a small disk in memory (mounting one takes root, on
Linux). People talk, a file fills what is left of the disk, they go on trying, the file is taken away, and they go on
talking. While it is full, a write is answered 503 or not at all; when there is space again, everything goes on by
itself. Exits with 1 where what was acknowledged is lost or doubled, a job is parked, something else is answered, or it
doesn't go on within a minute.
"""

from __future__ import annotations

import argparse
import errno
import os
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tqdm import tqdm

from benchmarks.chaos.faults import Family
from benchmarks.chaos.load import TALKERS, Talker, make_talkers
from benchmarks.chaos.verdict import DRAINED_WITHIN_S, judge_server, rows_of
from benchmarks.server import running_server, throwaway_folder
from benchmarks.tables import render_table

AGAIN_WITHIN_S = 60.0
REFUSED_WITHIN_S = 600.0  # until the first write is refused: what was set aside before is used up first
BLOCK = bytes(1024 * 1024)
SMALLEST = 512  # bytes of a write by which the disk is filled to the brim
REFUSALS = {"503", "429", "ReadError", "ConnectError", "RemoteProtocolError", "ReadTimeout", "ConnectTimeout"}
WITHOUT_RIGHTS = 77  # the exit code of what can't be tried here


@dataclass(slots=True)
class Ballast:
    """A file that takes all space there is, and what is freed meanwhile."""

    path: Path
    full: bool = False

    def fill(self) -> None:
        """Whatever is left, to the last bytes."""
        with self.path.open("ab", buffering=0) as file:
            for size in (len(BLOCK), SMALLEST):
                while _write(file.fileno(), BLOCK[:size]):
                    pass
        self.full = True

    def remove(self) -> None:
        """Space again."""
        self.path.unlink(missing_ok=True)
        self.full = False


def _write(descriptor: int, data: bytes) -> bool:
    """Whether there was room for it."""
    try:
        return os.write(descriptor, data) == len(data)
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        return False


def main(arguments: list[str] | None = None) -> int:
    """Talk, fill, try, clear, talk, count and print; 0 where everything holds."""
    chosen = _parse(arguments)
    if os.geteuid():
        sys.stderr.write("Mounting a small disk takes root.\n")
        return WITHOUT_RIGHTS
    with throwaway_folder() as folder, small_disk(folder / "data", chosen.megabytes):
        with running_server(folder, {}) as server:
            talkers = make_talkers(server.url, server.key, TALKERS, every_s=TALKERS / chosen.rate)
            ballast = Ballast(folder / "data" / "ballast")
            trial = _talk_through(talkers, ballast, turns=chosen.turns, hold_s=chosen.hold)
            verdict = judge_server(server, talkers, Family(server.pid, folder / "data"))
        if chosen.log:
            chosen.log.write_text((folder / "log").read_text())
    rows = [*trial.rows(), *rows_of(verdict, talkers)]
    sys.stdout.write(f"{render_table(['', ''], rows)}\n")
    return 0 if verdict.holds(DRAINED_WITHIN_S) and trial.holds() else 1


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.chaos.full_disk",
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument(
        "--turns", type=int, default=200, help="acknowledged at the least, half of them after"
    )
    parser.add_argument("--rate", type=float, default=4.0, help="turns a second that people say together")
    parser.add_argument("--megabytes", type=int, default=768, help="of the disk")
    parser.add_argument(
        "--hold", type=float, default=20.0, help="seconds from the first refusal until there is space"
    )
    parser.add_argument("--log", type=Path, help="keep what the server said here")
    return parser.parse_args(arguments)


@contextmanager
def small_disk(place: Path, megabytes: int) -> Iterator[None]:
    """A disk in memory of that size, at that place."""
    place.mkdir()
    options = f"size={megabytes}m,mode=755"
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "nebo-chaos", str(place)], check=True)  # noqa: S603, S607
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)  # noqa: S603, S607


@dataclass(frozen=True, slots=True)
class Trial:
    """What was answered while the disk was full, and how long it took until all were acknowledged again."""

    answers: Counter[str]
    acknowledged: int  # turns, while it was full
    refused_after_s: float
    again_after_s: float | None

    def holds(self) -> bool:
        """Whether writes were refused, by nothing but what says so, and it went on by itself."""
        refused = any(self.answers.values()) and not set(self.answers) - REFUSALS
        return refused and self.again_after_s is not None and self.again_after_s <= AGAIN_WITHIN_S

    def rows(self) -> list[list[str]]:
        """As the table has them."""
        again = "never" if self.again_after_s is None else f"{self.again_after_s:.1f} s"
        return [
            ["first refused after the disk was full", f"{self.refused_after_s:.1f} s"],
            ["answers while it was full", f"{self.acknowledged} turns stored; refused: {dict(self.answers)}"],
            ["all acknowledged again, once there was space", again],
        ]


def _talk_through(talkers: Sequence[Talker], ballast: Ballast, *, turns: int, hold_s: float) -> Trial:
    stop = threading.Event()
    with ExitStack() as stack:
        bar = stack.enter_context(tqdm(total=turns, desc="turns", unit="turn"))
        pool = stack.enter_context(ThreadPoolExecutor(len(talkers)))
        talks = [pool.submit(talker.talk, stop, bar) for talker in talkers]
        try:
            _wait(lambda: bar.n >= turns // 2, talks_go_on=talks)
            trial = _fill_and_clear(talkers, ballast, hold_s)
            _wait(lambda: bar.n >= turns, talks_go_on=talks)
        finally:
            ballast.remove()
            stop.set()
        for talk in talks:
            talk.result()
    return trial


def _fill_and_clear(talkers: Sequence[Talker], ballast: Ballast, hold_s: float) -> Trial:
    before, stored = _errors(talkers), _stored(talkers)
    began = time.monotonic()
    while not (_errors(talkers) - before) and time.monotonic() - began < REFUSED_WITHIN_S:
        ballast.fill()
        time.sleep(0.2)
    refused = time.monotonic()
    while time.monotonic() - refused < hold_s:
        ballast.fill()
        time.sleep(0.2)
    answers, meanwhile = _errors(talkers) - before, _stored(talkers) - stored
    ballast.remove()
    cleared, counts = time.monotonic(), [len(talker.acknowledged) for talker in talkers]
    again = _wait(
        lambda: all(len(one.acknowledged) > count for one, count in zip(talkers, counts, strict=True)),
        limit_s=REFUSED_WITHIN_S,
    )
    return Trial(answers, meanwhile, refused - began, time.monotonic() - cleared if again else None)


def _errors(talkers: Sequence[Talker]) -> Counter[str]:
    return sum((Counter(talker.errors) for talker in talkers), Counter[str]())


def _stored(talkers: Sequence[Talker]) -> int:
    return sum(len(talker.acknowledged) for talker in talkers) // 2


def _wait(
    condition: Callable[[], bool], *, limit_s: float = float("inf"), talks_go_on: Sequence[object] = ()
) -> bool:
    """Whether it came true in time, and nobody stopped talking before."""
    until = time.monotonic() + limit_s
    while time.monotonic() < until and not any(talk.done() for talk in talks_go_on):  # type: ignore[attr-defined]
        if condition():
            return True
        time.sleep(0.2)
    return False


if __name__ == "__main__":
    sys.exit(main())
