"""What is kept of a completion: the person's words and the model's, each once however often a client asks again."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from threading import Event
from typing import NamedTuple, ParamSpec

import structlog
from django.db import DatabaseError, close_old_connections, connection
from django.utils import timezone

from nebo.api.agent import NOBODY, Refused
from nebo.api.idempotency import HEADER, KEPT
from nebo.encoders import threads
from nebo.product.gateway.asked import ASSISTANT, USER, Asked, storable
from nebo.product.gateway.conversation import Conversation
from nebo.product.gateway.door import Visit
from nebo.reading.meaning.reader import read_all
from nebo.tenants.scoping import tenant_scope
from sessions.api.views import TurnView
from sessions.learning.turn import TURN_SENTENCES

log = structlog.get_logger(__name__)

ASKED_AGAIN = timedelta(minutes=10)  # within which the same request is taken for the same question
WHOLE, PART = "answer", "part"
AT_ONCE_S = (
    0.005  # an answer that is there by then is kept together with its question, at little more than its cost
)
THREADS = 4  # turns that a process learns from while their answers are under way
LONGEST_WAIT_S = 10.0  # for the person's words to be kept, before the end of the answer goes out without it

# What was kept of a question last, itself or an answer. Asked while somebody waits: the ORM takes five times as long.
FIND_NEWEST = """
SELECT external_id, recorded_at FROM agent_sessions_message
WHERE tenant_id = %s AND session_id = %s AND external_id LIKE %s ORDER BY seq DESC LIMIT 1
"""

P = ParamSpec("P")


class _Kept(NamedTuple):
    """A message of a turn: what it is called, and when it was kept."""

    name: str
    at: datetime


@dataclass(slots=True)
class Turn:
    """One question and its answer, on their way into a session. `name` is the question's once it is kept."""

    conversation: Conversation
    asked: Asked
    idempotency_key: str = ""
    is_retry: bool = False  # the client says so
    name: str = field(default="", init=False)
    _answer: str = field(default="", init=False)
    _is_answered: Event = field(default_factory=Event, init=False)
    _has_both: bool = field(default=False, init=False)

    def keep_question(self) -> None:
        """Before the answer ends, so that whoever asks next finds it; with the answer if that is there at once. A
        failure is logged, and no more.
        """
        words = storable(self.asked.question)
        if not words:
            return
        try:
            self.name = self._name()
            self._is_answered.wait(AT_ONCE_S)
            answer = self._answer
            both = [self._message_of_answer(answer, is_whole=True)] if answer else []
            self._keep([_message(USER, words, self.name), *both])
            self._has_both = bool(both)
        except (Refused, DatabaseError) as error:
            log.warning("gateway.turn_not_kept", code=code_of(error))

    def hear(self, words: str) -> None:
        """The whole answer, before its end is sent."""
        self._answer = storable(words)
        self._is_answered.set()

    def keep_answer(self, words: str, *, is_whole: bool) -> None:
        """Whatever came of it, unless it is kept already. Once the question is."""
        words = storable(words)
        if not words or not self.name or self._has_both:
            return
        try:
            self._keep([self._message_of_answer(words, is_whole=is_whole)])
        except (Refused, DatabaseError) as error:
            log.warning("gateway.turn_not_kept", code=code_of(error))

    def _message_of_answer(self, words: str, *, is_whole: bool) -> dict[str, str]:
        digest = hashlib.sha256(words.encode()).hexdigest()[:16]
        return _message(ASSISTANT, words, f"{self.name}.{WHOLE if is_whole else PART}-{digest}")

    def _keep(self, messages: list[dict[str, str]]) -> None:
        agent, session_id = self.conversation.agent, self.conversation.session_id
        agent.ask(TurnView, "POST", body={"messages": messages}, session_id=session_id)

    def _name(self) -> str:
        """Under which the question is kept: of one that is asked again the same as before."""
        source = self.idempotency_key + "\n" + self.asked.digest()
        base = f"gateway-{hashlib.sha256(source.encode()).hexdigest()[:32]}"
        newest = self._find_newest(base)
        if newest is None:
            return f"{base}.1"
        number = int(newest.name.split(".")[1])
        return f"{base}.{number if self._is_asked_again(newest) else number + 1}"

    def _find_newest(self, base: str) -> _Kept | None:
        tenant_id = self.conversation.agent.caller.tenant_id
        session_id = self.conversation.session_id or NOBODY
        with tenant_scope(tenant_id), connection.cursor() as cursor:
            cursor.execute(FIND_NEWEST, [tenant_id, session_id, f"{base}.%"])
            row = cursor.fetchone()
        return _Kept(*row) if row else None

    def _is_asked_again(self, newest: _Kept) -> bool:
        """Words that come without their past may be said twice, once they were answered: "Yes."."""
        within = KEPT if self.idempotency_key else ASKED_AGAIN
        if newest.at < timezone.now() - within:
            return False
        was_answered = f".{WHOLE}-" in newest.name
        return bool(self.idempotency_key) or self.is_retry or not (self.asked.is_alone and was_answered)


def _message(role: str, words: str, name: str) -> dict[str, str]:
    return {"role": role, "content": words, "external_id": name}


def read_ahead(asked: Asked) -> None:
    """Begin to read what the person says while what is known is looked up: the turn finds each sentence read."""
    threads.begin(read_all, [storable(asked.question)], limit=TURN_SENTENCES)


def turn_of(visit: Visit, conversation: Conversation, asked: Asked) -> Turn:
    """The turn of a request."""
    headers = visit.request.headers
    retries = headers.get("X-Stainless-Retry-Count", "0")  # both providers' SDKs count them
    return Turn(conversation, asked, headers.get(HEADER, ""), retries.isdecimal() and int(retries[:9]) > 0)


def code_of(error: Refused | DatabaseError) -> str:
    """What went wrong, in a word for the log."""
    return str(error.problem["code"]) if isinstance(error, Refused) else type(error).__name__


class _Pool:
    """Its threads begin with their first work, and keep a connection to the database each."""

    def __init__(self) -> None:
        self.renew()

    def renew(self) -> None:
        """In a forked child, too, which has none of its parent's threads."""
        self.executor = ThreadPoolExecutor(THREADS, "gateway")


_pool = _Pool()
os.register_at_fork(after_in_child=_pool.renew)


def begin(work: Callable[P, None], *args: P.args, **options: P.kwargs) -> Future[None]:
    """Work with the database, while this thread waits for the provider."""

    def act() -> None:
        close_old_connections()
        work(*args, **options)

    return _pool.executor.submit(copy_context().run, act)
