"""OpenAI's responses."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from nebo.product.gateway.asked import Asked, Known, Spoken, words_of
from nebo.product.gateway.dialects.dialect import Piece, read_conversation
from nebo.product.gateway.events import read_object
from nebo.product.gateway.json_text import Edit, Part, list_members

KINDS = ("input_text", "output_text", "text")
CONTINUES = ("previous_response_id", "conversation")  # what was said before is with the provider
ENDS = ("response.completed", "response.incomplete", "response.failed")


@dataclass(frozen=True, slots=True)
class OpenAIResponses:
    """`POST responses`."""

    provider: str = "openai"
    path: str = "responses"

    def read(self, text: str) -> Asked | None:
        """`input` is a text or a list of items."""
        members = list_members(text)
        given = members.get("input")
        if given is not None and isinstance(given.value, str):
            return Asked(text, members, (), [Spoken("user", words_of(given.value))])
        return read_conversation(text, "input", _spoken)

    def with_known(self, asked: Asked, known: Known) -> str:
        """The stable block behind the caller's instructions, the dynamic one right before the question.

        Where the provider keeps the conversation, it would keep that, too: it then goes with the instructions, which
        count for this answer alone.
        """
        kept = any(name in asked.members and asked.members[name].value is not None for name in CONTINUES)
        inside = not kept and bool(asked.items) and asked.question_at is not None
        blocks = [known.stable] if inside else [known.stable, known.dynamic]
        edits = [_edit_instructions(asked, text)] if (text := "\n\n".join(filter(None, blocks))) else []
        if inside and known.dynamic:
            place = asked.items[asked.question_at or 0].start
            item = json.dumps({"role": "developer", "content": known.dynamic}, ensure_ascii=False)
            edits.append(Edit(place, place, f"{item},"))
        return asked.edited(edits)

    def answer_in(self, body: dict[str, Any]) -> str:
        """All that the model's messages say."""
        output = body.get("output")
        items = [one for one in output if isinstance(one, dict)] if isinstance(output, list) else []
        texts = [words_of(one.get("content"), KINDS) for one in items if one.get("type") == "message"]
        return "\n".join(text for text in texts if text)

    def piece_of(self, data: str) -> Piece:
        """What an event adds."""
        event = read_object(data)
        if event.get("type") == "response.output_text.delta":
            return Piece(str(event.get("delta", "")))
        return Piece(is_end=event.get("type") in ENDS)


def _spoken(item: Any) -> Spoken:
    if not isinstance(item, dict) or item.get("type", "message") != "message":
        return Spoken("", "")
    return Spoken(str(item.get("role", "")), words_of(item.get("content"), KINDS))


def _edit_instructions(asked: Asked, text: str) -> Edit:
    own: Part | None = asked.members.get("instructions")
    if own is None:
        start = asked.text.index("{") + 1
        return Edit(start, start, f'"instructions":{json.dumps(text, ensure_ascii=False)},')
    whole = f"{own.value}\n\n{text}" if isinstance(own.value, str) and own.value else text
    return Edit(own.start, own.end, json.dumps(whole, ensure_ascii=False))
