"""Stored messages as a model is shown them."""

from __future__ import annotations

from nebo.llm.types import ChatMessage
from sessions.models import Message


def as_material(message: Message) -> ChatMessage:
    """A stored message as a model is shown it."""
    return ChatMessage(
        role=message.role,
        content=message.words,
        name=message.name,
        id=str(message.pk),
        created_at=message.created_at,
    )
