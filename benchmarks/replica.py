"""What a read replica takes off the primary: the same searches and contexts without one and with one.

    python -m benchmarks.replica [--turns 2000] [--calls 600]

A server of its own and a standby beside it, on data that is thrown away. Told are the milliseconds of a call by eight
clients, and the processor's time of both database servers in that time.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from benchmarks.chaos.faults import processor_s
from benchmarks.chatter import make_questions
from benchmarks.client import Client
from benchmarks.latency import TOKEN_BUDGET, WARM_UP, Person, make_person
from benchmarks.load import Load, put_load
from benchmarks.server import running_server, throwaway_folder
from benchmarks.standby import Standby, running_standby
from benchmarks.tables import render_table
from nebo import embedded

CLIENTS = 8
FOLLOWING = {"hot_standby_feedback": "on"}


@dataclass(frozen=True, slots=True)
class Told:
    """Loads by kind of call; `primary_s` and `standby_s` are seconds of the processor, of all their processes."""

    loads: Mapping[str, Load]
    primary_s: float
    standby_s: float


def main(arguments: list[str] | None = None) -> int:
    """Measure and print."""
    chosen = _parse(arguments)
    with throwaway_folder() as folder:
        server = embedded.ensure_running(folder / "data")
        with running_server(folder, {}) as first, closing(Client(first.url, first.key)) as client:
            person = make_person(client, chosen.turns)
        with running_standby(server, folder / "standby", FOLLOWING) as standby:
            names = {"without": "", "with a replica": f"postgresql://127.0.0.1:{standby.port}/nebo"}
            told = {name: _measure(folder, standby, person, url, chosen.calls) for name, url in names.items()}
    sys.stdout.write(f"{render_told(told)}\n")
    return 0


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.replica",
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("--turns", type=int, default=2_000, help="messages of the person asked about")
    parser.add_argument("--calls", type=int, default=600, help="of each kind")
    return parser.parse_args(arguments)


def _measure(folder: Path, standby: Standby, person: Person, replica: str, calls: int) -> Told:
    with running_server(folder, {"DATABASE_REPLICA_URL": replica}) as server:
        client = Client(server.url, server.key)
        asks = {
            "search": lambda own, question: own.search(person.user, question),
            "context": lambda own, question: own.context(person.session, question, TOKEN_BUDGET),
        }
        for kind, ask in asks.items():
            put_load(client, CLIENTS, make_questions(WARM_UP, seed=f"warm {kind}"), ask)
        primary = embedded.ensure_running(folder / "data").pid
        before = processor_s(primary), processor_s(standby.pid)
        loads = {
            kind: put_load(client, CLIENTS, make_questions(calls, seed=f"{kind} {replica}"), ask)
            for kind, ask in asks.items()
        }
        after = processor_s(primary), processor_s(standby.pid)
        client.close()
    return Told(loads, after[0] - before[0], after[1] - before[1])


def render_told(told: Mapping[str, Told]) -> str:
    """A table, a line for each figure."""
    rows: list[Sequence[str]] = []
    for kind in ("search", "context"):
        spreads = [one.loads[kind] for one in told.values()]
        rows.append(
            [f"{kind}, median (95 %)", *(f"{s.spread.p50:.0f} ({s.spread.p95:.0f}) ms" for s in spreads)]
        )
        rows.append([f"{kind}, a second", *(f"{load.a_second:.0f}" for load in spreads)])
    rows.append(["processor's time of the primary", *(f"{one.primary_s:.1f} s" for one in told.values())])
    rows.append(["of the replica", *(f"{one.standby_s:.1f} s" for one in told.values())])
    return render_table(["", *told], rows)


if __name__ == "__main__":
    sys.exit(main())
