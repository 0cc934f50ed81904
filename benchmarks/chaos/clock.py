"""What becomes of a Nebo whose clock jumps?

    python -m benchmarks.chaos.clock [--turns 300] [--jump 3600]

On a server of its own, as `make run` starts it, in which all processes, PostgreSQL's too, are told the time of day by
`clock.c` (a C compiler is needed, and Linux). People talk while the clock jumps ahead, and later back again. Exits with
1 where what was acknowledged is lost or doubled, a job is parked, or not everything is done a minute after the last
turn.
"""

from __future__ import annotations

import argparse
import shutil
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path

import psycopg
from tqdm import tqdm

from benchmarks.chaos.faults import Family
from benchmarks.chaos.load import TALKERS, Talker, make_talkers
from benchmarks.chaos.verdict import DRAINED_WITHIN_S, judge_server, rows_of
from benchmarks.server import Server, find_admin_url, running_server, throwaway_folder
from benchmarks.tables import render_table
from nebo import embedded
from nebo.embedded.programs import Programs, get_programs
from nebo.embedded.state import find_state

SOURCE = Path(__file__).with_name("clock.c")
WITHOUT_COMPILER = 77  # the exit code of what can't be tried here


def main(arguments: list[str] | None = None) -> int:
    """Talk, jump, talk, jump back, talk, count and print; 0 where everything holds."""
    chosen = _parse(arguments)
    compiler = shutil.which("cc")
    if compiler is None:
        sys.stderr.write("There is no C compiler here.\n")
        return WITHOUT_COMPILER
    with throwaway_folder() as folder:
        clock = Clock(compiler, folder)
        restart_database(folder / "data", clock)
        with running_server(folder, clock.settings) as server:
            talkers = make_talkers(server.url, server.key, TALKERS, every_s=TALKERS / chosen.rate)
            seen = _talk_and_jump(server, talkers, clock, turns=chosen.turns, jump_s=chosen.jump)
            verdict = judge_server(server, talkers, Family(server.pid, folder / "data"))
        if chosen.log:
            chosen.log.write_text((folder / "log").read_text())
    rows = [
        [f"the clock of {who}: before, between, after", ", ".join(f"{one:+.0f} s" for one in times)]
        for who, times in seen.items()
    ]
    sys.stdout.write(f"{render_table(['', ''], [*rows, *rows_of(verdict, talkers)])}\n")
    jumped = all(
        [abs(one) > chosen.jump / 2 for one in times] == [False, True, False] for times in seen.values()
    )
    return 0 if verdict.holds(DRAINED_WITHIN_S) and jumped else 1


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.chaos.clock",
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument(
        "--turns", type=int, default=300, help="acknowledged at the least, a third before each jump"
    )
    parser.add_argument("--rate", type=float, default=4.0, help="turns a second that people say together")
    parser.add_argument("--jump", type=int, default=3_600, help="seconds ahead, and then back")
    parser.add_argument("--log", type=Path, help="keep what the server said here")
    return parser.parse_args(arguments)


class Clock:
    """A file that all processes have before them, with the seconds by which their clock differs."""

    def __init__(self, compiler: str, folder: Path) -> None:
        self.file, self.library = folder / "clock", folder / "clock.so"
        self.set(0)
        self.file.chmod(0o644)
        command = [compiler, "-O2", "-shared", "-fPIC", "-o", str(self.library), str(SOURCE)]
        subprocess.run(command, check=True)  # noqa: S603  our own words
        self.library.chmod(0o755)

    def set(self, seconds: int) -> None:
        """From now on."""
        with self.file.open("r+b" if self.file.exists() else "wb") as file:
            file.write(struct.pack("=q", seconds))

    @property
    def settings(self) -> dict[str, str]:
        """Of the environment of each process."""
        return {"LD_PRELOAD": str(self.library), "NEBO_CHAOS_CLOCK": str(self.file)}


def restart_database(data_dir: Path, clock: Clock) -> None:
    """PostgreSQL gets an environment of its own, so it is started with the clock ahead of Nebo, which finds it running.
    Raises RuntimeError.
    """
    embedded.ensure_running(data_dir)
    state = find_state(data_dir)
    assert state is not None, "it has just been started"
    programs, cluster = get_programs(state), state.cluster(data_dir)
    told = [f"{name}={value}" for name, value in clock.settings.items()]
    restart = [
        str(programs.folder / "pg_ctl"),
        "restart",
        "-w",
        "-D",
        str(cluster),
        "-l",
        str(cluster / "start.log"),
    ]
    done = Programs(Path("/usr/bin"), programs.account).run("env", *told, *restart)
    if done.returncode:
        raise RuntimeError(done.stdout)


def _talk_and_jump(
    server: Server, talkers: Sequence[Talker], clock: Clock, *, turns: int, jump_s: int
) -> dict[str, list[float]]:
    """By how much the clocks of Nebo and of PostgreSQL differed before, between and after the jumps."""
    stop = threading.Event()
    seen: dict[str, list[float]] = {"Nebo": [], "PostgreSQL": []}
    with ExitStack() as stack:
        bar = stack.enter_context(tqdm(total=turns, desc="turns", unit="turn"))
        pool = stack.enter_context(ThreadPoolExecutor(len(talkers)))
        talks = [pool.submit(talker.talk, stop, bar) for talker in talkers]
        try:
            for third, seconds in ((1, jump_s), (2, 0), (3, 0)):
                while bar.n < turns * third // 3 and not any(talk.done() for talk in talks):
                    time.sleep(0.2)
                seen["Nebo"].append(_ask_nebo(talkers[0]) - time.time())
                seen["PostgreSQL"].append(_ask_postgres(server) - time.time())
                clock.set(seconds)
        finally:
            stop.set()
        for talk in talks:
            talk.result()
    return seen


def _ask_nebo(talker: Talker) -> float:
    """The moment at which it says that a session was opened just now."""
    body = {"user": talker.name, "key": f"clock-{time.monotonic_ns()}"}
    answer = talker.client.post("sessions/", json=body).raise_for_status().json()
    return datetime.fromisoformat(answer["started_at"]).timestamp()


def _ask_postgres(server: Server) -> float:
    with psycopg.connect(find_admin_url(server)) as connection:
        row = connection.execute("SELECT extract(epoch FROM clock_timestamp())").fetchone()
    return float(row[0]) if row else 0.0


if __name__ == "__main__":
    sys.exit(main())
