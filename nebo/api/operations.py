"""What a method of a view says of itself for the OpenAPI document."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rest_framework.serializers import Serializer


@dataclass(frozen=True, slots=True)
class File:
    """An answer that is a file."""

    media_type: str
    about: str


@dataclass(frozen=True, slots=True)
class Operation:
    """A method: what it does, what it takes, and what it answers.

    `answers` is the shape of a 200, or shapes by status; None has no body. `problems` are statuses besides those that
    its method and address can have anyway. With `if_match` it heeds that header.
    """

    summary: str
    answers: Any
    body: type[Serializer[Any]] | None = None
    query: type[Serializer[Any]] | None = None
    problems: tuple[int, ...] = ()
    if_match: bool = False

    def by_status(self) -> Mapping[int, Any]:
        """Shapes by status."""
        return self.answers if isinstance(self.answers, dict) else {200: self.answers}
