"""When each step of docs/scale.md is due: costs measured here, carried on to 100,000 tenants and a billion chunks.

    python -m benchmarks.growth [--people 10] [--chunks 1000] [--active 0.1] [--cores 16] [--memory 64] [--disk 4000]

A server of its own, on data that is thrown away: what a turn and a search cost in processor, log and disk, and how long
the questions take that are about all tenants, with 50,000 and 400,000 chunks. All else is arithmetic, with inputs
that are printed: what somebody decides, or assumes.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import psycopg

from benchmarks.chaos.faults import Family, list_descendants, processor_of
from benchmarks.chatter import make_questions, make_turns
from benchmarks.client import OPEN_STATES, Client
from benchmarks.crowd import Crowd
from benchmarks.latency import WARM_UP, make_person
from benchmarks.load import put_load
from benchmarks.page import describe_machine
from benchmarks.server import Server, find_admin_url, throwaway_server
from benchmarks.tables import Cell, render_table

CLIENTS = 4
CALLS = 200  # of each kind
TEMPLATE_TURNS = 100
CROWDS = (500, 4_000)  # people with so many turns each
JOBS_LIMIT_S = 1_800
QUIET_LOOKS = 5  # a second apart
DAY_S = 86_400
TENANTS = (10, 100, 1_000, 10_000, 100_000)
COUNT_CHUNKS = "SELECT tenant_id, sum(chunks) FROM search_corpus GROUP BY tenant_id"
LARGEST = "SELECT max(pg_total_relation_size(oid)) FROM pg_class WHERE relkind = 'r'"
# As nebo/jobs/periodic.py has it, which can't be imported without settings; a test compares them.
FIND_DUE = """
SELECT t.id FROM tenants_tenant t
WHERE t.is_active AND NOT EXISTS (
    SELECT 1 FROM jobs_job j
    WHERE j.tenant_id = t.id AND j.kind = %s AND j.created_at > clock_timestamp() - make_interval(secs => %s))
ORDER BY t.id LIMIT %s
"""
TENANTS_A_ROUND = 200
DUE = ("curate", DAY_S, TENANTS_A_ROUND)
ROUND_S = 60  # in which tenants get their daily jobs, TENANTS_A_ROUND at a time
DAILY = (  # what each tenant gets once a day
    *("clean-provisional", "curate", "end-memories", "expire-todos", "fade-styles", "retention"),
    *("settle-wishes", "tidy-vectors"),
)
COUNTED_S = 300  # rows by tenant are counted for /metrics so often
TABLE_LIMIT = 32e12  # bytes, of a table of PostgreSQL
TRANSACTIONS = 2e9  # until numbers come round: rows must be frozen before


@dataclass(frozen=True, slots=True)
class Cost:
    """Of one call: milliseconds of the processor by who spends them, bytes, and numbers of transactions."""

    web_ms: float
    worker_ms: float
    database_ms: float
    log_bytes: float
    disk_bytes: float
    transactions: float


@dataclass(frozen=True, slots=True)
class Measured:
    """What growth costs: `turn` is a message and its answer, learned from. Seconds are for a million chunks."""

    turn: Cost
    search: Cost
    chunk_bytes: float  # with the indexes of search
    largest_chunk_bytes: float  # in the largest table
    count_s: float  # of all chunks by tenant, as the people's corpora have them
    find_due_s: float  # for ten thousand tenants


@dataclass(frozen=True, slots=True)
class Use:
    """What is decided or assumed, not measured."""

    people: int  # of a tenant
    chunks: int  # of a person
    active: float  # share of the people who talk on a day
    turns: int  # of one of them that day, each with a search
    peak: float  # the busiest hour beside the mean
    cores: int  # of a server
    memory_gb: float
    disk_gb: float
    busy: float  # the share of a processor that is planned with
    bigger: float  # how many times as big the biggest machine is that one would take instead of several


@dataclass(frozen=True, slots=True)
class Size:
    """What so many tenants need."""

    tenants: int
    chunks: float
    disk_gb: float
    warm_gb: float  # rows of people who talk that day
    turns_a_second: float  # in the busiest hour
    web_cores: float
    worker_cores: float
    database_cores: float
    reading: float  # the share of the database's processor that a replica can take
    log_mb_a_second: float
    count_s: float
    find_due_s: float
    jobs_a_second: float
    days_to_freeze: float


def extrapolate(measured: Measured, use: Use, tenants: int) -> Size:
    """Straight lines from what was measured; searches don't grow with the whole (docs/benchmarks.md#growth)."""
    people = tenants * use.people
    chunks = people * use.chunks
    turns = people * use.active * use.turns / DAY_S
    peak = turns * use.peak
    turn, search = measured.turn, measured.search
    row_bytes = max(turn.disk_bytes / 2, measured.chunk_bytes)  # a turn is two messages, a chunk each
    return Size(
        tenants=tenants,
        chunks=chunks,
        disk_gb=chunks * row_bytes / 1e9,
        warm_gb=people * use.active * use.chunks * measured.chunk_bytes / 1e9,
        turns_a_second=peak,
        web_cores=peak * (turn.web_ms + search.web_ms) / 1000 / use.busy,
        worker_cores=peak * (turn.worker_ms + search.worker_ms) / 1000 / use.busy,
        database_cores=peak * (turn.database_ms + search.database_ms) / 1000 / use.busy,
        reading=search.database_ms / (turn.database_ms + search.database_ms),
        log_mb_a_second=peak * (turn.log_bytes + search.log_bytes) / 1e6,
        count_s=measured.count_s * chunks / 1e6,
        find_due_s=measured.find_due_s * tenants / 10_000,
        jobs_a_second=tenants * len(DAILY) / DAY_S,
        days_to_freeze=TRANSACTIONS / (turns * (turn.transactions + search.transactions) * DAY_S),
    )


