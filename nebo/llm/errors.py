"""What can go wrong between Nebo and a model.

    LlmError
    ├── ConfigurationError      a model is named that can't be used: unknown provider, missing key
    ├── PromptError             a template is broken, or a value doesn't match its $names
    ├── AllModelsFailed         every configured model was tried; `attempts` tells how each one ended
    └── ProviderError           one call to one model
        ├── RetryableError      worth a retry: timeout, connection, 408, 409, 425, 429, 5xx, unreadable answer
        │   └── ProviderResting not asked: it failed before, and is left alone for a while
        └── PermanentError      not worth one: 400, 401, 403, 404, 413, 422, other statuses, a huge answer

None of them carries a user's text or a key: reasons are our own words, and a provider's error code at most.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

FailureKind = Literal["timeout", "connection", "busy", "unreadable", "refused", "too-large", "no-time"]


class LlmError(Exception):
    """Anything that keeps a model from answering."""


class ConfigurationError(LlmError):
    """The settings name a model that can't be used; the message says which one and what is missing."""


class PromptError(LlmError):
    """A prompt template can't be rendered; the message names the file and the `$name`."""


class ProviderError(LlmError):
    """One call to one model failed; `reason` is a short phrase for the person on the job page."""

    def __init__(
        self,
        provider: str,
        model: str,
        reason: str,
        *,
        kind: FailureKind,
        status: int | None = None,
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(provider, model, reason)
        self.provider = provider
        self.model = model
        self.reason = reason
        self.kind = kind
        self.status = status
        self.retry_after_s = retry_after_s

    def __str__(self) -> str:
        return f"{self.provider}/{self.model}: {self.reason}"


class RetryableError(ProviderError):
    """The same call may well succeed a little later."""


class ProviderResting(RetryableError):
    """The provider was not asked, since it has just failed (by `kind`); `retry_after_s` tells when it is again."""


class PermanentError(ProviderError):
    """The same call would fail again: ask another model, or mend the settings."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One failed call: what went wrong, and the seconds it took."""

    provider: str
    model: str
    kind: FailureKind
    reason: str
    seconds: float
    status: int | None = None
    rests_s: float | None = None  # where it was not asked: seconds until it is again

    @classmethod
    def of(cls, error: ProviderError, *, seconds: float) -> Attempt:
        """The record of one ProviderError."""
        rests_s = seconds_of_rest(error)
        return cls(error.provider, error.model, error.kind, error.reason, seconds, error.status, rests_s)


class AllModelsFailed(LlmError):
    """No model answered; `str()` is one line for the job page."""

    def __init__(self, attempts: Sequence[Attempt]) -> None:
        super().__init__(tuple(attempts))
        self.attempts = tuple(attempts)

    def __str__(self) -> str:
        groups = groupby(self.attempts, key=lambda attempt: (attempt.provider, attempt.model, attempt.reason))
        lines = [_described(name, attempts) for name, attempts in groups]
        return "No chat model answered. " + ("; ".join(lines) or "None is configured") + "."


def seconds_of_rest(error: BaseException) -> float | None:
    """Where nobody was asked, since all who could be had failed before: seconds until one of them is asked again."""
    if isinstance(error, ProviderResting):
        return error.retry_after_s or 0.0
    if not isinstance(error, AllModelsFailed) or not error.attempts:
        return None
    rests = [attempt.rests_s for attempt in error.attempts if attempt.rests_s is not None]
    return min(rests) if len(rests) == len(error.attempts) else None


def _described(name: tuple[str, str, str], attempts: Iterable[Attempt]) -> str:
    """`openai/gpt-x: server error (500), 3 tries, 10.6 s`."""
    provider, model, reason = name
    seconds = [attempt.seconds for attempt in attempts]
    tries = f"{len(seconds)} tries, " if len(seconds) > 1 else ""
    return f"{provider}/{model}: {reason}, {tries}{sum(seconds):.1f} s"
