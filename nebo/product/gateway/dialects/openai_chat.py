"""OpenAI's chat completions."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from nebo.product.gateway.asked import SYSTEM_ROLES, Asked, Known, Spoken, words_of
from nebo.product.gateway.dialects.dialect import Piece, head_of, place_before, read_conversation
from nebo.product.gateway.events import read_object
from nebo.product.gateway.json_text import Edit


@dataclass(frozen=True, slots=True)
class OpenAIChat:
    """`POST chat/completions`."""

    provider: str = "openai"
    path: str = "chat/completions"

    def read(self, text: str) -> Asked | None:
        """See Dialect."""
        return read_conversation(text, "messages", _spoken)

    def with_known(self, asked: Asked, known: Known) -> str:
        """System messages: the stable one behind the caller's own, the dynamic one right before the question. So what
        stands before that is the same with the next question, and the provider has it in its cache.
        """
        head = head_of(asked.spoken, SYSTEM_ROLES)
        before = head if asked.question_at is None else asked.question_at
        role = "developer" if "developer" in (one.role for one in asked.spoken[:head]) else "system"
        placed: dict[int, list[str]] = {}
        for place, text in ((head, known.stable), (before, known.dynamic)):
            if text:
                placed.setdefault(place, []).append(_message(role, text))
        return asked.edited([_edit(asked, place, messages) for place, messages in placed.items()])

    def answer_in(self, body: dict[str, Any]) -> str:
        """Of the first choice."""
        return _text_in(body, "message")

    def piece_of(self, data: str) -> Piece:
        """What a chunk adds to the first choice."""
        if data.strip() == "[DONE]":
            return Piece(is_end=True)
        return Piece(_text_in(read_object(data), "delta"))


def _spoken(message: Any) -> Spoken:
    if not isinstance(message, dict):
        return Spoken("", "")
    return Spoken(str(message.get("role", "")), words_of(message.get("content")))


def _message(role: str, text: str) -> str:
    return json.dumps({"role": role, "content": text}, ensure_ascii=False)


def _edit(asked: Asked, place: int, messages: list[str]) -> Edit:
    """Before that message; behind the last where there is none."""
    at = place_before(asked, place, asked.members["messages"])
    together = ",".join(messages)
    if place < len(asked.items):
        return Edit(at, at, f"{together},")
    return Edit(at, at, f",{together}" if asked.items else together)


def _text_in(body: dict[str, Any], name: str) -> str:
    choices = body.get("choices")
    for choice in choices if isinstance(choices, list) else ():
        if isinstance(choice, dict) and choice.get("index", 0) == 0:
            message = choice.get(name)
            return words_in(message.get("content")) if isinstance(message, dict) else ""
    return ""


def words_in(content: Any) -> str:
    """Of a model's message: mostly a text, from some servers a list of parts."""
    return content if isinstance(content, str) else words_of(content)