def name_step(size: Size, use: Use) -> str:
    """The cheapest step that carries it; more processes and machines for web and worker come before any of these."""
    if fits(size, use, 1.0):
        all_cores = size.web_cores + size.worker_cores + size.database_cores
        return "one machine" if all_cores <= use.cores else "more processes, on machines of their own"
    if fits(size, use, 1 - 0.75 * size.reading):
        return "a read replica"
    if fits(size, _enlarge(use), 1.0):
        return "a bigger machine"
    return f"Citus, {count_servers(size, use)} servers"


def fits(size: Size, use: Use, share: float) -> bool:
    """Whether one database server carries it, with that share of the processor's work."""
    return (
        size.database_cores * share <= use.cores
        and size.disk_gb <= use.disk_gb
        and size.warm_gb <= use.memory_gb
    )


def _enlarge(use: Use) -> Use:
    more = use.bigger
    return replace(
        use, cores=int(use.cores * more), memory_gb=use.memory_gb * more, disk_gb=use.disk_gb * more
    )


def count_servers(size: Size, use: Use) -> int:
    """By whatever needs most of them."""
    needed = max(size.database_cores / use.cores, size.disk_gb / use.disk_gb, size.warm_gb / use.memory_gb)
    return int(needed) + 1


def list_limits(measured: Measured, use: Use) -> Iterator[Sequence[Cell]]:
    """Where each of them lies: its name, what it follows from, and how many tenants reach it."""
    one = extrapolate(measured, use, 1)
    yield "one server's disk", f"{use.disk_gb:,.0f} GB", use.disk_gb / one.disk_gb
    yield (
        "one server's memory, for whom talks that day",
        f"{use.memory_gb:,.0f} GB",
        use.memory_gb / one.warm_gb,
    )
    yield "one server's processor, for the database", f"{use.cores} cores", use.cores / one.database_cores
    kept = one.database_cores * (1 - 0.75 * one.reading)
    yield "the same with a replica", "three quarters of reading", use.cores / kept
    rounds = TENANTS_A_ROUND * DAY_S / ROUND_S
    yield "daily jobs handed out", f"{TENANTS_A_ROUND} tenants a minute", rounds
    yield "looking for whom they are due", "5 s a minute", 5 / one.find_due_s
    yield "counting rows for /metrics", f"{COUNTED_S} s", COUNTED_S / one.count_s
    largest = one.chunks * measured.largest_chunk_bytes
    yield "the largest table", "32 TB", TABLE_LIMIT / largest
    yield "numbers of transactions", "frozen in 2 days", one.days_to_freeze / 2


