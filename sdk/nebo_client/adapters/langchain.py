"""LangChain's chat history in a session of Nebo.

    RunnableWithMessageHistory(chain, lambda key: NeboChatMessageHistory(nebo.user("annie").session(key)))

Needs `nebo-client[langchain]`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain_core.chat_history import BaseChatMessageHistory
from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    message_to_dict,
    messages_from_dict,
)

from nebo_client.adapters.history import Entry, History
from nebo_client.adapters.steps import arun, run
from nebo_client.asynchronous import AsyncSession
from nebo_client.synchronous import Session

PLAIN: dict[str, Any] = {"user": HumanMessage, "assistant": AIMessage, "system": SystemMessage}
ROLES = {"human": "user", "ai": "assistant", "system": "system"}


class NeboChatMessageHistory(BaseChatMessageHistory):
    """The messages of a session. With an `AsyncSession` only the methods that begin with `a`."""

    def __init__(self, session: Session | AsyncSession) -> None:
        self._history = History(session)

    @property
    def messages(self) -> list[BaseMessage]:  # type: ignore[override, unused-ignore]
        """All since it was cleared last."""
        return _as_messages(run(self._history.nebo, self._history.read()))

    async def aget_messages(self) -> list[BaseMessage]:
        """The same."""
        return _as_messages(await arun(self._history.nebo, self._history.read()))

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Add them in one turn."""
        run(self._history.nebo, self._history.add([_as_entry(one) for one in messages]))

    async def aadd_messages(self, messages: Sequence[BaseMessage]) -> None:
        """The same."""
        await arun(self._history.nebo, self._history.add([_as_entry(one) for one in messages]))

    def clear(self) -> None:
        """Begin anew; what was said stays in Nebo."""
        run(self._history.nebo, self._history.clear())

    async def aclear(self) -> None:
        """The same."""
        await arun(self._history.nebo, self._history.clear())


def _as_entry(message: BaseMessage) -> Entry:
    role = ROLES.get(message.type)
    if role and isinstance(message.content, str) and message.content.strip() and not _has_calls(message):
        return Entry(role, message.content)
    return Entry("tool", data=message_to_dict(message))


def _has_calls(message: BaseMessage) -> bool:
    return bool(getattr(message, "tool_calls", None) or message.additional_kwargs)


def _as_messages(entries: Sequence[Entry]) -> list[BaseMessage]:
    """Messages of tools that weren't stored by us name no call, so there is no place for them."""
    found: list[BaseMessage] = []
    for entry in entries:
        if entry.data is not None:
            found += messages_from_dict([entry.data])
        elif entry.role in PLAIN:
            found.append(PLAIN[entry.role](content=entry.text))
    return found
