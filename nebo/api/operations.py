"""What a method of a view says of itself for the OpenAPI document."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, get_origin

from rest_framework.serializers import Serializer

from nebo.api.serializers import PAGE_PARAMETERS
from nebo.api.shapes import Page


@dataclass(frozen=True, slots=True)
class File:
    """An answer, or a body, that is a file."""

    media_type: str
    about: str


@dataclass(frozen=True, slots=True)
class Operation:
    """A method: what it does, what it takes, and what it answers.

    `answers` is the shape of a 200, or shapes by status; None has no body. `problems` are statuses besides those that
    its method and address can have anyway. With `if_match` it heeds that header. A `file` is its body in place of JSON.
    """

    summary: str
    answers: Any
    body: type[Serializer[Any]] | None = None
    query: type[Serializer[Any]] | None = None
    problems: tuple[int, ...] = ()
    if_match: bool = False
    file: File | None = None

    @property
    def parameters(self) -> frozenset[str]:
        """The names that may stand in its query string."""
        named = self.query._declared_fields if self.query else ()
        return frozenset((*named, *(PAGE_PARAMETERS if self.is_page else ())))

    @property
    def is_page(self) -> bool:
        """Whether it answers a part of a list."""
        return get_origin(self.answers) is Page

    def by_status(self) -> Mapping[int, Any]:
        """Shapes by status."""
        return self.answers if isinstance(self.answers, dict) else {200: self.answers}
