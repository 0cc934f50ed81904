"""Completions with a memory, for ordinary programs; made by `python sdk/mirror.py`."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from nebo_client.completions import Dialect, find_dialect, is_asynchronous, question_of
from nebo_client.errors import NeboError
from nebo_client.shapes import NewMessage

if TYPE_CHECKING:
    from nebo_client.synchronous import Session

log = logging.getLogger("nebo_client")
ASYNCHRONOUS = False
Client = TypeVar("Client")


@contextmanager
def remember(
    client: Client, session: Session, *, token_budget: int | None = None
) -> Iterator[Client]:
    """Within the block, each completion of the client knows what is known, and is stored with its question.

    `client`: OpenAI's or Anthropic's. A Nebo that fails never fails a completion: it is logged, and the model asked
    without memory. What can't be stored waits in the outbox, if there is one.
    """
    if is_asynchronous(client) is not ASYNCHRONOUS:
        raise TypeError("Nebo goes with a synchronous client, AsyncNebo with an asynchronous one")
    holder, dialect = find_dialect(client)
    ask = holder.create
    holder.create = Memory(ask, session, dialect, token_budget).create
    try:
        yield client
    finally:
        holder.create = ask


class Memory:
    """Stands in for a client's `create`."""

    def __init__(self, ask: Any, session: Session, dialect: Dialect, token_budget: int | None) -> None:
        self._ask = ask
        self._session = session
        self._dialect = dialect
        self._budget = token_budget
        self._stored = (0, "")

    def create(self, **asked: Any) -> Any:
        """The provider's own answer, or its stream."""
        question = question_of(asked["messages"])
        answer = self._ask(**self._with_memory(asked, question[1]))
        if asked.get("stream"):
            return Recorded(answer, self, question)
        self.store(question, self._dialect.text_of(answer))
        return answer

    def text_of_part(self, part: Any) -> str:
        """The words that a part of a stream adds."""
        return self._dialect.text_of_part(part)

    def store(self, question: tuple[int, str], answer: str) -> None:
        """Both sides. The question only once, however many calls of tools lie between it and the answer."""
        turn: list[NewMessage] = []
        if question[1] and question != self._stored:
            turn.append({"role": "user", "content": question[1]})
        if answer.strip():
            turn.append({"role": "assistant", "content": answer})
        self._stored = question
        try:
            if turn:
                self._session.add(turn)
        except NeboError as error:
            log.warning("a turn was not stored: %s", error)

    def _with_memory(self, asked: dict[str, Any], query: str) -> dict[str, Any]:
        try:
            context = self._session.context(
                query, token_budget=self._budget, format=self._dialect.format
            )
        except NeboError as error:
            log.warning("asked without memory: %s", error)
            return asked
        return self._dialect.add(asked, context)


class Recorded:
    """A provider's stream, passed on part by part, and stored when it ends or is left."""

    def __init__(self, stream: Any, memory: Memory, question: tuple[int, str]) -> None:
        self._stream = stream
        self._memory = memory
        self._question: tuple[int, str] | None = question
        self._told: list[str] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def __iter__(self) -> Iterator[Any]:
        try:
            for part in self._stream:
                self._told.append(self._memory.text_of_part(part))
                yield part
        finally:
            self._store()

    def __enter__(self) -> Self:
        self._stream.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._stream.__exit__(kind, error, trace)
        finally:
            self._store()

    def _store(self) -> None:
        question, self._question = self._question, None
        if question is not None:
            self._memory.store(question, "".join(self._told))
