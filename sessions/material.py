"""Stored messages as a model is shown them."""

from __future__ import annotations

from collections.abc import Sequence

from nebo.llm.types import ChatMessage
from sessions.models import Message

TURN_MESSAGES = 8  # what a job reads by meaning in about a second
TURN_CHARS = 2_000  # of these, unless one alone is longer


def as_material(message: Message) -> ChatMessage:
    """A stored message as a model is shown it."""
    return ChatMessage(
        role=message.role if message.is_own or message.role != Message.Role.USER else Message.Role.ASSISTANT,
        content=message.words,
        name=message.name,
        id=str(message.pk),
        created_at=message.created_at,
    )


def count_for_a_turn(messages: Sequence[Message]) -> int:
    """How many a job reads by meaning, from the first on, before others have their turn."""
    room = TURN_CHARS
    for count, message in enumerate(messages[:TURN_MESSAGES]):
        room -= len(message.content)
        if room < 0:
            return max(count, 1)
    return min(len(messages), TURN_MESSAGES)
