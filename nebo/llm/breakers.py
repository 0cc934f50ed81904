"""A provider that fails is left alone for a while; then one call tries it again, and the others wait for how that ends.

A breaker for each model of each provider, in each process; a team's own provider has one of its own. Whoever wants to
know when one opens or closes listens.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

import structlog

from nebo.llm.errors import ProviderError, ProviderResting
from nebo.metrics import BREAKER_OPEN, PROVIDER_ERRORS

PAUSES_S = (5.0, 10.0, 20.0, 30.0)  # seconds that it is left alone, the last of them for as long as it fails
LONGEST_S = 60.0  # seconds, where the provider asks for more
TRIED_S = 2.0  # seconds after which to ask again while somebody tries
CHAT_FAILURES = 4  # in a row, as many as a job's first attempt makes
EMBEDDING_FAILURES = 1  # somebody waits for the next one
ABOUT_WHAT_WAS_SENT = frozenset({400, 413, 422})  # statuses of a provider that works

Use = Literal["chat", "embedding"]
Listener = Callable[["Breaker"], None]

log = structlog.get_logger(__name__)


@dataclass(slots=True, eq=False)
class Breaker:
    """Closed, a call goes through. After `limit` failures in a row it is open, and `ask` raises ProviderResting."""

    use: Use
    provider: str
    model: str
    limit: int
    owner: str = ""  # the team whose provider it is; empty for the server's own
    clock: Callable[[], float] = time.monotonic
    reason: str = ""  # why it is open, in our words; empty while it is closed
    failures: int = 0  # in a row
    _kind: ProviderError | None = None
    _asked_again_at: float = 0.0
    _trying: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def is_open(self) -> bool:
        """Whether it has failed too often, and nobody knows better yet."""
        return self.failures >= self.limit

    @property
    def rests_s(self) -> float:
        """Seconds until somebody may try it again; 0 where it may be asked."""
        if not self.is_open:
            return 0.0
        left = self._asked_again_at - self.clock()
        return max(left, TRIED_S if self._trying else 0.0)

    @property
    def _shown_model(self) -> str:
        """In metrics; what teams call theirs are too many names, and theirs."""
        return "of a team" if self.owner else self.model

    @contextmanager
    def ask(self) -> Iterator[bool]:
        """Ask the provider inside; True is given to the one that tries it again. Raises ProviderResting while it is
        left alone.
        """
        tries = self._admit()
        try:
            yield tries
        except ProviderError as error:
            PROVIDER_ERRORS.labels(self.use, self.provider, self._shown_model, error.kind).inc()
            self._end(error if self._counts(error) else None)
            raise
        else:
            self._end(None)
        finally:
            self._trying = self._trying and not tries

    def _admit(self) -> bool:
        with self._lock:
            rests_s, last = self.rests_s, self._kind
            if rests_s > 0 and last is not None:
                reason = f"not asked for {rests_s:.0f} s, since it failed: {self.reason}"
                raise ProviderResting(
                    self.provider, self.model, reason, kind=last.kind, retry_after_s=rests_s
                )
            self._trying = self.is_open
            return self._trying

    def _counts(self, error: ProviderError) -> bool:
        """Whether an error is the provider's, and not that of what was sent; a chat model's answer may be bad because
        of what it was asked.
        """
        if error.status in ABOUT_WHAT_WAS_SENT:
            return False
        if self.use == "embedding" or error.kind in ("timeout", "connection", "busy"):
            return True
        return error.kind == "refused" and error.status is not None

    def _end(self, error: ProviderError | None) -> None:
        with self._lock:
            was = self.reason
            self._trying = False
            if error is None:
                self.failures, self.reason, self._kind = 0, "", None
            else:
                self._fail(error)
            changed = was != self.reason
        if changed:
            log.warning(
                "provider_breaker",
                use=self.use,
                provider=self.provider,
                model=self._shown_model,
                open=self.is_open,
            )
            if not self.owner:  # of a team's, its page tells
                BREAKER_OPEN.labels(self.use, self.provider, self.model).set(float(self.is_open))
            for listener in _listeners:
                listener(self)

    def _fail(self, error: ProviderError) -> None:
        self.failures += 1
        if not self.is_open:
            return
        pause_s = PAUSES_S[min(self.failures - self.limit, len(PAUSES_S) - 1)]
        wanted_s = min(error.retry_after_s or 0.0, LONGEST_S)
        self.reason, self._kind = error.reason, error
        self._asked_again_at = self.clock() + max(pause_s, wanted_s)


_breakers: dict[tuple[Use, str, str, str], Breaker] = {}
_listeners: list[Listener] = []


def breaker_of(use: Use, *, provider: str, model: str, owner: str = "") -> Breaker:
    """This process's breaker of a model; a team's own provider (`owner`) fails for that team alone."""
    limit = CHAT_FAILURES if use == "chat" else EMBEDDING_FAILURES
    return _breakers.setdefault((use, provider, model, owner), Breaker(use, provider, model, limit, owner))


def listen(listener: Listener) -> None:
    """Have this called whenever a breaker opens, closes, or has another reason; in the thread of the call."""
    if listener not in _listeners:
        _listeners.append(listener)


def forget_breakers() -> None:
    """All are closed again; for whoever mended the settings, and for tests."""
    _breakers.clear()
