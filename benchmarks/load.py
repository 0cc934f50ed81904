"""Many calls by one client or by several at once, until they are done or the time is up."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from statistics import median
from typing import TypeVar

from benchmarks.client import Answer, Client
from benchmarks.timing import Spread, spread_of

LIMIT_S = 30  # a load ends after this time, however much of it is left

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Load:
    """Answers of one kind of call; `seconds` from the first to the last of them."""

    answers: Sequence[Answer]
    seconds: float

    @property
    def spread(self) -> Spread:
        """Of the milliseconds that callers waited."""
        return spread_of(answer.ms for answer in self.answers)

    @property
    def a_second(self) -> float:
        return len(self.answers) / self.seconds

    def part_ms(self, name: str) -> float | None:
        """The median of a part that the server names; None where it doesn't."""
        told = [answer.parts[name] for answer in self.answers if name in answer.parts]
        return median(told) if told else None


def put_load(client: Client, clients: int, items: Sequence[T], call: Callable[[Client, T], Answer]) -> Load:
    """Deal `items` out to `clients`, each with a connection of its own and one call at a time."""
    began = time.perf_counter()

    def work(share: Sequence[T]) -> list[Answer]:
        own, answers = Client(client.url, client.key), []
        for item in share:
            if time.perf_counter() - began > LIMIT_S:
                break
            answers.append(call(own, item))
        own.close()
        return answers

    with ThreadPoolExecutor(clients) as pool:
        shares = pool.map(work, [items[number::clients] for number in range(clients)])
        answers = [answer for share in shares for answer in share]
    return Load(answers, time.perf_counter() - began)


def join_loads(loads: Sequence[Load]) -> Load:
    """Several as one."""
    answers = [answer for load in loads for answer in load.answers]
    return Load(answers, sum(load.seconds for load in loads))
