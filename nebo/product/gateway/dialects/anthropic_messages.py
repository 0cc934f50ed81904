"""Anthropic's messages."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from nebo.product.gateway.asked import Asked, Known, Spoken, words_of
from nebo.product.gateway.dialects.dialect import Piece, read_conversation
from nebo.product.gateway.events import read_object
from nebo.product.gateway.json_text import Edit, Part, list_items, list_members

CACHED = {"cache_control": {"type": "ephemeral"}}


@dataclass(frozen=True, slots=True)
class AnthropicMessages:
    """`POST messages`."""

    provider: str = "anthropic"
    path: str = "messages"

    def read(self, text: str) -> Asked | None:
        """See Dialect."""
        return read_conversation(text, "messages", _spoken)

    def with_known(self, asked: Asked, known: Known) -> str:
        """Blocks of the system prompt behind the caller's own, the stable one first.

        Where the caller has the conversation cached, the dynamic one would spoil that, since the system prompt stands
        before all messages: it then stands before the question's words instead. Where the caller has nothing cached,
        the stable one gets a mark.
        """
        moved = known.dynamic and _caches_conversation(asked) and asked.question_at is not None
        mark = {} if _has_mark(asked.members["messages"].value) or _marks_elsewhere(asked) else CACHED
        blocks = [{"type": "text", "text": known.stable, **mark}] if known.stable else []
        if known.dynamic and not moved:
            blocks.append({"type": "text", "text": known.dynamic})
        edits = [_edit_system(asked, ",".join(map(_json, blocks)))] if blocks else []
        return asked.edited([*edits, *([_edit_question(asked, known.dynamic)] if moved else [])])

    def answer_in(self, body: dict[str, Any]) -> str:
        """All blocks of text."""
        content = body.get("content")
        blocks = [one for one in content if isinstance(one, dict)] if isinstance(content, list) else []
        return "".join(str(one.get("text", "")) for one in blocks if one.get("type") == "text")

    def piece_of(self, data: str) -> Piece:
        """What an event adds."""
        event = read_object(data)
        kind, delta = event.get("type"), event.get("delta")
        if kind == "content_block_delta" and isinstance(delta, dict) and delta.get("type") == "text_delta":
            return Piece(str(delta.get("text", "")))
        return Piece(is_end=kind == "message_stop")


def _spoken(message: Any) -> Spoken:
    if not isinstance(message, dict):
        return Spoken("", "")
    return Spoken(str(message.get("role", "")), words_of(message.get("content")))


def _caches_conversation(asked: Asked) -> bool:
    return "cache_control" in asked.members or _has_mark(asked.members["messages"].value)


def _marks_elsewhere(asked: Asked) -> bool:
    others = (asked.members.get(name) for name in ("system", "tools"))
    return "cache_control" in asked.members or any(_has_mark(part.value) for part in others if part)


def _has_mark(value: Any) -> bool:
    """Whether a block, or one within it, has a mark of the cache."""
    if isinstance(value, list):
        return any(_has_mark(one) for one in value)
    if isinstance(value, dict):
        return value.get("cache_control") is not None or _has_mark(value.get("content"))
    return False


def _edit_system(asked: Asked, blocks: str) -> Edit:
    """Behind the caller's own, whose characters stay as they are."""
    own = asked.members.get("system")
    if own is None:
        start = asked.text.index("{") + 1
        return Edit(start, start, f'"system":[{blocks}],')
    if isinstance(own.value, list):
        return Edit(own.end - 1, own.end - 1, f",{blocks}" if own.value else blocks)
    raw = asked.text[own.start : own.end]
    before = f'{{"type":"text","text":{raw}}},' if isinstance(own.value, str) and own.value else ""
    return Edit(own.start, own.end, f"[{before}{blocks}]")


def _edit_question(asked: Asked, text: str) -> Edit:
    """Before the question's first words, behind what tools gave: that must come first."""
    content = _content_of(asked, asked.items[asked.question_at or 0])
    block = _json({"type": "text", "text": text})
    if isinstance(content.value, str):
        raw = asked.text[content.start : content.end]
        return Edit(content.start, content.end, f'[{block},{{"type":"text","text":{raw}}}]')
    first = next(item for item in list_items(asked.text, content.start) if _is_text(item.value))
    return Edit(first.start, first.start, f"{block},")


def _content_of(asked: Asked, message: Part) -> Part:
    inner = list_members(asked.text[message.start : message.end])["content"]
    return Part(inner.value, inner.start + message.start, inner.end + message.start)


def _is_text(block: Any) -> bool:
    return isinstance(block, dict) and block.get("type") == "text"


def _json(block: Iterable[Any]) -> str:
    return json.dumps(block, ensure_ascii=False)
