"""What a running Nebo answers about one person, through the eyes of one persona; each list is fetched once."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import quote

from benchmarks.client import JSON, CallFailed, Client

SECTION_MARK = "\n\n---\n\n"
KNOWLEDGE = "## What You Know"
ABOUT_THE_PERSON = (KNOWLEDGE, "## User Information")
STYLE_MARK = "- personality/"  # what a line of What You Know begins with where it tells how to speak
FRAME = ("#", "<", "---")  # headings, fences and rules: they say nothing themselves
NOT_LIVE = ("quarantined", "superseded", "deleted")
BUDGET = 8_000  # tokens


@dataclass(frozen=True, slots=True)
class Asked:
    """A context: its whole text, or the reason why there is none."""

    text: str
    stable: str
    refused: str = ""


class View:
    """`ask` is what the context and the search are asked; `stranger` has the lines of a prompt for nobody known;
    `sessions` are those that were told."""

    def __init__(
        self,
        client: Client,
        user: str,
        persona: str,
        ask: str,
        stranger: frozenset[str],
        sessions: Sequence[str] = (),
    ) -> None:
        self._client, self._user, self._persona, self._ask = client, user, persona, ask
        self._stranger, self._sessions = stranger, tuple(sessions)
        self._person = f"users/{quote(user, safe='')}"

    @cached_property
    def memories(self) -> list[JSON]:
        """The live ones."""
        return self._list("memories/?limit=100")

    @cached_property
    def not_live(self) -> list[str]:
        """What became of the others."""
        return [
            f"{memory['value']} ({' '.join((status, memory.get('quarantine_reason', ''))).strip()})"
            for status in NOT_LIVE
            for memory in self._list(f"memories/?status={status}&limit=100")
        ]

    @cached_property
    def in_review(self) -> list[JSON]:
        """Those that wait."""
        return self._list("memories/?status=quarantined&limit=100")

    @cached_property
    def superseded(self) -> list[JSON]:
        """Those that were once so."""
        return self._list("memories/?status=superseded&limit=100")

    @cached_property
    def live_once_undone(self) -> list[str]:
        """What is live when the newest run that did anything is taken back: one call, and it changes what there is."""
        applied = [run for run in self._list("extraction-runs/?limit=100") if run["status"] == "applied"]
        if not applied:
            return ["(no run)"]
        self._client.call("POST", f"{self._person}/extraction-runs/{applied[0]['id']}/revert/", {})
        return [memory["value"] for memory in self._list("memories/?limit=100")]

    @cached_property
    def summaries(self) -> list[str]:
        """Every line of what was summarised: of sessions, on the way, of all; and the tasks."""
        rolling = [one["text"] for one in self._list("rolling-summaries/?limit=100")]
        texts = [*rolling, *self._spine(), *(text for id in self._sessions for text in self._told_of(id))]
        return [line for text in texts for line in text.splitlines() if line.strip()]

    def _spine(self) -> list[str]:
        try:
            return [str(self._read("spine/")["content"])]
        except CallFailed as refused:
            if refused.status != 404:
                raise
            return []

    def _told_of(self, session: str) -> Iterator[str]:
        at = f"sessions/{session}"
        here = self._client.call("GET", f"{at}/").body
        yield from (str(here.get(name) or "") for name in ("summary", "active_task"))
        for one in self._client.call("GET", f"{at}/summaries/").body["results"]:
            yield one["one_liner"]
            for name in ("what_mattered", "open_loops", "commitments", "people"):
                yield from one[name]

    @cached_property
    def todos(self) -> list[JSON]:
        """All, whatever became of them."""
        return self._list("todos/?status=all&limit=100")

    @cached_property
    def forget_requests(self) -> list[JSON]:
        """Those that wait for a decision."""
        return self._list("forget-requests/?limit=100")

    @cached_property
    def styles(self) -> list[str]:
        """How the person likes to be spoken to, as observed."""
        at = f"?persona={self._persona}" if self._persona else ""
        return [style["value"] for style in self._read(f"personality/{at}")["styles"]]

    @cached_property
    def prompt(self) -> list[str]:
        """Lines of the stable part of the next session's prompt that nobody else's has."""
        return self._without_strangers(self._stable.splitlines())

    @cached_property
    def manner(self) -> list[str]:
        """Those of them that tell the agent how to be, rather than what it knows; and the styles."""
        return [*self._without_strangers(_manner_lines(self._stable)), *self.styles]

    @cached_property
    def _stable(self) -> str:
        return self._ask_context("", lean=True).stable

    def _without_strangers(self, lines: Iterable[str]) -> list[str]:
        return [line for line in lines if line not in self._stranger and not line.startswith(FRAME)]

    @cached_property
    def context(self) -> Asked:
        """What a new session's prompt holds for the question."""
        return self._ask_context(self._ask)

    @cached_property
    def found(self) -> list[str]:
        """Texts that the search finds for the question."""
        body: JSON = {"query": self._ask, "limit": 20}
        if self._persona:
            body["persona"] = self._persona
        answer = self._client.call("POST", f"{self._person}/search/", body)
        return [result["text"] for result in answer.body["results"]]

    def seen(self, *, closer: bool = False) -> dict[str, list[str]]:
        """What was looked at, in words; a closer look also asks what became of memories that are not live."""
        looked_at = {*self.__dict__} | ({"not_live"} if closer and "memories" in self.__dict__ else set())
        return {name.replace("_", " "): tell(self) for name, tell in TOLD.items() if name in looked_at}

    def _ask_context(self, query: str, *, lean: bool = False) -> Asked:
        """Of a session that is new each time."""
        body = {"user": self._user, "key": f"look-{uuid.uuid4().hex}", "auto_extract": False}
        if self._persona:
            body["persona"] = self._persona
        session = self._client.call("POST", "sessions/", body).body["id"]
        options = {"query": query, "format": "text", "token_budget": BUDGET, "lean": lean}
        try:
            answer = self._client.call("POST", f"sessions/{session}/context/", options).body
        except CallFailed as refused:
            if refused.status != 409:
                raise
            return Asked("", "", str(refused))
        return Asked(answer["text"], answer["stable"])

    def _list(self, path: str) -> list[JSON]:
        rows: list[JSON] = self._read(path)["results"]
        return rows

    def _read(self, path: str) -> JSON:
        return self._client.call("GET", f"{self._person}/{path}").body


