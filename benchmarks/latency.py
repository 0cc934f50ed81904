"""Latency of search and context for a person of a given size, beside the floor; and how fast turns go in."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tqdm import tqdm

from benchmarks.chatter import make_questions, make_turns
from benchmarks.client import Answer, Client
from benchmarks.load import Load, join_loads, put_load
from benchmarks.server import Server, run_beside
from benchmarks.timing import Spread, spread_of

CLIENTS = (1, 8)
CALLS = 300  # of each kind, size and number of clients
ROUNDS = 5  # in which calls and floor take turns, so that a busy moment of the machine hits all of them alike
BATCHES = 4  # of texts that the embedder is given by itself
WARM_UP = 80  # calls by eight clients: each of the server's threads connects and prepares its statements
SESSION_TURNS = 100  # short of what would be compacted
TOKEN_BUDGET = 4_000
PAIRS = 200  # turns of a question and its answer, for each number of clients
VECTORS_LIMIT_S = 3_600


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with `turns` said in sessions; the last of these is where a context is asked for."""

    user: str
    session: str
    turns: int
    accepted_s: float
    embedded_s: float


@dataclass(frozen=True, slots=True)
class Floor:
    """What embedding and one prepared statement take by themselves, in milliseconds; and the embedder's texts a
    second where it does nothing else."""

    chunks: int
    embed: Spread
    sql: Spread
    embedded_a_second: float

    @property
    def ms(self) -> float:
        return self.embed.p50 + self.sql.p50


@dataclass(frozen=True, slots=True)
class Size:
    """One person's figures: loads by kind of call and number of clients."""

    person: Person
    loads: dict[tuple[str, int], Load]
    floor: Floor | None


def measure_size(client: Client, server: Server | None, turns: int) -> Size:
    """Make a person with that many turns, and ask; the floor too where the server is our own."""
    person = make_person(client, turns)
    calls = _calls(person)
    for kind, call in calls.items():
        put_load(client, max(CLIENTS), make_questions(WARM_UP, seed=f"{person.user} {kind}"), call)
    parts: dict[tuple[str, int], list[Load]] = {(kind, count): [] for kind in calls for count in CLIENTS}
    told = []
    for number in tqdm(range(ROUNDS), f"ask, {turns:,} turns", unit="round"):
        for (kind, count), loads in parts.items():
            questions = make_questions(CALLS // ROUNDS, seed=f"{person.user} {kind} {count} {number}")
            loads.append(put_load(client, count, questions, calls[kind]))
        if server:
            told.append(_ask_bare(server, person.user, number))
    whole = {key: join_loads(loads) for key, loads in parts.items()}
    return Size(person, whole, _floor_of(told) if told else None)


def make_person(client: Client, turns: int) -> Person:
    """Somebody new who has said that much, every vector there. Raises CallFailed and TimeoutError."""
    user = f"chatter-{turns}-{uuid.uuid4().hex[:6]}"
    messages = [turn.as_message() for turn in make_turns(turns, seed=user)]
    began = time.monotonic()
    session = ""
    for first in tqdm(range(0, turns, SESSION_TURNS), f"ingest {turns:,} turns", unit="session"):
        session = client.open_session(user, f"{user}-{first}")
        client.add_turns(session, messages[first : first + SESSION_TURNS])
    accepted_s = time.monotonic() - began
    client.wait_for_vectors(limit_s=VECTORS_LIMIT_S)
    return Person(user, session, turns, accepted_s, time.monotonic() - began)


def _calls(person: Person) -> dict[str, Any]:
    """What is timed, by name."""
    return {
        "search": lambda client, question: client.search(person.user, question),
        "context": lambda client, question: client.context(person.session, question, TOKEN_BUDGET),
    }


def _ask_bare(server: Server, user: str, number: int) -> dict[str, Any]:
    """In a process of its own, as the app role of our own server's database; the last also embeds texts."""
    questions = json.dumps(make_questions(CALLS // ROUNDS, seed=f"{user} floor {number}"))
    batches = ["--batches", str(BATCHES)] if number == ROUNDS - 1 else []
    told: dict[str, Any] = run_beside(server, "benchmarks.bare", "--user", user, *batches, given=questions)
    return told


def _floor_of(told: Sequence[dict[str, Any]]) -> Floor:
    embed, sql = (spread_of(ms for one in told for ms in one[name]) for name in ("embed_ms", "sql_ms"))
    return Floor(told[-1]["chunks"], embed, sql, told[-1]["embedded_a_second"])


def measure_ingest(client: Client) -> dict[int, Load]:
    """Turns as agents send them, a question and its answer at a time, learned from; by number of clients."""
    loads = {}
    for clients in tqdm(CLIENTS, "ingest in pairs", unit="load"):
        sessions = _open_sessions(client, clients)
        # Dealing gives each client every so-manieth pair, so each writes to a session of its own.
        pairs = [(sessions[number % clients], pair) for number, pair in enumerate(_pairs(clients))]
        loads[clients] = put_load(client, clients, pairs, _post_pair)
    return loads


def _open_sessions(client: Client, count: int) -> list[str]:
    names = [f"pairs-{uuid.uuid4().hex[:6]}" for _ in range(count)]
    return [client.open_session(name, name, auto_extract=True) for name in names]


def _pairs(clients: int) -> Iterator[Sequence[dict[str, str]]]:
    messages = [turn.as_message() for turn in make_turns(2 * PAIRS, seed=f"pairs {clients}")]
    for first in range(0, len(messages), 2):
        yield messages[first], {**messages[first + 1], "role": "assistant"}


def _post_pair(client: Client, item: tuple[str, Sequence[dict[str, str]]]) -> Answer:
    session, pair = item
    return client.post_turn(session, pair)
