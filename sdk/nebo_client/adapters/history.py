"""A session as frameworks keep a conversation: entries that can be added, popped and cleared.

Nebo's messages are never changed. So what is popped or cleared is noted as a message of its own, and whoever reads
the conversation leaves it out; for Nebo it was said all the same. Plain words are stored as what they are, and learned
from. What isn't plain (calls of tools, pictures) is kept as JSON in a message of the role `tool`, which nothing is
learned from.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from nebo_client.adapters.steps import Steps, pages
from nebo_client.asynchronous import AsyncNebo, AsyncSession
from nebo_client.shapes import NewMessage
from nebo_client.synchronous import Nebo, Session
from nebo_client.wire import at, given, post

NAME = "nebo-history"  # of messages that aren't plain words
AT_ONCE = 500  # messages of a turn
PLAIN = ("user", "assistant", "system")


@dataclass(frozen=True, slots=True)
class Entry:
    """Words of somebody, or `data` that only the framework understands."""

    role: str
    text: str = ""
    data: dict[str, Any] | None = None


class History:
    """The entries of one session, whichever client it is of."""

    def __init__(self, session: Session | AsyncSession) -> None:
        self.nebo: Nebo | AsyncNebo = session.user.nebo
        self.session = session
        self._id = ""

    def read(self) -> Steps[list[Entry]]:
        """All that is there."""
        session_id = yield from self._open()
        rows = yield from pages(at("sessions", session_id, "messages"))
        return replay(rows)

    def add(self, entries: Sequence[Entry]) -> Steps[None]:
        """Add them in their order."""
        yield from self._store([_as_message(entry) for entry in entries])

    def pop(self) -> Steps[Entry | None]:
        """Take the newest away and give it."""
        entries = yield from self.read()
        if not entries:
            return None
        yield from self._store([_note("pop")])
        return entries[-1]

    def clear(self) -> Steps[None]:
        """Begin anew."""
        if (yield from self.read()):
            yield from self._store([_note("clear")])

    def known(self, query: str) -> Steps[str]:
        """What Nebo knows that helps with a question, ready for a prompt."""
        session_id = yield from self._open()
        body = given(query=query or None, format="sections")
        context = yield post(at("sessions", session_id, "context"), body)
        return "\n\n".join(part for part in (context["stable"], context["dynamic"]) if part)

    def _open(self) -> Steps[str]:
        if not self._id:
            one = self.session
            body = given(user=one.user.id, key=one.key, persona=one._persona, **one._options)
            self._id = (yield post(at("sessions"), body))["id"]
        return self._id

    def _store(self, messages: Sequence[NewMessage]) -> Steps[None]:
        session_id = yield from self._open()
        for first in range(0, len(messages), AT_ONCE):
            body = {"messages": list(messages[first : first + AT_ONCE])}
            yield post(at("sessions", session_id, "turns"), body)


def replay(rows: Sequence[dict[str, Any]]) -> list[Entry]:
    """What is left of messages, oldest first."""
    entries: list[Entry] = []
    for row in rows:
        kept = _read_note(row)
        if kept is None:
            entries.append(Entry(row["role"], row["content"]))
        elif kept["is"] == "item":
            entries.append(Entry("tool", data=kept["data"]))
        elif kept["is"] == "clear":
            entries.clear()
        else:
            del entries[-1:]
    return entries


def _as_message(entry: Entry) -> NewMessage:
    if entry.data is None and entry.role in PLAIN and entry.text.strip():
        return {"role": entry.role, "content": entry.text}  # type: ignore[typeddict-item]
    return _note("item", entry.data or {"role": entry.role, "content": entry.text})


def _note(what: str, data: dict[str, Any] | None = None) -> NewMessage:
    content = json.dumps(given(**{"is": what, "data": data}), ensure_ascii=False, default=str)
    return {"role": "tool", "name": NAME, "content": content}


def _read_note(row: dict[str, Any]) -> dict[str, Any] | None:
    """What a message of ours says; None for one that is plain, or that lost words since."""
    if row["role"] != "tool" or row["name"] != NAME:
        return None
    try:
        kept = json.loads(row["content"])
    except ValueError:
        return None
    return kept if isinstance(kept, dict) and kept.get("is") in ("item", "clear", "pop") else None
