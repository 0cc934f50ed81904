"""What is kept of a completion: the person's words and the model's, each once however often a client asks again."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field
from datetime import timedelta
from typing import ParamSpec

import structlog
from django.db import DatabaseError, close_old_connections
from django.utils import timezone

from nebo.api.agent import NOBODY, Refused
from nebo.api.idempotency import HEADER, KEPT
from nebo.product.gateway.asked import ASSISTANT, USER, Asked, storable
from nebo.product.gateway.conversation import Conversation
from nebo.product.gateway.door import Visit
from nebo.tenants.scoping import tenant_scope
from sessions.api.views import TurnView
from sessions.models import Message

log = structlog.get_logger(__name__)

ASKED_AGAIN = timedelta(minutes=10)  # within which the same request is taken for the same question
WHOLE, PART = "answer", "part"
THREADS = 4  # turns that a process learns from while their answers are under way
LONGEST_WAIT_S = 10.0  # for the person's words to be kept, before the end of the answer goes out without it

P = ParamSpec("P")


@dataclass(slots=True)
class Turn:
    """One question and its answer, on their way into a session. `name` is the question's once it is kept."""

    conversation: Conversation
    asked: Asked
    idempotency_key: str = ""
    is_retry: bool = False  # the client says so
    name: str = field(default="", init=False)

    def keep_question(self) -> None:
        """Before the answer ends, so that whoever asks next finds it. A failure is logged, and no more."""
        words = storable(self.asked.question)
        if not words:
            return
        try:
            self.name = self._name()
            self._keep(USER, words, self.name)
        except (Refused, DatabaseError) as error:
            log.warning("gateway.turn_not_kept", code=code_of(error))

    def keep_answer(self, words: str, *, is_whole: bool) -> None:
        """Whatever came of it."""
        words = storable(words)
        if not words or not self.name:
            return
        digest = hashlib.sha256(words.encode()).hexdigest()[:16]
        try:
            self._keep(ASSISTANT, words, f"{self.name}.{WHOLE if is_whole else PART}-{digest}")
        except (Refused, DatabaseError) as error:
            log.warning("gateway.turn_not_kept", code=code_of(error))

    def _keep(self, role: str, words: str, name: str) -> None:
        body = {"messages": [{"role": role, "content": words, "external_id": name}]}
        agent, session_id = self.conversation.agent, self.conversation.session_id
        agent.ask(TurnView, "POST", body=body, session_id=session_id)

    def _name(self) -> str:
        """Under which the question is kept: of one that is asked again the same as before."""
        source = self.idempotency_key + "\n" + self.asked.digest()
        base = f"gateway-{hashlib.sha256(source.encode()).hexdigest()[:32]}"
        newest = self._find_newest(base)
        if newest is None:
            return f"{base}.1"
        number = int(str(newest.external_id).split(".")[1])
        return f"{base}.{number if self._is_asked_again(newest) else number + 1}"

    def _find_newest(self, base: str) -> Message | None:
        tenant_id = self.conversation.agent.caller.tenant_id
        session_id = self.conversation.session_id or NOBODY
        with tenant_scope(tenant_id):
            rows = Message.objects.for_tenant(tenant_id).filter(session_id=session_id)
            return rows.filter(external_id__startswith=f"{base}.").order_by("-seq").first()

    def _is_asked_again(self, newest: Message) -> bool:
        """Words that come without their past may be said twice, once they were answered: "Yes."."""
        within = KEPT if self.idempotency_key else ASKED_AGAIN
        if newest.recorded_at < timezone.now() - within:
            return False
        was_answered = f".{WHOLE}-" in str(newest.external_id)
        return bool(self.idempotency_key) or self.is_retry or not (self.asked.is_alone and was_answered)


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
