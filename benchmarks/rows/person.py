"""Somebody who talks to a running Nebo through an agent: what is told, and what comes of it, over HTTP."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, date, datetime, time, timedelta
from time import monotonic as time_now
from time import sleep as pause
from typing import Any, TypeVar
from urllib.parse import quote

from benchmarks.client import JSON, CallFailed, Client

HOUR = time(10, 0, tzinfo=UTC)  # of what is said on a day that is named
ENDED = {"succeeded", "dead"}
WAITS = 12  # times 30 s for a job
ROLES = ("user", "assistant", "tool")
BUDGET = 8_000  # tokens
PATIENCE_S = 60  # for a job that nobody hands us; on a busy machine it comes late
POLL_S = 0.5

T = TypeVar("T")


class Talk:
    """A session."""

    def __init__(self, client: Client, user: str, key: str, **options: Any) -> None:
        self._client = client
        body = {"user": user, "key": key, "auto_extract": True, **options}
        self.id = str(client.call("POST", "sessions/", body).body["id"])
        self._minutes = itertools.count()

    def say(self, *lines: str, on: date | datetime | None = None, at_once: bool = False) -> JSON:
        """A turn a line, or all in one; `assistant: …` and `tool name: …` are others'. The last turn's answer."""
        messages = [self._message(line, on) for line in lines]
        turns = [messages] if at_once else [[message] for message in messages]
        return [self._client.post_turn(self.id, turn).body for turn in turns][-1]

    def learned(self) -> JSON:
        """The extraction's job once it ended."""
        return self.run("extract")

    def run(self, what: str) -> JSON:
        """The job of `extract`, `flush`, `compact` or `close` once it ended."""
        for _ in range(WAITS):
            job: JSON = self._client.call("POST", f"sessions/{self.id}/{what}/?wait=30").body["job"]
            if job["state"] in ENDED:
                return job
        raise TimeoutError(f"The job {what} is still {job['state']}.")

    def context(self, query: str = "", *, budget: int = BUDGET, **options: Any) -> JSON:
        """The answer of `context/`; `text` is the whole prompt."""
        body = {"query": query, "token_budget": budget, "format": "text", **options}
        return self.call("POST", "context/", body)

    def prompt(self, query: str = "", **options: Any) -> str:
        """The whole prompt as a text; why it was refused, where it was."""
        try:
            return str(self.context(query, **options)["text"])
        except CallFailed as refused:
            if refused.status != 409:
                raise
            return f"refused: {refused}"

    def messages(self) -> list[JSON]:
        """All of them, the first hundred."""
        return list(self.call("GET", "messages/?limit=100")["results"])

    def call(self, method: str, path: str = "", body: JSON | None = None) -> JSON:
        """Of an address below this session's."""
        return self._client.call(method, f"sessions/{self.id}/{path}", body).body

    def _message(self, line: str, on: date | datetime | None) -> JSON:
        role, colon, content = line.partition(": ")
        name = role.removeprefix("tool ") if role.startswith("tool ") else ""
        role = "tool" if name else role
        message: JSON = {"role": role, "content": content, "name": name}
        if not colon or role not in ROLES:
            message = {"role": "user", "content": line}
        if on is not None:
            start = on if isinstance(on, datetime) else datetime.combine(on, HOUR)
            message["created_at"] = (start + timedelta(minutes=next(self._minutes))).isoformat()
        return message


