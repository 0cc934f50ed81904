"""Somebody who goes on talking while models are exchanged: is each turn found at once, and by either's vectors?"""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, field

from benchmarks.chatter import make_turns
from benchmarks.client import Client
from benchmarks.conversations import Turn
from benchmarks.recall import list_named_messages

EVERY_S = 2.0
TURNS_AT_MOST = 2_000
VECTOR_AFTER_S = 15.0  # when a turn is expected to have its vector, with both workers busy


@dataclass(frozen=True, slots=True)
class Look:
    """How many turns were looked for by their vectors, and how many were found."""

    wanted: int = 0
    found: int = 0


@dataclass(slots=True)
class Newcomer:
    """Turns with the moments they were written, and how many of them the next search found."""

    user: str = field(default_factory=lambda: f"newcomer-{uuid.uuid4().hex[:6]}")
    written: list[tuple[float, Turn]] = field(default_factory=list)
    found_at_once: int = 0
    _stopped: threading.Event = field(default_factory=threading.Event)

    @contextmanager
    def talking(self, client: Client) -> Iterator[None]:
        """A turn every two seconds as long as the block runs. Raises at its end what the last of them raised."""
        with ThreadPoolExecutor(1) as pool:
            talk = pool.submit(self._talk, client)
            try:
                yield
            finally:
                self._stopped.set()
            talk.result()

    def look(self, client: Client) -> Look:
        """Look for what was written some time ago by vectors alone: its own words must lead to it first of all."""
        due = [turn for at, turn in list(self.written) if at < time.monotonic() - VECTOR_AFTER_S]
        return Look(len(due), sum(self._leads(client, turn) for turn in due))

    def _talk(self, client: Client) -> None:
        with closing(Client(client.url, client.key)) as own:
            session = own.open_session(self.user, self.user)
            for turn in make_turns(TURNS_AT_MOST, seed=self.user):
                own.post_turn(session, [turn.as_message()])
                self.found_at_once += turn.id in self._find(own, turn)
                self.written.append((time.monotonic(), turn))
                if self._stopped.wait(EVERY_S):
                    return

    def _leads(self, client: Client, turn: Turn) -> bool:
        return self._find(client, turn, ranking="dense")[:1] == (turn.id,)

    def _find(self, client: Client, turn: Turn, **options: str) -> tuple[str, ...]:
        answer = client.search(self.user, turn.text, sources=["session"], **options)
        return list_named_messages(answer.body["results"])
