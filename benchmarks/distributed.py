"""What Citus costs, and that moving costs no request: the same calls on one server and on several, and parts that move.

    python -m benchmarks.distributed [--turns 1000] [--calls 200] [--shards 8]

`NEBO_TEST_CITUS` names PostgreSQL's programs with Citus, which both sides use. Two Nebos stand side by side, one on a
single server, one on a coordinator and two workers, and are asked in turns. Then a third worker comes, parts of the
tables move to it, and one moves back, while four teams search and write: told are calls that failed and the slowest.
"""

from __future__ import annotations

import argparse
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import psycopg
from tqdm import tqdm

from benchmarks.chatter import make_questions, make_turns
from benchmarks.citus import MISSING, Cluster, citus_cluster, distribute, find_programs
from benchmarks.client import Answer, CallFailed, Client
from benchmarks.latency import TOKEN_BUDGET, WARM_UP, Person, make_person
from benchmarks.load import Load, join_loads, put_load
from benchmarks.page import describe_machine
from benchmarks.server import Server, issue_key, running_server, throwaway_folder
from benchmarks.tables import render_table
from nebo.embedded.postmaster import HOST

DATABASE = "nebo"
ROUNDS = 5  # in which both sides take turns, so that a busy moment of the machine hits them alike
CLIENTS = (1, 4)
TEAMS = 4  # that search and write while parts move, each from a connection of its own
TEAM_TURNS = 100
QUIET_S = 5.0  # under load before the first change, and between two
WHERE = """
SELECT nodeport FROM pg_dist_placement JOIN pg_dist_node USING (groupid)
WHERE shardid = get_shard_id_for_distribution_column('tenants_userprofile', %s::uuid) AND noderole = 'primary'
"""
MOVE = """
SELECT citus_move_shard_placement(
    get_shard_id_for_distribution_column('tenants_userprofile', %s::uuid), %s, %s, %s, %s, 'force_logical')
"""


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two Nebos, and somebody who has said the same in both."""

    client: Client
    person: Person

    def calls(self) -> Mapping[str, Callable[[Client, str], Answer]]:
        """What is timed, by name."""
        person = self.person
        return {
            "search": lambda client, text: client.search(person.user, text),
            "context": lambda client, text: client.context(person.session, text, TOKEN_BUDGET),
            "a turn of two": lambda client, text: client.post_turn(person.session, _pair(text)),
            "storing a memory": lambda client, text: client.call(
                "POST", f"users/{person.user}/memories/", {"value": text}
            ),
        }


@dataclass(slots=True)
class Watch:
    """What callers met while one thing was done: seconds of each call, and what failed."""

    name: str
    took_s: float = 0.0
    slowest_s: float = 0.0
    calls: dict[str, int] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Crew:
    """Teams that search and write until they are stopped; whatever they meet goes to the watch that is set."""

    url: str
    keys: Sequence[str]
    watch: Watch
    stop: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def work(self, key: str) -> int:
        """One team's loop; how many messages were accepted."""
        accepted = 0
        with closing(Client(self.url, key)) as client:
            person = make_person(client, TEAM_TURNS)
            accepted += TEAM_TURNS
            number = 0
            while not self.stop.is_set():
                number += 1
                (question,) = make_questions(1, seed=f"{person.user} {number}")
                self._call("search", partial(client.search, person.user, question))
                accepted += 2 * self._call("turn", partial(client.post_turn, person.session, _pair(question)))
        return accepted

    def _call(self, kind: str, call: Callable[[], Any]) -> bool:
        began, failure = time.monotonic(), ""
        try:
            call()
        except (CallFailed, OSError) as error:
            failure = f"{kind}: {error}"
        took = time.monotonic() - began
        with self.lock:
            watch = self.watch
            watch.calls[kind] = watch.calls.get(kind, 0) + 1
            watch.slowest_s = max(watch.slowest_s, took)
            watch.failed += [failure] if failure else []
        return not failure


def main(arguments: list[str] | None = None) -> int:
    """Measure and print; 1 where a call failed or a turn was lost."""
    chosen = _parse(arguments)
    if find_programs() is None:
        sys.stderr.write(f"{MISSING}\n")
        return 1
    with citus_cluster(synced=True) as cluster, _both(cluster, chosen) as (plain, several):
        loads = compare({"one": plain, "several": several}, chosen.turns, chosen.calls)
        sys.stdout.write(f"{describe_machine()}\n\n{render_loads(loads)}\n\n")
        watches, lost = move_under_load(cluster, several)
    sys.stdout.write(f"{render_watches(watches)}\n\nTurns accepted and not found afterwards: {lost}\n")
    for failure in sorted({text for watch in watches for text in watch.failed}):
        sys.stdout.write(f"failed: {failure}\n")
    return int(bool(lost) or any(watch.failed for watch in watches))


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.distributed",
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("--turns", type=int, default=1_000, help="messages of the person asked about")
    parser.add_argument("--calls", type=int, default=200, help="of each kind, side and number of clients")
    parser.add_argument("--shards", type=int, default=8, help="parts of the tables")
    return parser.parse_args(arguments)


@contextmanager
def _both(cluster: Cluster, chosen: argparse.Namespace) -> Iterator[tuple[Server, Server]]:
    """A Nebo on a server of its own, and one on the coordinator and its workers."""
    single = cluster.add_server(joins=False)
    with throwaway_folder() as first, throwaway_folder() as second:
        environment = distribute(cluster, DATABASE, second, chosen.shards)
        layout = {name: environment[name] for name in ("DATABASE_URL", "DATABASE_LAYOUT")}
        with (
            running_server(first, {"DATABASE_URL": single.url(DATABASE)}) as plain,
            running_server(second, layout) as several,
        ):
            yield plain, several