class Person:
    """Each case has one of its own, so that cases know nothing of each other."""

    def __init__(self, client: Client, name: str) -> None:
        self._client, self.name = client, name
        self._talks = itertools.count(1)

    def talk(self, **options: Any) -> Talk:
        """A new session."""
        return Talk(self._client, self.name, f"{self.name}-{next(self._talks)}", **options)

    def say(self, *lines: str, on: date | datetime | None = None, **options: Any) -> Talk:
        """In a new session, each line a turn; back when all of it was read."""
        talk = self.talk(**options)
        talk.say(*lines, on=on)
        talk.learned()
        return talk

    def call(self, method: str, path: str = "", body: JSON | None = None) -> JSON:
        """Of an address below this person's."""
        return self._client.call(method, f"users/{quote(self.name, safe='')}/{path}", body).body

    def memory(self, method: str, id: str, path: str = "", body: JSON | None = None) -> JSON:
        """Of an address below a memory's."""
        return self._client.call(method, f"memories/{id}/{path}", body).body

    def any(self, method: str, path: str, body: JSON | None = None) -> JSON:
        """Of any address."""
        return self._client.call(method, path, body).body

    def note(self, value: str, **options: Any) -> JSON:
        """A memory that an agent writes."""
        return self.call("POST", "memories/", {"value": value, **options})

    def list(self, path: str) -> list[JSON]:
        """All rows of a list, page by page."""
        return list(self._pages(f"users/{quote(self.name, safe='')}/{path}"))

    def list_of(self, path: str) -> list[JSON]:
        """The same of any address."""
        return list(self._pages(path))

    def _pages(self, path: str) -> Iterator[JSON]:
        sign, cursor = "&" if "?" in path else "?", ""
        while True:
            answer = self._client.call("GET", f"{path}{sign}limit=100{cursor}").body
            yield from answer["results"]
            if not answer.get("next"):
                return
            cursor = f"&cursor={answer['next']}"

    def memories(self, **filters: str) -> list[JSON]:
        """Live ones unless `status` says otherwise."""
        return self.list(f"memories/{_asking(filters)}")

    def values(self, **filters: str) -> list[str]:
        """What they say."""
        return [str(memory["value"]) for memory in self.memories(**filters)]

    def todos(self, **filters: str) -> list[JSON]:
        """Open ones unless `status` says otherwise."""
        return self.list(f"todos/{_asking(filters)}")

    def prompt(self, query: str = "", **options: Any) -> str:
        """The whole prompt of a new session; `persona` is whose."""
        persona = options.pop("persona", None)
        talk = self.talk(auto_extract=False, **({"persona": persona} if persona else {}))
        return talk.prompt(query, **options)

    def stable(self, **options: Any) -> str:
        """The stable part of a new session's prompt."""
        talk = self.talk(auto_extract=False, **options)
        return str(talk.context("", lean=True)["stable"])

    def search(self, query: str, **options: Any) -> list[str]:
        """Texts of what is found."""
        found = self.call("POST", "search/", {"query": query, **options})["results"]
        return [str(one["text"]) for one in found]

    def recall(self, query: str, **options: Any) -> str:
        """The block; empty where nothing is near enough."""
        return str(self.call("POST", "recall/", {"query": query, **options})["block"])

    def tool(self, action: str, **options: Any) -> str:
        """What the memory tool answers a model."""
        return str(self.call("POST", "tool/", {"action": action, **options})["text"])

    def curate(self) -> None:
        """Once the run of the curator ended."""
        job = self.call("POST", "curation/?wait=30")["job"]
        until(lambda: self.any("GET", f"jobs/{job['id']}/"), lambda now: now["state"] in ENDED)

    def await_jobs(self, kind: str) -> None:
        """Until all of a kind have ended that wait or run now, whoever they are for."""
        waiting = [
            str(job["id"])
            for state in ("queued", "running")
            for job in self._pages(f"jobs/?kind={kind}&state={state}")
        ]
        for job in waiting:
            until(lambda id=job: self.any("GET", f"jobs/{id}/")["state"], ENDED.__contains__)

    def cards(self, ref: str = "") -> list[str]:
        """Cards of people and things."""
        return [str(card["text"]) for card in self.list(f"entities/{_asking({'ref': ref} if ref else {})}")]


def _asking(filters: Mapping[str, str]) -> str:
    return "?" + "&".join(f"{name}={quote(value)}" for name, value in filters.items()) if filters else ""


def until(ask: Callable[[], T], wanted: Callable[[T], object], *, limit_s: float = PATIENCE_S) -> T:
    """What is answered once it is as wanted, or at the end of our patience: for what a job does on its own."""
    deadline = time_now() + limit_s
    while not wanted(found := ask()) and time_now() < deadline:
        pause(POLL_S)
    return found
