"""docs/benchmarks.md: what a run measured, put between the page's markers."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from benchmarks.latency import Size
from benchmarks.load import Load
from benchmarks.server import ROOT
from benchmarks.tables import Cell, render_table

PAGE = ROOT / "docs" / "benchmarks.md"
MARKER = "benchmarks"


def replace_between(page: str, block: str, marker: str = MARKER) -> str:
    """The page with `block` between the two comments of `marker`; raises ValueError where they are missing."""
    begin, end = f"<!-- {marker}: begin -->", f"<!-- {marker}: end -->"
    before, begun, rest = page.partition(begin)
    _, ended, after = rest.partition(end)
    if not (begun and ended):
        raise ValueError(f"The page needs {begin} and {end}, in this order.")
    return f"{before}{begin}\n\n{block.strip()}\n\n{end}{after}"


def describe_machine() -> str:
    """Where and when."""
    today = f"{datetime.now(tz=UTC):%d %B %Y}".lstrip("0")
    return (
        f"Measured on {today}: {os.cpu_count()} cores ({platform.machine()}), {platform.system()}, "
        f"Python {platform.python_version()}; server, worker, PostgreSQL and clients share them."
    )


def render_latency(sizes: Sequence[Size]) -> str:
    """A row for each kind of call, size and number of clients, in milliseconds."""
    headers = ["call", "chunks", "clients", "p50", "p95", "p99", "p99/p50", "a second"]
    rows = [
        [kind, _chunks(size), clients, *_load_cells(load)]
        for size in sizes
        for (kind, clients), load in size.loads.items()
    ]
    return render_table(headers, rows)


def _chunks(size: Size) -> int:
    return size.floor.chunks if size.floor else size.person.turns


def _load_cells(load: Load) -> list[Cell]:
    spread = load.spread
    return [spread.p50, spread.p95, spread.p99, spread.p99 / spread.p50, load.a_second]


def render_ratios(sizes: Sequence[Size]) -> str:
    """Search by one client against the floor, and context against search, at the median."""
    headers = ["chunks", "embedding", "statement", "floor", "search", "search/floor", "context/search"]
    return render_table(headers, [[_chunks(size), *_ratio_cells(size)] for size in sizes])


def _ratio_cells(size: Size) -> list[Cell]:
    search, context = (size.loads[kind, 1].spread.p50 for kind in ("search", "context"))
    floor = size.floor
    if floor is None:
        return [None, None, None, search, None, context / search]
    return [floor.embed.p50, floor.sql.p50, floor.ms, search, search / floor.ms, context / search]


def render_parts(sizes: Sequence[Size]) -> str:
    """Where the time of one client's call goes, as the server tells it in `Server-Timing`, at the median."""
    loads = {
        (kind, _chunks(size)): load
        for size in sizes
        for (kind, clients), load in size.loads.items()
        if clients == 1
    }
    names = list(dict.fromkeys(name for load in loads.values() for one in load.answers for name in one.parts))
    if not names:
        return "The server does not say where its time goes."
    rows = [[kind, chunks, *_part_cells(load, names)] for (kind, chunks), load in loads.items()]
    return render_table(["call", "chunks", *names, "HTTP and the rest", "all"], rows)


def _part_cells(load: Load, names: Sequence[str]) -> list[Cell]:
    parts = [load.part_ms(name) for name in names]
    return [*parts, load.spread.p50 - sum(part or 0 for part in parts), load.spread.p50]


def render_ingest(sizes: Sequence[Size], pairs: Mapping[int, Load]) -> str:
    """Messages a second: stored and found by words when the answer comes, by meaning once embedded; and the share
    of that in what the embedder does alone."""
    rows: list[list[Cell]] = [
        [
            f"2 a call, {clients} client{'s' * (clients > 1)}, learned from",
            2 * load.a_second,
            None,
            None,
            None,
        ]
        for clients, load in pairs.items()
    ]
    rows += [[f"100 a call, 1 client, {size.person.turns:,} in all", *_ingest_cells(size)] for size in sizes]
    headers = ["messages", "stored a second", "with vectors", "embedder alone", "with vectors/alone"]
    return render_table(headers, rows)


def _ingest_cells(size: Size) -> list[Cell]:
    who = size.person
    stored, embedded = who.turns / who.accepted_s, who.turns / who.embedded_s
    alone = size.floor.embedded_a_second if size.floor else None
    return [stored, embedded, alone, embedded / alone if alone else None]


def render_jobs(jobs: Mapping[str, float] | None) -> str:
    """Small jobs enqueued one by one, each in a transaction of its own, until the last was published."""
    if jobs is None:
        return "Only measured on a server of our own."
    count = round(jobs["jobs"])
    return (
        f"{count:,} small jobs were enqueued at {count / jobs['enqueued_s']:.0f} a second, each in a transaction of "
        f"its own, and done at {count / jobs['drained_s']:.0f} a second, counted from the first to the last."
    )
