"""The words a proposal rests on: which message, and where its quote stands there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from memories.extraction.mapping import verify_quote
from memories.extraction.material import READ_ROLES
from memories.extraction.parsing import ExtractedFact, ExtractedTodo
from nebo.llm.types import ChatMessage

ASSISTANT, USER = "assistant", "user"


@dataclass(frozen=True, slots=True)
class Evidence:
    """The message a proposal cites, and where its quote stands there; without a span nothing is proven."""

    message: ChatMessage | None = None
    start: int | None = None
    end: int | None = None

    @property
    def is_verified(self) -> bool:
        return self.start is not None

    @property
    def quote(self) -> str:
        """The words as the message has them."""
        return self.message.content[self.start : self.end] if self.message and self.is_verified else ""

    @property
    def message_id(self) -> UUID | None:
        return UUID(self.message.id) if self.message and self.message.id else None

    @property
    def trust(self) -> str:
        """The person's own word, if the message cited is theirs; else the assistant's."""
        return USER if self.message is not None and self.message.role == USER else ASSISTANT


def find_evidence(cited: ExtractedFact | ExtractedTodo, material: Sequence[ChatMessage]) -> Evidence:
    """The message cited, if the quote stands in it, or the only other one where it stands."""
    message = _readable(material, cited.message)
    if message is not None and (span := verify_quote(cited.quote, message.content)):
        return Evidence(message, *span)
    found = [
        Evidence(other, *span)
        for other in material
        if cited.quote and other.role in READ_ROLES and (span := verify_quote(cited.quote, other.content))
    ]
    return found[0] if len(found) == 1 else Evidence(message)


def _readable(material: Sequence[ChatMessage], number: int | None) -> ChatMessage | None:
    """A message by its number; tools and systems are never cited."""
    if number is None or not 0 <= number < len(material):
        return None
    message = material[number]
    return message if message.role in READ_ROLES else None
