"""A live search beside an import: one person is asked about twice a second while somebody else's turns come in."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from itertools import count

from tqdm import tqdm

from benchmarks.chatter import make_questions
from benchmarks.client import Client
from benchmarks.latency import WARM_UP, Person, make_person
from benchmarks.load import put_load
from benchmarks.tables import Cell, render_table
from benchmarks.timing import spread_of

SUBJECT_TURNS = 1_000
IMPORTED_TURNS = 10_000
WARM_UP_CLIENTS = 8
ALONE_S = 60.0
QUESTION_EVERY_S = 0.5
QUESTIONS_AT_MOST = 20_000  # longer than any import
HEADERS = ["one client asks", "questions", "p50", "p95", "worst", "p50 × alone", "p95 × alone"]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that was answered: when it was put, by time.monotonic(), and how long it took."""

    at: float
    ms: float


@dataclass(frozen=True, slots=True)
class Import:
    """Questions alone and beside the import, and when that began; `imported` tells how long it took."""

    alone: Sequence[Asked]
    beside: Sequence[Asked]
    began: float
    imported: Person

    @property
    def while_stored(self) -> list[Asked]:
        """Those put before the last turn was accepted."""
        return [one for one in self.beside if one.at < self.began + self.imported.accepted_s]

    @property
    def while_embedded(self) -> list[Asked]:
        """Those put after that, until the last vector was there."""
        return [one for one in self.beside if one.at >= self.began + self.imported.accepted_s]


def measure_import(client: Client, turns: int = IMPORTED_TURNS) -> Import:
    """Ask alone for a minute, then for as long as the import takes. Raises CallFailed and TimeoutError."""
    subject = make_person(client, SUBJECT_TURNS)
    questions = iter(make_questions(QUESTIONS_AT_MOST, seed=subject.user))

    def ask(one: Client, question: str) -> float:
        return one.search(subject.user, question).ms

    warm_up = make_questions(WARM_UP, seed=f"warm {uuid.uuid4().hex}")
    put_load(client, WARM_UP_CLIENTS, warm_up, lambda one, text: one.search(subject.user, text))
    alone_until = time.monotonic() + ALONE_S
    alone = list(_ask_steadily(client, questions, ask, lambda: time.monotonic() < alone_until))
    with ThreadPoolExecutor(1) as pool:
        began = time.monotonic()
        imported = pool.submit(_import, client.url, client.key, turns)
        beside = list(_ask_steadily(client, questions, ask, lambda: not imported.done()))
        return Import(alone, beside, began, imported.result())


def _import(url: str, key: str, turns: int) -> Person:
    """A hundred turns a call, over a connection of its own, until the last vector is there."""
    with closing(Client(url, key)) as client:
        return make_person(client, turns)


def _ask_steadily(
    client: Client, questions: Iterator[str], ask: Callable[[Client, str], float], goes_on: Callable[[], bool]
) -> Iterator[Asked]:
    """At fixed moments; those that pass while an answer is waited for are left out."""
    began = time.monotonic()
    with tqdm(desc="questions", unit="question") as bar:
        for moment in count(began, QUESTION_EVERY_S):
            if not goes_on():
                return
            if moment < time.monotonic() - QUESTION_EVERY_S:
                continue
            time.sleep(max(moment - time.monotonic(), 0))
            at = time.monotonic()
            yield Asked(at, ask(client, next(questions)))
            bar.update()


def render_import(told: Import) -> str:
    """A row for each stretch of time, and how long the import took."""
    stretches = {
        "alone": told.alone,
        "while the turns are stored": told.while_stored,
        "while their vectors are made": told.while_embedded,
        "the whole import": told.beside,
    }
    rows = [[name, *_cells(asked, told.alone)] for name, asked in stretches.items() if asked]
    imported = told.imported
    return (
        f"{render_table(HEADERS, rows)}\n\n"
        f"{imported.turns:,} turns, 100 a call, were stored in {imported.accepted_s:.0f} s "
        f"and had their vectors after {imported.embedded_s:.0f} s "
        f"({imported.turns / imported.embedded_s:.0f} a second)."
    )


def _cells(asked: Sequence[Asked], alone: Sequence[Asked]) -> list[Cell]:
    spread, base = (spread_of(one.ms for one in some) for some in (asked, alone))
    worst = max(one.ms for one in asked)
    return [len(asked), spread.p50, spread.p95, worst, spread.p50 / base.p50, spread.p95 / base.p95]
