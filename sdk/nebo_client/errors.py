"""What can go wrong, one class for each thing that a program may want to do about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


class NeboError(Exception):
    """Anything that this client raises."""


class Unreachable(NeboError):
    """No answer came: no connection, or none in time. The request may or may not have arrived."""


class Unreadable(NeboError):
    """An answer came, and it wasn't Nebo's: something else listens at this address, or stands between."""


class Refused(NeboError):
    """Nebo answered with an error: a problem as in RFC 9457.

    `errors` names each field that was wrong, as `{"pointer": "#/messages/0/role", "detail": "…"}`.
    """

    def __init__(self, status: int, problem: Mapping[str, Any]) -> None:
        self.status = status
        self.code: str = str(problem.get("code", ""))
        self.detail: str = str(problem.get("detail") or problem.get("title") or "")
        self.errors: Sequence[Mapping[str, str]] = problem.get("errors") or ()
        self.request_id: str = str(problem.get("request_id", ""))
        fields = "; ".join(f"{error.get('pointer')}: {error.get('detail')}" for error in self.errors)
        super().__init__(f"{status} {self.code}: {fields or self.detail}")


class Invalid(Refused):
    """400, 413 or 422: the request itself is wrong. Sending it again won't help."""


class Unauthorized(Refused):
    """401: the key is unknown, revoked or expired."""


class Forbidden(Refused):
    """403: the key may not do this."""


class NotFound(Refused):
    """404: it isn't there, or it is someone else's."""


class Conflict(Refused):
    """409: something else is in the way."""


class ContinuityMissing(Conflict):
    """409: the question goes back to something that Nebo knows nothing of. `recovery` can be told to the user."""

    def __init__(self, status: int, problem: Mapping[str, Any]) -> None:
        super().__init__(status, problem)
        self.recovery: str = str(problem.get("recovery", ""))


class CollectionPaused(Conflict):
    """409: nothing is collected there just now. `paused` says of what, and until when."""

    def __init__(self, status: int, problem: Mapping[str, Any]) -> None:
        super().__init__(status, problem)
        self.paused: Mapping[str, Any] = problem.get("paused") or {}


class Stale(Refused):
    """412: somebody changed it since it was read."""


class Busy(Refused):
    """429 or 503, also after all that was tried: later, please."""


class ServerError(Refused):
    """Any other 5xx."""


LATER = (Unreachable, Busy, ServerError, Unauthorized, Forbidden)  # may be well again without another request
BY_STATUS: Mapping[int, type[Refused]] = {
    400: Invalid,
    401: Unauthorized,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    412: Stale,
    413: Invalid,
    422: Invalid,
    429: Busy,
    503: Busy,
}


def refusal(status: int, problem: Mapping[str, Any]) -> Refused:
    """The error of an answer."""
    if problem.get("code") == "continuity-missing":
        return ContinuityMissing(status, problem)
    if problem.get("code") == "collection-paused":
        return CollectionPaused(status, problem)
    return BY_STATUS.get(status, ServerError if status >= 500 else Invalid)(status, problem)
