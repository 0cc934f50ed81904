"""A provider's answer on its way to the client, and what is kept of it at its end."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from concurrent.futures import Future, wait
from threading import BoundedSemaphore
from typing import Protocol

import httpx
import structlog

from nebo.env import env
from nebo.product.gateway.dialects.dialect import Dialect
from nebo.product.gateway.events import EventReader, read_object
from nebo.product.gateway.recording import LONGEST_WAIT_S, Turn
from nebo.product.gateway.refusals import TooManyAtOnce

log = structlog.get_logger(__name__)

STREAM = "text/event-stream"
MAX_READ = 8 * 1024 * 1024  # bytes of an answer that is read for its words; longer ones are passed on unread
LEFT_TO_OTHERS = 2  # threads of a process that no completion takes: pages and other calls go on
_places = BoundedSemaphore(max(1, env.web_threads - LEFT_TO_OTHERS))


class Answer(Protocol):
    """Reads what passes by."""

    is_whole: bool

    def feed(self, piece: bytes) -> None:
        """The next piece."""

    def end(self) -> None:
        """There are no more."""

    @property
    def words(self) -> str:
        """What the model has said so far."""


class StreamedAnswer:
    """Made of events."""

    def __init__(self, dialect: Dialect) -> None:
        self.is_whole = False
        self._dialect = dialect
        self._events = EventReader()
        self._words: list[str] = []

    def feed(self, piece: bytes) -> None:
        for data in self._events.feed(piece):
            part = self._dialect.piece_of(data)
            self._words.append(part.text)
            self.is_whole = self.is_whole or part.is_end

    def end(self) -> None:
        """An end without the last event is none."""

    @property
    def words(self) -> str:
        return "".join(self._words)


class WholeAnswer:
    """One JSON document."""

    def __init__(self, dialect: Dialect) -> None:
        self.is_whole = False
        self._dialect = dialect
        self._body = bytearray()

    def feed(self, piece: bytes) -> None:
        if len(self._body) <= MAX_READ:
            self._body += piece

    def end(self) -> None:
        self.is_whole = True

    @property
    def words(self) -> str:
        if not self.is_whole or len(self._body) > MAX_READ:
            return ""
        return self._dialect.answer_in(read_object(self._body.decode("utf-8", "replace")))


class Relayed:
    """The pieces of an answer, each as soon as it comes.

    Only its end waits until the person's words are kept, which began when the provider was asked: whoever has the
    whole answer finds them. What the model said is kept when all is sent, or the client has gone.
    """

    def __init__(
        self, response: httpx.Response, answer: Answer | None = None, turn: Turn | None = None
    ) -> None:
        self._response = response
        self._answer = answer
        self._turn = turn
        self._question: Future[None] | None = None
        self._is_closed = False

    def wait_for(self, question: Future[None]) -> None:
        """The work that keeps the person's words."""
        self._question = question

    def __iter__(self) -> Iterator[bytes]:
        try:
            yield from self._pieces()
        except (
            httpx.HTTPError
        ) as error:  # the client must see that the answer isn't whole, as it would without Nebo
            log.warning("gateway.answer_broke_off", error=type(error).__name__)
            raise ConnectionResetError(errno.ECONNRESET, "the provider broke off") from None

    def _pieces(self) -> Iterator[bytes]:
        """Of a document the last is held back for a moment: by its length, the client knows that it is the last."""
        held = b""
        try:
            for piece in self._response.iter_bytes():
                self._read(piece)
                ready, held = (piece, b"") if self._passes_at_once() else (held, piece)
                if ready:
                    yield ready
        except httpx.HTTPError:
            if held:
                yield held
            raise
        if self._answer is not None:
            self._answer.end()
        self._end()
        if held:
            yield held

    def _passes_at_once(self) -> bool:
        return self._answer is None or isinstance(self._answer, StreamedAnswer)

    def _read(self, piece: bytes) -> None:
        if self._answer is not None:
            self._answer.feed(piece)
            if self._answer.is_whole:
                self._end()

    def _end(self) -> None:
        """All is said, and its end not yet sent."""
        answer, turn = self._answer, self._turn
        if turn is not None and answer is not None and answer.is_whole and self._response.is_success:
            turn.hear(answer.words)
        self._wait()

    def close(self) -> None:
        """Django and gunicorn call it at the end, whatever has happened."""
        if self._is_closed:
            return
        self._is_closed = True
        self._response.close()
        leave()
        self._wait()
        if self._turn is not None and self._answer is not None and self._response.is_success:
            self._turn.keep_answer(self._answer.words, is_whole=self._answer.is_whole)

    def _wait(self) -> None:
        question = self._question
        if question is None:
            return
        wait([question], LONGEST_WAIT_S)
        if question.done() and (error := question.exception()):
            log.error("gateway.turn_failed", error=type(error).__name__)


def enter() -> None:
    """Take a place for an answer that may take minutes. Raises TooManyAtOnce."""
    if not _places.acquire(blocking=False):
        raise TooManyAtOnce("All places are taken; NEBO_WEB_THREADS makes more.")


def leave() -> None:
    """Give it back."""
    _places.release()


def answer_of(response: httpx.Response, dialect: Dialect) -> Answer:
    """What reads this one."""
    is_stream = response.headers.get("content-type", "").startswith(STREAM)
    return StreamedAnswer(dialect) if is_stream else WholeAnswer(dialect)
