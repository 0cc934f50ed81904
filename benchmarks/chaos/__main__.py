"""Is anything lost, doubled or left lying when processes are killed under load?

    python -m benchmarks.chaos [--turns 4000] [--workers 100] [--web 20] [--backends 50] [--postmasters 5]

On a server of its own, as `make run` starts it, with data that is thrown away (make chaos). People talk and are learned
from, and send a turn again until it is acknowledged, while kill -9 goes to processes of the worker, of the web server
and of PostgreSQL, in an order by chance. After the last one everything must be done within a minute, without anybody's
hand. Exits with 1 where something is lost, doubled, parked or late.
"""

from __future__ import annotations

import argparse
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tqdm import tqdm

from benchmarks.chaos.faults import Family, kinds_of, plan_faults
from benchmarks.chaos.load import TALKERS, Talker, make_talkers
from benchmarks.chaos.verdict import DRAINED_WITHIN_S, Verdict, judge_server, rows_of
from benchmarks.server import running_server, throwaway_folder
from benchmarks.tables import render_table

RECOVERY_S = 0.2  # until a fault is tried again where there was nothing to harm
KINDS = ("worker", "web", "backend", "postmaster")


def main(arguments: list[str] | None = None) -> int:
    """Talk, kill, wait, count and print; 0 where everything holds."""
    chosen = _parse(arguments)
    counts = {"worker": chosen.workers, "web": chosen.web, "backend": chosen.backends}
    counts["postmaster"] = chosen.postmasters
    with throwaway_folder() as folder, running_server(folder, {}) as server:
        family = Family(server.pid, folder / "data")
        talkers = make_talkers(server.url, server.key, TALKERS, every_s=TALKERS / chosen.rate)
        done = _talk_and_kill(talkers, family, counts, turns=chosen.turns, seed=chosen.seed)
        verdict = judge_server(server, talkers, family)
        if chosen.log:
            chosen.log.write_text((folder / "log").read_text())
    _print(verdict, talkers, done)
    return 0 if verdict.holds(DRAINED_WITHIN_S) else 1


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.chaos", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--turns", type=int, default=4_000, help="acknowledged at the least")
    parser.add_argument("--rate", type=float, default=6.0, help="turns a second that people say together")
    parser.add_argument("--workers", type=int, default=100, help="kills of a process of the worker")
    parser.add_argument("--web", type=int, default=20, help="kills of a process of the web server")
    parser.add_argument(
        "--backends", type=int, default=50, help="kills of a connection's process in PostgreSQL"
    )
    parser.add_argument("--postmasters", type=int, default=5, help="kills of PostgreSQL's first process")
    parser.add_argument("--seed", type=int, default=1, help="of the order of the faults")
    parser.add_argument("--log", type=Path, help="keep what the server said here")
    return parser.parse_args(arguments)


def _talk_and_kill(
    talkers: Sequence[Talker], family: Family, counts: dict[str, int], *, turns: int, seed: int
) -> Counter[str]:
    """Spread the faults over the turns; how many of each kind hit something."""
    stop = threading.Event()
    with ExitStack() as stack:
        bar = stack.enter_context(tqdm(total=turns, desc="turns", unit="turn"))
        pool = stack.enter_context(ThreadPoolExecutor(len(talkers)))
        talks = [pool.submit(talker.talk, stop, bar) for talker in talkers]
        with _stopping(stop):
            done = _spread_faults(family, counts, bar, random.Random(seed))  # noqa: S311  no secret
            while bar.n < turns and not any(talk.done() for talk in talks):
                time.sleep(RECOVERY_S)
        for talk in talks:
            talk.result()
    return done


@contextmanager
def _stopping(stop: threading.Event) -> Iterator[None]:
    try:
        yield
    finally:
        stop.set()


def _spread_faults(
    family: Family, counts: dict[str, int], bar: tqdm[None], chance: random.Random
) -> Counter[str]:
    """One fault each time so many more turns are stored, the last of them before nine tenths are."""
    planned = plan_faults(counts, chance)
    kinds = kinds_of(family)
    done: Counter[str] = Counter()
    for number, kind in enumerate(planned):
        while bar.n < (bar.total or 0) * 0.9 * number / len(planned):
            time.sleep(RECOVERY_S)
        while not kinds[kind](chance):
            time.sleep(RECOVERY_S)
        done[kind] += 1
        bar.set_postfix(done)
    return done


def _print(verdict: Verdict, talkers: Sequence[Talker], done: Counter[str]) -> None:
    rows = [["kills", ", ".join(f"{count} {kind}" for kind, count in sorted(done.items()))]]
    sys.stdout.write(f"{render_table(['', ''], [*rows, *rows_of(verdict, talkers)])}\n")


if __name__ == "__main__":
    sys.exit(main())
