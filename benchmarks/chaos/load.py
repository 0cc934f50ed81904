"""People who go on talking while everything is killed, and who remember what the server has acknowledged.

A turn that isn't answered, or is answered with an error of the server, is sent again with the same idempotency key and
the same external ids until it is acknowledged, as a good client does.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field

import httpx
from tqdm import tqdm

TALKERS = 4
TIMEOUT_S = 20.0
PAUSE_S = 0.25  # before the same turn is sent again
FACTS = (
    "I keep {n} bees in hive {n}.",
    "My cousin number {n} lives in street {n} of Ghent.",
    "Ich arbeite seit {n} Wochen an Projekt {n}.",
    "Remind me to pay invoice {n}.",
    "El jueves llamo al cliente {n}.",
)
ANSWER = "Noted, number {n}."


@dataclass(slots=True)
class Talker:
    """One person in sessions of so many turns, one turn after the other."""

    name: str
    client: httpx.Client
    every_s: float = 0.0  # from one turn to the next
    turns_a_session: int = 20
    acknowledged: list[tuple[str, str]] = field(default_factory=list)  # session, external id of the turn
    tries: int = 0
    errors: dict[str, int] = field(default_factory=dict)

    def talk(self, stop: threading.Event, bar: tqdm[None]) -> None:
        """Until told to stop; a turn that was begun is brought to its end."""
        number = 0
        session = ""
        while not stop.is_set():
            began = time.monotonic()
            if number % self.turns_a_session == 0:
                session = self._open_session(number // self.turns_a_session)
            self._say(session, number)
            number += 1
            bar.update()
            stop.wait(max(0.0, self.every_s - (time.monotonic() - began)))

    def _open_session(self, number: int) -> str:
        body = {"user": self.name, "key": f"{self.name}-{number}"}
        return str(self._until_acknowledged("sessions/", body)["id"])

    def _say(self, session: str, number: int) -> None:
        told = FACTS[number % len(FACTS)].format(n=number)
        name = f"{self.name}-{number}"
        messages = [
            {"role": "user", "content": told, "external_id": f"{name}-u"},
            {"role": "assistant", "content": ANSWER.format(n=number), "external_id": f"{name}-a"},
        ]
        self._until_acknowledged(f"sessions/{session}/turns/", {"messages": messages})
        self.acknowledged += [(session, f"{name}-u"), (session, f"{name}-a")]

    def _until_acknowledged(self, path: str, body: dict[str, object]) -> dict[str, object]:
        headers = {"Idempotency-Key": uuid.uuid4().hex}
        for answer in self._tries(path, body, headers):
            if answer.is_success:
                return dict(answer.json())
            if answer.status_code < 500 and answer.status_code not in (409, 429):
                raise RuntimeError(f"{path}: {answer.status_code} {answer.text[:300]}")
            self._note(str(answer.status_code))
        raise AssertionError("unreachable")

    def _tries(self, path: str, body: dict[str, object], headers: dict[str, str]) -> Iterator[httpx.Response]:
        while True:
            self.tries += 1
            try:
                yield self.client.post(path, json=body, headers=headers)
            except httpx.HTTPError as error:
                self._note(type(error).__name__)
            time.sleep(PAUSE_S)

    def _note(self, what: str) -> None:
        self.errors[what] = self.errors.get(what, 0) + 1


def make_talkers(url: str, key: str, count: int, *, every_s: float) -> list[Talker]:
    """People with a connection each."""
    return [
        Talker(
            f"person-{number}",
            httpx.Client(
                base_url=f"{url}/api/v1/", headers={"Authorization": f"Bearer {key}"}, timeout=TIMEOUT_S
            ),
            every_s,
        )
        for number in range(count)
    ]
