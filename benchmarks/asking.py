"""Questions asked without a pause while something else goes on: what was found, when, and what failed."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from http.client import HTTPException
from itertools import count

from benchmarks.client import CallFailed, Client
from benchmarks.quality import Subject
from benchmarks.recall import list_named_messages

LIMIT = 50  # results a search is asked for
NEWNESS = 1e-9  # a least score that differs with each asking and keeps nothing out: no answer is a kept one


@dataclass(frozen=True, slots=True)
class Reply:
    """To the question of that number: what was found, in its order, or why it failed. By time.monotonic()."""

    number: int
    asked_at: float
    answered_at: float
    found: tuple[str, ...] = ()
    failure: str = ""

    @property
    def ms(self) -> float:
        return (self.answered_at - self.asked_at) * 1000


@dataclass(slots=True)
class Asker:
    """Several clients, each going through a person's questions again and again; `replies` grows meanwhile."""

    subject: Subject
    replies: list[Reply] = field(default_factory=list)
    _asked: Iterator[int] = field(default_factory=count)
    _calls: Iterator[int] = field(default_factory=count)
    _stopped: threading.Event = field(default_factory=threading.Event)

    @contextmanager
    def asking(self, client: Client, clients: int) -> Iterator[None]:
        """Ask as long as the block runs."""
        threads = [threading.Thread(target=self._work, args=(client,)) for _ in range(clients)]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self._stopped.set()
            for thread in threads:
                thread.join()

    def ask_all(self, client: Client) -> list[tuple[str, ...]]:
        """Each question once; what was found. Not among the replies. Raises CallFailed."""
        numbers = range(len(self.subject.conversation.questions))
        return [self._search(client, number) for number in numbers]

    def list_within(self, began: float, ended: float) -> list[Reply]:
        """Replies to what was asked after the one moment and answered before the other."""
        return [one for one in self.replies if one.asked_at >= began and one.answered_at <= ended]

    def list_around(self, began: float, ended: float) -> list[Reply]:
        """Replies that any of this time went into."""
        return [one for one in self.replies if one.answered_at > began and one.asked_at < ended]

    def _work(self, client: Client) -> None:
        with closing(Client(client.url, client.key)) as own:
            while not self._stopped.is_set():
                self.replies.append(self._ask(own))

    def _ask(self, client: Client) -> Reply:
        number = next(self._asked) % len(self.subject.conversation.questions)
        began = time.monotonic()
        try:
            found = self._search(client, number)
        except (CallFailed, OSError, HTTPException) as error:
            return Reply(number, began, time.monotonic(), failure=str(error) or type(error).__name__)
        return Reply(number, began, time.monotonic(), found)

    def _search(self, client: Client, number: int) -> tuple[str, ...]:
        question = self.subject.conversation.questions[number]
        new = NEWNESS * (1 + next(self._calls))
        answer = client.search(
            self.subject.user, question.text, limit=LIMIT, sources=["session"], min_score=new
        )
        return list_named_messages(answer.body["results"])
