"""Which function does the work of which kind of job."""

from __future__ import annotations

from collections.abc import Callable

from nebo.jobs.claims import Claim

Handler = Callable[[Claim], None]

_handlers: dict[str, Handler] = {}


class UnknownKind(LookupError):
    """No handler is registered for this kind of job."""


def handler(kind: str) -> Callable[[Handler], Handler]:
    """Register the function below it as the work of `kind` (≤ 40 characters); raises ValueError if taken.

    The function may run twice, opens no transaction around a model call, and ends in `claim.publish()`.
    """

    def register(function: Handler) -> Handler:
        if _handlers.get(kind, function) is not function:
            raise ValueError(f"two handlers for jobs of kind {kind!r}")
        _handlers[kind] = function
        return function

    return register


def get_handler(kind: str) -> Handler:
    """The work of `kind`; raises UnknownKind."""
    try:
        return _handlers[kind]
    except KeyError:
        raise UnknownKind(f"no handler for jobs of kind {kind!r}") from None


def list_kinds() -> tuple[str, ...]:
    """Every kind there is a handler for, in alphabetical order."""
    return tuple(sorted(_handlers))
