"""A `Session` for OpenAI's Agents SDK, kept by Nebo.

await Runner.run(agent, "Hello", session=NeboSession(nebo.user("annie").session("chat-1")))
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from nebo_client.adapters.history import PLAIN, Entry, History
from nebo_client.adapters.steps import arun
from nebo_client.asynchronous import AsyncSession
from nebo_client.synchronous import Session

TEXTS = ("input_text", "output_text")
OF_MESSAGES = frozenset({"role", "content", "type", "id", "status", "phase", "provider_data"})
SAYS_NOTHING = frozenset({"model", "response_id"})  # of the provider's data, to a later run


class NeboSession:
    """The items of a conversation. A `Session` of Nebo works in a thread, an `AsyncSession` without."""

    session_settings: Any = None

    def __init__(self, session: Session | AsyncSession) -> None:
        self.session_id = session.key
        self._history = History(session)

    async def get_items(self, limit: int | None = None) -> list[Any]:
        """All since it was cleared last, or the newest of them; oldest first."""
        most = limit if limit is not None else getattr(self.session_settings, "limit", None)
        entries = await arun(self._history.nebo, self._history.read())
        items = [_as_item(entry) for entry in entries if entry.data is not None or entry.role in PLAIN]
        return items if most is None else items[max(len(items) - most, 0) :]

    async def add_items(self, items: Sequence[Any]) -> None:
        """Add them in their order."""
        await arun(self._history.nebo, self._history.add([_as_entry(item) for item in items]))

    async def pop_item(self) -> Any | None:
        """Take the newest away and give it; in Nebo it stays."""
        entry = await arun(self._history.nebo, self._history.pop())
        return None if entry is None else _as_item(entry)

    async def clear_session(self) -> None:
        """Begin anew; what was said stays in Nebo."""
        await arun(self._history.nebo, self._history.clear())


def _as_entry(item: Any) -> Entry:
    text = _plain_text(item)
    if text.strip():
        return Entry(item["role"], text)
    return Entry("tool", data=dict(item))


def _plain_text(item: Any) -> str:
    """The words of a message that is nothing but words."""
    if item.get("role") not in PLAIN or not set(item) <= OF_MESSAGES:
        return ""
    if not set(item.get("provider_data") or ()) <= SAYS_NOTHING:
        return ""
    content = item.get("content")
    if isinstance(content, str):
        return content
    parts = list(content or ())
    if len(parts) != 1 or parts[0].get("type") not in TEXTS or parts[0].get("annotations"):
        return ""
    return str(parts[0]["text"])


def _as_item(entry: Entry) -> Any:
    return entry.data if entry.data is not None else {"role": entry.role, "content": entry.text}