# --- Measuring -------------------------------------------------------------------------------------------


def measure() -> Measured:
    """On a server of its own."""
    with (
        throwaway_server() as server,
        closing(Client(server.url, server.key)) as client,
        psycopg.connect(find_admin_url(server), autocommit=True) as admin,
    ):
        turn, search = _measure_calls(server, client, admin)
        template = make_person(client, TEMPLATE_TURNS)
        with closing(Crowd(find_admin_url(server), template=template.user)) as crowd:
            crowd.grow(CROWDS[0])
            count, disk = _time(admin, COUNT_CHUNKS), crowd.weigh()
            crowd.grow(CROWDS[1] - CROWDS[0], own_tenants=True)
            grown, chunks = crowd.weigh(), crowd.weigh().chunks - disk.chunks
        return Measured(
            turn=turn,
            search=search,
            chunk_bytes=(grown.bytes - disk.bytes) / chunks,
            largest_chunk_bytes=_ask(admin, LARGEST) / grown.chunks,
            count_s=(_time(admin, COUNT_CHUNKS) - count) * 1e6 / chunks,
            find_due_s=_time(admin, FIND_DUE, DUE) * 10_000 / (CROWDS[1] - CROWDS[0]),
        )


def _measure_calls(server: Server, client: Client, admin: psycopg.Connection[Any]) -> tuple[Cost, Cost]:
    sessions = [client.open_session(f"talks-{n}", f"talks-{n}", auto_extract=True) for n in range(CLIENTS)]
    pairs = [(sessions[number % CLIENTS], _pair(number)) for number in range(CALLS)]
    put_load(client, CLIENTS, pairs[:CLIENTS], lambda own, item: own.post_turn(*item))

    def tell() -> None:
        put_load(client, CLIENTS, pairs, lambda own, item: own.post_turn(*item))
        _await_jobs(client)

    def search() -> None:
        put_load(client, CLIENTS, make_questions(CALLS, seed="growth"), lambda own, q: own.search(user, q))

    turn = _cost_of(server, admin, tell)
    user = make_person(client, 1_000).user
    put_load(client, CLIENTS, make_questions(WARM_UP, seed="warm"), lambda own, q: own.search(user, q))
    return turn, _cost_of(server, admin, search)


def _pair(number: int) -> list[dict[str, str]]:
    asked, answered = make_turns(2, seed=f"growth {number}")
    return [asked.as_message(), {**answered.as_message(), "role": "assistant"}]


def _await_jobs(client: Client) -> None:
    """Until none is open in several looks: one that ends may leave another behind."""
    until, quiet = time.monotonic() + JOBS_LIMIT_S, 0
    while quiet < QUIET_LOOKS:
        if time.monotonic() > until:
            raise TimeoutError("Jobs were not done: does the worker run?")
        quiet = 0 if any(_has_jobs(client, state) for state in sorted(OPEN_STATES)) else quiet + 1
        time.sleep(1)


def _has_jobs(client: Client, state: str) -> bool:
    return bool(client.call("GET", f"jobs/?state={state}&limit=1").body["results"])


def _cost_of(server: Server, admin: psycopg.Connection[Any], act: Callable[[], None]) -> Cost:
    """What one of CALLS calls cost, all that it left to workers included."""
    family = Family(server.pid, Path(server.environment["NEBO_DATA_DIR"]))
    before = _look(family, admin)
    act()
    spent = [(after - earlier) / CALLS for after, earlier in zip(_look(family, admin), before, strict=True)]
    return Cost(*(value * 1000 for value in spent[:3]), *spent[3:])


