"""What a runner is given on its standard input, and what it answers on its standard output: JSON, a line each.

A runner is a process in an environment of its own, since what it measures has other requirements than Nebo.
"""

from __future__ import annotations

import json
import resource
import sys
from dataclasses import asdict, dataclass

KILOBYTES_A_MEGABYTE = 1024


@dataclass(frozen=True, slots=True)
class Turn:
    """`text` carries the day and the speaker as Nebo's own index does; `said_at` is ISO 8601."""

    id: str
    text: str
    said_at: str


@dataclass(frozen=True, slots=True)
class Person:
    """One conversation, and what is asked about it."""

    id: str
    turns: tuple[Turn, ...]
    questions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Task:
    """`dsn` names an empty database for the runner alone; `limit` is how many results a search is asked for."""

    dsn: str
    folder: str
    limit: int
    people: tuple[Person, ...]


@dataclass(frozen=True, slots=True)
class Measured:
    """Ids of turns found for every question, best first, in the order asked; milliseconds a search, one client.

    `ingest_s` counts until everything can be found; `memory_mb` is the resident set of the store's own process.
    """

    ingest_s: float
    turns: int
    found: tuple[tuple[str, ...], ...]
    search_ms: tuple[float, ...]
    memory_mb: float


def read_task() -> Task:
    """From standard input."""
    raw = json.loads(sys.stdin.readline())
    people = tuple(
        Person(row["id"], tuple(Turn(**turn) for turn in row["turns"]), tuple(row["questions"]))
        for row in raw["people"]
    )
    return Task(raw["dsn"], raw["folder"], raw["limit"], people)


def write_measured(measured: Measured) -> None:
    """The last line of standard output; what a library prints may come before it."""
    sys.stdout.write(f"{json.dumps(asdict(measured))}\n")


def read_measured(output: str) -> Measured:
    """From what a runner wrote."""
    raw = json.loads(output.splitlines()[-1])
    return Measured(
        ingest_s=raw["ingest_s"],
        turns=raw["turns"],
        found=tuple(tuple(ids) for ids in raw["found"]),
        search_ms=tuple(raw["search_ms"]),
        memory_mb=raw["memory_mb"],
    )


def own_memory_mb() -> float:
    """The largest resident set of this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / KILOBYTES_A_MEGABYTE
