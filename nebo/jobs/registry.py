"""Which function does the work of which kind of job."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from django.utils.module_loading import autodiscover_modules

from nebo.jobs.claims import Claim
from nebo.jobs.lanes import Lane

Handler = Callable[[Claim], None]

_handlers: dict[str, Handler] = {}
_lanes: dict[str, Lane] = {}


class UnknownKind(LookupError):
    """No handler is registered for this kind of job."""


def handler(kind: str, *, lane: Lane = Lane.SESSION) -> Callable[[Handler], Handler]:
    """Register the function below it as the work of `kind` (≤ 40 characters); raises ValueError if taken.

    The function may run twice, opens no transaction around a model call, and ends in `claim.publish()`.
    """

    def register(function: Handler) -> Handler:
        if _handlers.get(kind, function) is not function:
            raise ValueError(f"two handlers for jobs of kind {kind!r}")
        _handlers[kind] = function
        _lanes[kind] = lane
        return function

    return register


@cache
def load_handlers() -> None:
    """Import the jobs of every app, which register themselves: with all that learns. Most commands run no job."""
    autodiscover_modules("tasks")


def get_handler(kind: str) -> Handler:
    """The work of `kind`; raises UnknownKind."""
    load_handlers()
    try:
        return _handlers[kind]
    except KeyError:
        raise UnknownKind(f"no handler for jobs of kind {kind!r}") from None


def lane_of(kind: str) -> Lane:
    """Where its jobs wait, unless whoever enqueues one says otherwise; raises UnknownKind."""
    get_handler(kind)
    return _lanes[kind]


def list_kinds() -> tuple[str, ...]:
    """Every kind there is a handler for, in alphabetical order."""
    load_handlers()
    return tuple(sorted(_handlers))