def _look(family: Family, admin: psycopg.Connection[Any]) -> list[float]:
    """So far: seconds of the processor of web, worker and database; bytes of log and disk; transactions."""
    postmaster = family.find_postmaster()
    return [
        *(
            processor_of(pids).ran
            for pids in (
                family.list_web(),
                family.list_worker(),
                [postmaster, *list_descendants(postmaster)],
            )
        ),
        _ask(admin, "SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint"),
        _ask(admin, "SELECT pg_database_size(current_database())"),
        _ask(admin, "SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint"),
    ]


def _ask(admin: psycopg.Connection[Any], statement: str) -> float:
    found = admin.execute(statement.encode()).fetchone()
    assert found
    return float(found[0])


def _time(admin: psycopg.Connection[Any], statement: str, parameters: Sequence[Any] = ()) -> float:
    """Seconds of the quickest of three."""
    took = []
    for _ in range(3):
        began = time.perf_counter()
        admin.execute(statement.encode(), parameters or None).fetchall()
        took.append(time.perf_counter() - began)
    return min(took)


# --- Telling ---------------------------------------------------------------------------------------------


def main(arguments: list[str] | None = None) -> int:
    """Measure and print."""
    use = _parse(arguments)
    measured = measure()
    sizes = [extrapolate(measured, use, tenants) for tenants in TENANTS]
    sys.stdout.write(
        f"{describe_machine()}\n\n{render_costs(measured)}\n\n{render_inputs(use)}\n\n"
        f"{render_sizes(sizes, use)}\n\n{render_limits(measured, use)}\n"
    )
    return 0


def _parse(arguments: list[str] | None) -> Use:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.growth",
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("--people", type=int, default=10, help="of a tenant")
    parser.add_argument("--chunks", type=int, default=1_000, help="of a person")
    parser.add_argument("--active", type=float, default=0.1, help="share of the people who talk on a day")
    parser.add_argument("--turns", type=int, default=20, help="of one of them that day, each with a search")
    parser.add_argument("--peak", type=float, default=4.0, help="the busiest hour beside the mean")
    parser.add_argument("--cores", type=int, default=16, help="of a server")
    parser.add_argument("--memory", type=float, default=64.0, dest="memory_gb", help="GB")
    parser.add_argument("--disk", type=float, default=4_000.0, dest="disk_gb", help="GB")
    parser.add_argument("--busy", type=float, default=0.6, help="share of a processor that is planned with")
    parser.add_argument("--bigger", type=float, default=8.0, help="the biggest machine beside that one")
    return Use(**vars(parser.parse_args(arguments)))


def render_costs(measured: Measured) -> str:
    """What was measured."""
    names = {"turn": measured.turn, "search": measured.search}
    rows = [[field.name, *(getattr(cost, field.name) for cost in names.values())] for field in fields(Cost)]
    others = [
        ["bytes a chunk, with indexes of search", measured.chunk_bytes],
        ["of them in the largest table", measured.largest_chunk_bytes],
        ["s to count a million chunks by tenant", measured.count_s],
        ["s to look for the daily jobs of 10,000 tenants", measured.find_due_s],
    ]
    return f"{render_table(['a call', *names], rows)}\n\n{render_table(['growth', ''], others)}"


def render_inputs(use: Use) -> str:
    """What was assumed."""
    return render_table(["assumed", ""], [[field.name, getattr(use, field.name)] for field in fields(Use)])


def render_sizes(sizes: Sequence[Size], use: Use) -> str:
    """A row a size."""
    headers = [field.name.replace("_", " ") for field in fields(Size)]
    rows = [[*(getattr(size, field.name) for field in fields(Size)), name_step(size, use)] for size in sizes]
    return render_table([*headers, "step"], rows)


def render_limits(measured: Measured, use: Use) -> str:
    """The lowest first."""
    rows = sorted(list_limits(measured, use), key=lambda row: float(str(row[2])))
    return render_table(["limit", "of", "tenants"], [[*row[:2], round(float(str(row[2])))] for row in rows])


if __name__ == "__main__":
    sys.exit(main())
