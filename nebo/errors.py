"""What can go wrong for a caller, in one tree; edges turn it into an answer.

NeboError
├── InvalidInput            400  a value breaks a rule; `field` says which
│   └── KeptOut             400  it is about something of which this workspace keeps nothing
├── Forbidden               403  the caller may not do this
├── NotFound                404  missing, or another's: the same
├── Conflict                409  not in this state
│   ├── ContinuityMissing   409  the session knows nothing that could be continued
│   └── CollectionPaused    409  nothing is collected there just now
├── Stale                   412  the row has changed since it was read
├── TooLarge                413
└── Unprocessable           422  well-formed, but not for this
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar


@dataclass(frozen=True, slots=True)
class FieldError:
    """One field and what is wrong with it; `pointer` as `json_pointer` writes it."""

    pointer: str
    detail: str


def json_pointer(field: str) -> str:
    """Where in a request: `value` or `messages/0/content` in the body becomes `#/…` (RFC 9457 §3, RFC 6901).

    `?limit` (a query parameter) and what is a pointer already stay as they are; so does "".
    """
    if not field or field[0] in "?#":
        return field
    return "#/" + field.removeprefix("/")


class NeboError(Exception):
    """Base of all: a stable `code`, a `title`, an HTTP `status`, and for this case `detail` and `errors`.

    `extensions` are further members of the answer (RFC 9457 §3.2).
    """

    code: ClassVar[str] = "error"
    title: ClassVar[str] = "Something went wrong"
    status: ClassVar[int] = 500

    def __init__(self, detail: str = "", *, field: str = "", errors: Sequence[FieldError] = ()) -> None:
        self.detail = detail or f"{self.title}."
        self.extensions: dict[str, Any] = {}
        self.field = field
        named = (FieldError(json_pointer(field), self.detail),) if field else ()
        self.errors: tuple[FieldError, ...] = (*named, *errors)
        super().__init__(self.detail)


class InvalidInput(NeboError):
    code = "invalid-input"
    title = "The input is not valid"
    status = 400


class KeptOut(InvalidInput):
    """`sensitive_class` names the class of which the workspace keeps nothing."""

    code = "kept-out"
    title = "This workspace keeps nothing of that"

    def __init__(self, detail: str = "", *, field: str = "", of_class: str) -> None:
        super().__init__(detail, field=field)
        self.extensions["sensitive_class"] = of_class


class Forbidden(NeboError):
    code = "forbidden"
    title = "This key may not do that"
    status = 403


class NotFound(NeboError):
    code = "not-found"
    title = "Not found"
    status = 404


class Conflict(NeboError):
    code = "conflict"
    title = "Not possible in the present state"
    status = 409


class ContinuityMissing(Conflict):
    """`recovery` is what the agent may say instead of making something up."""

    code = "continuity-missing"
    title = "Nothing here to continue from"

    def __init__(self, detail: str = "", *, recovery: str) -> None:
        super().__init__(detail)
        self.extensions["recovery"] = recovery


class CollectionPaused(Conflict):
    """`paused` says for what, and until when (ISO 8601; None until somebody resumes)."""

    code = "collection-paused"
    title = "Collection is paused"

    def __init__(self, detail: str = "", *, scope: str, until: str | None) -> None:
        super().__init__(detail)
        self.extensions["paused"] = {"scope": scope, "until": until}


class Stale(NeboError):
    code = "stale"
    title = "Changed since it was read"
    status = 412


class TooLarge(NeboError):
    code = "too-large"
    title = "Too large"
    status = 413


class Unprocessable(NeboError):
    code = "unprocessable"
    title = "Understood, but not possible"
    status = 422
