"""One question, asked of the cheapest model first, and of the next when that one fails."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar

import structlog

from nebo.llm import registry
from nebo.llm.breakers import breaker_of
from nebo.llm.errors import AllModelsFailed, Attempt, PermanentError, ProviderError, ProviderResting
from nebo.llm.types import ChatModel, ChatReply, ChatRequest, OwnedModel

DEADLINE_S = 90.0  # an extraction's limit
BACKOFF_S = (0.5, 2.0, 8.0)  # the waits before the second, third and fourth try of one model
JITTER = 0.25  # share of a wait by which it is longer or shorter, so that workers don't come in step

log = structlog.get_logger(__name__)

_retries: ContextVar[list[int] | None] = ContextVar(
    "nebo_llm_retries", default=None
)  # one number: what is left


_choose: ContextVar[Callable[[], Sequence[ChatModel]] | None] = ContextVar("nebo_llm_choose", default=None)


@contextmanager
def models_from(choose: Callable[[], Sequence[ChatModel]]) -> Iterator[None]:
    """All questions inside, in this thread, go to the models that `choose` names when the first one is asked."""
    found: list[Sequence[ChatModel]] = []

    def choose_once() -> Sequence[ChatModel]:
        if not found:
            found.append(choose())
        return found[0]

    token = _choose.set(choose_once)
    try:
        yield
    finally:
        _choose.reset(token)


def list_models() -> Sequence[ChatModel]:
    """Those that are asked here: of `models_from`, or else the server's own. Raises ConfigurationError."""
    choose = _choose.get()
    return choose() if choose else registry.list_chat_models()


@contextmanager
def retry_budget(retries: int) -> Iterator[None]:
    """All questions inside, in this thread, share so many second tries; a first one each model always has."""
    token = _retries.set([retries])
    try:
        yield
    finally:
        _retries.reset(token)


def complete(
    request: ChatRequest,
    *,
    deadline_s: float = DEADLINE_S,
    models: Sequence[ChatModel] | None = None,
    backoff_s: Sequence[float] = BACKOFF_S,
) -> ChatReply:
    """The first model's reply, or the next one's, within `deadline_s` seconds of wall clock.

    Each model has the time left divided by the models left, for all its tries and waits together, so a
    silent one leaves time for those after it. A retryable error is tried again after the back-off, or after
    the Retry-After if that is longer; a permanent one, or a wait that doesn't fit, gives way to the next.
    One whose breaker is open isn't asked. Raises AllModelsFailed, and ConfigurationError when a configured model
    can't be used at all. `models` replaces the configured ones.
    """
    chosen = list_models() if models is None else models
    ends_at = time.monotonic() + deadline_s
    attempts: list[Attempt] = []
    for position, model in enumerate(chosen):
        now = time.monotonic()
        share_s = (ends_at - now) / (len(chosen) - position)
        reply = _find_reply(model, request, ends_at=now + share_s, backoff_s=backoff_s, attempts=attempts)
        if reply is not None:
            return reply
    raise AllModelsFailed(attempts)


def has_chat_model() -> bool:
    """Whether a language model is asked here, and not the rules alone. Raises ConfigurationError."""
    return any(model.provider != "rules" for model in list_models())


def wait_before_retry(pause_s: float, error: ProviderError) -> float:
    """Seconds to wait: the pause with its jitter, or what the provider asked for if that is longer."""
    jittered_s = pause_s * random.uniform(1 - JITTER, 1 + JITTER)  # noqa: S311
    return max(jittered_s, error.retry_after_s or 0.0)


def _find_reply(
    model: ChatModel,
    request: ChatRequest,
    *,
    ends_at: float,
    backoff_s: Sequence[float],
    attempts: list[Attempt],
) -> ChatReply | None:
    """One model's reply, after as many tries as its time allows; None when it gives way to the next."""
    for pause_s in (*backoff_s, float("inf")):
        started = time.monotonic()
        if started >= ends_at:
            attempts.append(_not_tried(model))
            return None
        try:
            with _asking(model):
                return model.complete(request, timeout_s=ends_at - started)
        except ProviderError as error:
            attempts.append(_noted(error, request, seconds=time.monotonic() - started))
            wait_s = wait_before_retry(pause_s, error)
            if isinstance(error, PermanentError | ProviderResting) or time.monotonic() + wait_s >= ends_at:
                return None
            if not _may_retry():
                return None
            time.sleep(wait_s)
    return None


def _asking(model: ChatModel) -> AbstractContextManager[bool]:
    """The provider's breaker; the rules, which are nobody outside, have none."""
    if model.provider == "rules":
        return nullcontext(False)
    owner = model.owner if isinstance(model, OwnedModel) else ""
    return breaker_of("chat", provider=model.provider, model=model.model, owner=owner).ask()


def _may_retry() -> bool:
    left = _retries.get()
    if left is None:
        return True
    left[0] -= 1
    return left[0] >= 0


def _noted(error: ProviderError, request: ChatRequest, *, seconds: float) -> Attempt:
    log.warning(
        "llm.attempt_failed",
        task=request.task,
        provider=error.provider,
        model=error.model,
        kind=error.kind,
        status=error.status,
        seconds=round(seconds, 3),
    )
    return Attempt.of(error, seconds=seconds)


def _not_tried(model: ChatModel) -> Attempt:
    return Attempt(model.provider, model.model, "no-time", "not tried, the time was up", seconds=0.0)
