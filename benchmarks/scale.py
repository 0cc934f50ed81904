"""Does one person's search slow down when others come? From 100 people to 10,000, and from one tenant to 10,000.

    python -m benchmarks.scale [--people 100,1000,10000] [--tenants 10000]     (make scale)

The person asked about has 1,000 turns and asks by HTTP; each of the others has 100 (benchmarks/crowd.py). The
table goes to docs/benchmarks.md, between its markers.
"""

from __future__ import annotations

import argparse
import sys
import uuid
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass

from benchmarks.chatter import make_questions
from benchmarks.client import Answer, Client
from benchmarks.crowd import Crowd, Disk
from benchmarks.latency import WARM_UP, Person, make_person
from benchmarks.load import Load, put_load
from benchmarks.page import PAGE, describe_machine, replace_between
from benchmarks.server import Server, find_admin_url, throwaway_server
from benchmarks.tables import Cell, render_table

MARKER = "scale"
PEOPLE = (100, 1_000, 10_000)
TENANTS = 10_000
SUBJECT_TURNS = 1_000
TEMPLATE_TURNS = 100  # of each of the others
QUESTIONS = 300
VECTORS_LIMIT_S = 600
HEADERS = [
    "people",
    "tenants",
    "chunks in all",
    "search p50",
    "p95",
    "p99",
    "growth",
    "embedding",
    "search/embedding",
    "bytes a chunk",
    "of its content",
]


@dataclass(frozen=True, slots=True)
class Step:
    """One size of the whole, and how the same person's search went in it."""

    people: int
    tenants: int
    search: Load
    disk: Disk


def main(arguments: list[str] | None = None) -> int:
    """Measure, print, and write the page unless told otherwise."""
    chosen = _parse(arguments)
    with throwaway_server() as server, closing(Client(server.url, server.key)) as client:
        steps = list(measure_scale(client, server, chosen.people, chosen.tenants))
    report = f"{describe_machine()}\n\n{render_scale(steps)}"
    sys.stdout.write(f"{report}\n")
    if not chosen.print_only:
        PAGE.write_text(replace_between(PAGE.read_text("utf-8"), report, MARKER), "utf-8")
    return 0


def measure_scale(client: Client, server: Server, people: tuple[int, ...], tenants: int) -> Iterator[Step]:
    """The same person's search at every size; the last step adds people in tenants of their own."""
    subject = make_person(client, SUBJECT_TURNS)
    template = make_person(client, TEMPLATE_TURNS)
    with closing(Crowd(find_admin_url(server), template=template.user)) as crowd:
        there = 2
        for wanted in people:
            crowd.grow(wanted - there)
            there = wanted
            yield Step(there, 1, _ask(client, subject), crowd.weigh())
        if tenants > 1:
            crowd.grow(tenants - 1, own_tenants=True)
            yield Step(there + tenants - 1, tenants, _ask(client, subject), crowd.weigh())


def _ask(client: Client, subject: Person) -> Load:
    def ask(one: Client, question: str) -> Answer:
        return one.search(subject.user, question)

    new = uuid.uuid4().hex  # other questions each time, so that no cache answers them
    put_load(client, 1, make_questions(WARM_UP, seed=f"warm {new}"), ask)
    return put_load(client, 1, make_questions(QUESTIONS, seed=new), ask)


def render_scale(steps: list[Step]) -> str:
    """A row a size; growth is the median beside that of the first row. What embedding the question takes doesn't grow:
    where it took longer, the machine was slower.
    """
    first = steps[0].search.spread.p50
    return render_table(HEADERS, [_row(step, first) for step in steps])


def _row(step: Step, first: float) -> list[Cell]:
    spread, embedding = step.search.spread, step.search.part_ms("embed")
    return [
        step.people,
        step.tenants,
        step.disk.chunks,
        spread.p50,
        spread.p95,
        spread.p99,
        spread.p50 / first,
        embedding,
        spread.p50 / embedding if embedding else None,
        round(step.disk.a_chunk),
        step.disk.ratio,
    ]


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.scale",
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("--people", type=_numbers, default=PEOPLE, help="sizes of one tenant: 100,1000,10000")
    parser.add_argument(
        "--tenants", type=int, default=TENANTS, help="as many in the last step; 1 leaves it out"
    )
    parser.add_argument("--print-only", action="store_true", help="leave docs/benchmarks.md as it is")
    return parser.parse_args(arguments)


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in text.split(","))


if __name__ == "__main__":
    sys.exit(main())