# Each list in words, under the name it is kept by once it was fetched.
TOLD: dict[str, Callable[[View], list[str]]] = {
    "memories": lambda view: [memory["value"] for memory in view.memories],
    "not_live": lambda view: view.not_live,
    "todos": lambda view: [tell_todo(todo) for todo in view.todos],
    "forget_requests": lambda view: [asked["what"] for asked in view.forget_requests],
    "prompt": lambda view: view.prompt,
    "manner": lambda view: view.manner,
    "found": lambda view: view.found,
    "in_review": lambda view: [f"{one['value']} ({one['quarantine_reason']})" for one in view.in_review],
    "summaries": lambda view: view.summaries,
    "live_once_undone": lambda view: view.live_once_undone,
    "context": lambda view: [view.context.refused or view.context.text.removeprefix(view.context.stable)],
}


def read_stranger(client: Client, persona: str) -> frozenset[str]:
    """The lines a persona's prompt has for everyone."""
    nobody = View(client, f"stranger-{uuid.uuid4().hex}", persona, "", frozenset())
    return frozenset(nobody.prompt)


def tell_todo(todo: JSON) -> str:
    """`Call the dentist (open, due 2031-03-07)`."""
    due = f", due {todo['due_at'][:10]}" if todo["due_at"] else ""
    return f"{todo['text']} ({todo['status']}{due})"


def _manner_lines(stable: str) -> Iterator[str]:
    for section in stable.split(SECTION_MARK):
        lines: list[str] = section.splitlines()
        if not section.startswith(ABOUT_THE_PERSON):
            yield from lines
        elif section.startswith(KNOWLEDGE):
            yield from (line for line in lines if line.startswith(STYLE_MARK))
