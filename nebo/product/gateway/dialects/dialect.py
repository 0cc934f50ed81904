"""What the gateway must know of an API to give its completions a memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from nebo.product.gateway.asked import Asked, Known, Spoken
from nebo.product.gateway.json_text import Part, list_items, list_members


@dataclass(frozen=True, slots=True)
class Piece:
    """What one event of a stream adds to the answer, and whether it is the last that says something."""

    text: str = ""
    is_end: bool = False


class Dialect(Protocol):
    """One API."""

    @property
    def provider(self) -> str:
        """Whose address it is asked at."""

    @property
    def path(self) -> str:
        """Below that address."""

    def read(self, text: str) -> Asked | None:
        """A request's body; None for one that isn't understood. Raises ValueError and RecursionError for no JSON."""

    def with_known(self, asked: Asked, known: Known) -> str:
        """The body with what is known."""

    def answer_in(self, body: dict[str, Any]) -> str:
        """What the model said in words; empty for a call of a tool alone."""

    def piece_of(self, data: str) -> Piece:
        """The same of one event of a stream."""


def read_conversation(text: str, name: str, speak: Any) -> Asked | None:
    """A body whose member of this name is the conversation; `speak` makes Spoken of an item's value."""
    members = list_members(text)
    conversation = members.get(name)
    if conversation is None or not isinstance(conversation.value, list):
        return None
    items = list_items(text, conversation.start)
    return Asked(text, members, items, [speak(item.value) for item in items])


def head_of(spoken: Sequence[Spoken], roles: Sequence[str]) -> int:
    """How many messages of these roles stand at the beginning."""
    return next((place for place, one in enumerate(spoken) if one.role not in roles), len(spoken))


def place_before(asked: Asked, place: int, list_part: Part) -> int:
    """The character before which something is put to stand before that item; behind the last for one past the end."""
    if place < len(asked.items):
        return asked.items[place].start
    return list_part.end - 1
