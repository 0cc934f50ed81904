"""LlamaIndex's memory, kept by Nebo.

    agent.run("Hello", memory=NeboMemory.from_defaults(session=nebo.user("annie").session("chat-1")))
    Memory.from_defaults(memory_blocks=[NeboMemoryBlock(session=nebo.user("annie").session("chat-1"))])

Needs `nebo-client[llama-index]`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from llama_index.core.base.llms.types import ChatMessage, MessageRole, TextBlock
from llama_index.core.memory import BaseMemory, BaseMemoryBlock
from pydantic import Field, PrivateAttr

from nebo_client.adapters.history import PLAIN, Entry, History
from nebo_client.adapters.steps import Steps, arun, run
from nebo_client.asynchronous import AsyncSession
from nebo_client.errors import ContinuityMissing
from nebo_client.synchronous import Session


class NeboMemory(BaseMemory):
    """The conversation, behind what Nebo knows for the question. An `AsyncSession` has only the methods with an `a`."""

    _history: History = PrivateAttr()

    def __init__(self, session: Session | AsyncSession) -> None:
        super().__init__()
        self._history = History(session)

    @classmethod
    def class_name(cls) -> str:
        """As LlamaIndex names it."""
        return "NeboMemory"

    @classmethod
    def from_defaults(cls, **kwargs: Any) -> NeboMemory:
        """`session`: Nebo's."""
        return cls(kwargs["session"])

    def get(self, input: str | None = None, **kwargs: Any) -> list[ChatMessage]:
        """What is known, as a system message, and the conversation."""
        return run(self._history.nebo, self._read(input))

    async def aget(self, input: str | None = None, **kwargs: Any) -> list[ChatMessage]:
        """The same."""
        return await arun(self._history.nebo, self._read(input))

    def get_all(self) -> list[ChatMessage]:
        """The conversation alone."""
        return _as_messages(run(self._history.nebo, self._history.read()))

    async def aget_all(self) -> list[ChatMessage]:
        """The same."""
        return _as_messages(await arun(self._history.nebo, self._history.read()))

    def put(self, message: ChatMessage) -> None:
        """Add one."""
        self.put_messages([message])

    async def aput(self, message: ChatMessage) -> None:
        """The same."""
        await self.aput_messages([message])

    def put_messages(self, messages: list[ChatMessage]) -> None:
        """Add them in one turn."""
        run(self._history.nebo, self._history.add([_as_entry(one) for one in messages]))

    async def aput_messages(self, messages: list[ChatMessage]) -> None:
        """The same."""
        await arun(self._history.nebo, self._history.add([_as_entry(one) for one in messages]))

    def set(self, messages: list[ChatMessage]) -> None:
        """Begin anew with these."""
        run(self._history.nebo, self._replace(messages))

    async def aset(self, messages: list[ChatMessage]) -> None:
        """The same."""
        await arun(self._history.nebo, self._replace(messages))

    def reset(self) -> None:
        """Begin anew; what was said stays in Nebo."""
        run(self._history.nebo, self._history.clear())

    async def areset(self) -> None:
        """The same."""
        await arun(self._history.nebo, self._history.clear())

    def _read(self, query: str | None) -> Steps[list[ChatMessage]]:
        known = yield from _known(self._history, query or "")
        entries = yield from self._history.read()
        told = [ChatMessage(known, role=MessageRole.SYSTEM)] if known else []
        return [*told, *_as_messages(entries)]

    def _replace(self, messages: Sequence[ChatMessage]) -> Steps[None]:
        yield from self._history.clear()
        yield from self._history.add([_as_entry(one) for one in messages])


class NeboMemoryBlock(BaseMemoryBlock[str]):
    """A block of LlamaIndex's `Memory`: what Nebo knows for the last question, and where old messages go."""

    name: str = "nebo"
    description: str | None = "What is known about the user from earlier conversations."
    session: Any = Field(exclude=True)
    _history: History = PrivateAttr()

    def model_post_init(self, context: Any) -> None:
        """Nothing is sent yet."""
        super().model_post_init(context)
        self._history = History(self.session)

    async def _aget(self, messages: list[ChatMessage] | None = None, **block_kwargs: Any) -> str:
        asked = [one.content for one in messages or () if one.role == MessageRole.USER and one.content]
        return await arun(self._history.nebo, _known(self._history, str(asked[-1]) if asked else ""))

    async def _aput(self, messages: list[ChatMessage]) -> None:
        await arun(self._history.nebo, self._history.add([_as_entry(one) for one in messages]))


def _known(history: History, query: str) -> Steps[str]:
    """What helps with a question; nothing where it goes back to something that Nebo doesn't know."""
    try:
        return (yield from history.known(query))
    except ContinuityMissing:
        return ""


def _as_entry(message: ChatMessage) -> Entry:
    role, text = str(message.role.value), message.content or ""
    is_words = all(isinstance(block, TextBlock) for block in message.blocks)
    extra = set(message.additional_kwargs) - {"session_id"}
    if role in PLAIN and is_words and not extra and text.strip():
        return Entry(role, text)
    return Entry("tool", data=message.model_dump(mode="json"))


def _as_messages(entries: Sequence[Entry]) -> list[ChatMessage]:
    return [
        ChatMessage.model_validate(entry.data)
        if entry.data is not None
        else ChatMessage(entry.text, role=MessageRole(entry.role))
        for entry in entries
        if entry.data is not None or entry.role in PLAIN
    ]
