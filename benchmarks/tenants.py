"""Does a tenant's backlog hold up another tenant's turns? Four people say a sentence now and then, alone and beside it.

A fifth tenant first sends many long messages, a hundred a call, learned from: vectors and readings wait for minutes.
How long a turn waits is told by its jobs: from the moment it was sent to the end of the last one.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime

from tqdm import tqdm

from benchmarks.chatter import make_turns
from benchmarks.client import OPEN_STATES, Client
from benchmarks.server import Server, issue_key
from benchmarks.tables import Cell, render_table
from benchmarks.timing import spread_of

MESSAGES = 10_000
MESSAGE_WORDS = (100, 200)  # some 1,000 characters
A_CALL = 100
FEEDERS = 2
OTHERS = 4
ROUNDS = 10  # alone, and again beside the backlog
PAUSE_S = 3.0  # between a round's end and the next
WAIT_S = 600.0
POLL_S = 0.5
SAID = ("I keep ferrets.", "Ich wohne jetzt in Gent.", "Tengo un loro.", "My sister is called Ines.")
KINDS = {"vector": "embed", "learned": "extract"}  # what is waited for, and the job that does it
HEADERS = ["", "turns", "vector p50", "vector worst", "learned p50", "learned worst"]


@dataclass(frozen=True, slots=True)
class Turn:
    """Seconds from sending it to its vector, and to the end of its reading (which waits for five quiet ones)."""

    vector_s: float
    learned_s: float


@dataclass(frozen=True, slots=True)
class Turns:
    """What the four waited, alone and beside; how much of the backlog was stored, and how many jobs still waited."""

    alone: Sequence[Turn]
    beside: Sequence[Turn]
    stored: int
    waiting: int


def measure_tenants(server: Server, messages: int = MESSAGES) -> Turns:
    """Alone first; then while the fifth tenant's messages come in and wait. Raises CallFailed and TimeoutError."""
    others = [_client(server) for _ in range(OTHERS)]
    try:
        alone = list(_talk(others, "alone"))
        with ThreadPoolExecutor(FEEDERS) as pool, closing(_client(server)) as busy:
            feeds = [pool.submit(_feed, busy, messages // FEEDERS, number) for number in range(FEEDERS)]
            _wait_for_backlog(busy, feeds)
            beside = list(_talk(others, "beside"))
            waiting = _count_open(busy)
            return Turns(alone, beside, sum(feed.result() for feed in feeds), waiting)
    finally:
        for client in others:
            client.close()


def _client(server: Server) -> Client:
    return Client(server.url, issue_key(server.environment, f"team-{uuid.uuid4().hex[:8]}"))


def _feed(busy: Client, messages: int, number: int) -> int:
    """Store that many over a connection of its own; how many were."""
    lines = [turn.as_message() for turn in make_turns(messages, seed=f"feed {number}", lengths=MESSAGE_WORDS)]
    with closing(Client(busy.url, busy.key)) as client:
        for first in tqdm(range(0, messages, A_CALL), f"feed {number}", unit="session"):
            name = f"feed-{number}-{first}"
            session = client.open_session(name, name, auto_extract=True)
            client.add_turns(session, lines[first : first + A_CALL])
    return messages


def _wait_for_backlog(busy: Client, feeds: Sequence[Future[int]]) -> None:
    while _count_open(busy) < FEEDERS * 2 and not all(feed.done() for feed in feeds):
        time.sleep(POLL_S)


def _count_open(client: Client) -> int:
    return len(client.call("GET", "jobs/?state=queued&limit=100").body["results"])


def _talk(clients: Sequence[Client], name: str) -> Iterator[Turn]:
    """In each round all say something at once, each in a session of their own."""
    with ThreadPoolExecutor(len(clients)) as pool:
        for number in tqdm(range(ROUNDS), name, unit="round"):
            yield from pool.map(_say, clients, [SAID[number % len(SAID)]] * len(clients))
            time.sleep(PAUSE_S)


def _say(client: Client, said: str) -> Turn:
    name = f"person-{uuid.uuid4().hex[:8]}"
    session = client.open_session(name, name, auto_extract=True)
    sent = time.time()
    client.post_turn(session, [{"role": "user", "content": said}])
    took = {what: _wait_for(client, kind) - sent for what, kind in KINDS.items()}
    return Turn(took["vector"], took["learned"])


def _wait_for(client: Client, kind: str) -> float:
    """When the last of the jobs of this kind ended; this server's clock is ours."""
    deadline = time.monotonic() + WAIT_S
    while time.monotonic() < deadline:
        jobs = client.call("GET", f"jobs/?kind={kind}&limit=10").body["results"]
        if jobs and not any(job["state"] in (*OPEN_STATES, "dead") for job in jobs):
            return max(datetime.fromisoformat(job["finished_at"]).timestamp() for job in jobs)
        time.sleep(POLL_S)
    raise TimeoutError(f"A turn's job ({kind}) hadn't ended after {WAIT_S:.0f} s.")


def render_tenants(told: Turns) -> str:
    """A row for each stretch of time, in seconds."""
    rows = [["alone", *_cells(told.alone)], ["beside the backlog", *_cells(told.beside)]]
    return (
        f"{render_table(HEADERS, rows)}\n\n"
        f"Seconds. The fifth tenant sent {told.stored:,} messages of some 1,000 characters; when the last turn was "
        f"done, {told.waiting}{'+' if told.waiting == A_CALL else ''} of its jobs waited."
    )


def _cells(turns: Sequence[Turn]) -> list[Cell]:
    cells: list[Cell] = [len(turns)]
    for values in ([one.vector_s for one in turns], [one.learned_s for one in turns]):
        cells += [spread_of(values).p50, max(values)]
    return cells