# --- One server and several ------------------------------------------------------------------------------


def compare(servers: Mapping[str, Server], turns: int, calls: int) -> dict[tuple[str, int, str], Load]:
    """Loads by kind of call, number of clients and side."""
    sides = {name: _side(server, turns) for name, server in servers.items()}
    parts: dict[tuple[str, int, str], list[Load]] = {}
    for number in tqdm(range(ROUNDS), "ask both", unit="round"):
        for kind in sides["one"].calls():
            for count in CLIENTS:
                for name, side in sides.items():
                    texts = make_questions(calls // ROUNDS, seed=f"{kind} {count} {number}")
                    load = put_load(side.client, count, texts, side.calls()[kind])
                    parts.setdefault((kind, count, name), []).append(load)
    for side in sides.values():
        side.client.close()
    return {key: join_loads(loads) for key, loads in parts.items()}


def _side(server: Server, turns: int) -> Side:
    client = Client(server.url, server.key)
    side = Side(client, make_person(client, turns))
    for kind, call in side.calls().items():
        put_load(client, max(CLIENTS), make_questions(WARM_UP, seed=f"warm {kind}"), call)
    client.wait_for_vectors(limit_s=600)
    return side


def _pair(text: str) -> list[dict[str, Any]]:
    (answer,) = make_turns(1, seed=text)
    return [{"role": "user", "content": text}, {"role": "assistant", "content": answer.text}]


def render_loads(loads: Mapping[tuple[str, int, str], Load]) -> str:
    """A row for each kind of call and number of clients."""
    rows: list[Sequence[Any]] = []
    for kind, count in dict.fromkeys((kind, count) for kind, count, _ in loads):
        one, several = loads[kind, count, "one"], loads[kind, count, "several"]
        rows.append(
            [
                *(kind, count),
                *(f"{load.spread.p50:.1f} ({load.spread.p95:.1f})" for load in (one, several)),
                f"{several.spread.p50 / one.spread.p50:.2f}",
                *(one.part_ms("sql"), several.part_ms("sql")),
            ]
        )
    return render_table(["p50 (p95), ms", "clients", "one", "several", "ratio", "SQL, one", "several"], rows)


# --- Moving ----------------------------------------------------------------------------------------------


def move_under_load(cluster: Cluster, server: Server) -> tuple[list[Watch], int]:
    """What callers met at each step, and how many accepted turns are not there in the end."""
    keys = [issue_key(server.environment, f"team-{uuid.uuid4().hex[:8]}") for _ in range(TEAMS)]
    url = cluster.coordinator.url(DATABASE)
    with psycopg.connect(url, autocommit=True) as admin, ThreadPoolExecutor(TEAMS) as pool:
        before = _count_messages(admin)
        crew = Crew(server.url, keys, Watch("getting ready"))
        loops = [pool.submit(crew.work, key) for key in keys]
        try:
            watches = list(_steps(cluster, admin, crew))
        finally:
            crew.stop.set()
        accepted = sum(loop.result() for loop in loops)
        return watches, before + accepted - _count_messages(admin)


def _steps(cluster: Cluster, admin: psycopg.Connection[Any], crew: Crew) -> Iterator[Watch]:
    _await_calls(crew, 2 * TEAMS)
    yield _watch(crew, "nothing", lambda: time.sleep(QUIET_S))
    new = cluster.add_server()
    cluster.prepare(new, DATABASE)
    yield _watch(
        crew, "adding a server", lambda: admin.execute("SELECT citus_add_node(%s, %s)", [HOST, new.port])
    )

    def rebalance() -> None:
        admin.execute("SELECT citus_rebalance_start()")
        admin.execute("SELECT citus_rebalance_wait()")

    yield _watch(crew, "spreading parts evenly", rebalance)
    slugs = admin.execute("SELECT id FROM tenants_tenant WHERE slug LIKE 'team-%' ORDER BY slug").fetchall()
    for (tenant,) in slugs[:2]:
        found = admin.execute(WHERE, [tenant]).fetchone()
        assert found
        others = [one.port for one in cluster.workers if one.port != found[0]]
        move = partial(admin.execute, MOVE, [tenant, HOST, found[0], HOST, others[0]])
        yield _watch(crew, "moving the part of a team that calls", move)
    yield _watch(crew, "nothing, afterwards", lambda: time.sleep(QUIET_S))


def _await_calls(crew: Crew, count: int) -> None:
    while sum(crew.watch.calls.values()) < count:
        time.sleep(0.2)


def _watch(crew: Crew, name: str, act: Callable[[], object]) -> Watch:
    """What the crew met while it was done."""
    watch = crew.watch = Watch(name)
    began = time.monotonic()
    act()
    watch.took_s = time.monotonic() - began
    return watch


def _count_messages(admin: psycopg.Connection[Any]) -> int:
    found = admin.execute("SELECT count(*) FROM agent_sessions_message").fetchone()
    assert found
    return int(found[0])


def render_watches(watches: Sequence[Watch]) -> str:
    """A row for each thing that was done."""
    rows = [
        [
            watch.name,
            watch.took_s,
            watch.calls.get("search", 0),
            watch.calls.get("turn", 0),
            len(watch.failed),
            watch.slowest_s,
        ]
        for watch in watches
    ]
    return render_table(["meanwhile", "took s", "searches", "turns", "failed", "slowest s"], rows)


if __name__ == "__main__":
    sys.exit(main())
