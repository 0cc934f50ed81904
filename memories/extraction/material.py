"""The conversation as an extractor reads it: short, numbered, its end kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from memories.sanitize import clean_text
from nebo.llm.types import ChatMessage

MAX_MESSAGE_CHARS = 500  # characters of one message (seed 000 §3)
MAX_MATERIAL_CHARS = 15_000  # characters in all, about 4,000 tokens (seed 000 §3)
READ_ROLES = ("user", "assistant")  # tools and systems state nothing about the person
ELLIPSIS = "…"


def list_material(messages: Sequence[ChatMessage]) -> list[tuple[int, ChatMessage]]:
    """The messages an extractor may read, each with its number: its place in `messages`, from 0."""
    return [(n, m) for n, m in enumerate(messages) if m.role in READ_ROLES and m.content.strip()]


def render_material(messages: Sequence[ChatMessage]) -> str:
    """The conversation as lines `[3] Caroline (user): …`, a line with the day before each new day.

    A message is cut at 500 characters; of the whole the last 15,000 characters are kept, in whole lines.
    """
    lines = list(_lines(messages))
    kept: list[str] = []
    room = MAX_MATERIAL_CHARS
    for line in reversed(lines):
        room -= len(line) + 1
        if room < 0:
            break
        kept.append(line)
    return "\n".join(reversed(kept))


def shorten(text: str, limit: int = MAX_MESSAGE_CHARS) -> str:
    """One message on one line, cut at `limit` characters with an ellipsis."""
    line = " ".join(clean_text(text).split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + ELLIPSIS


def _lines(messages: Sequence[ChatMessage]) -> Iterator[str]:
    day: date | None = None
    for number, message in list_material(messages):
        if message.created_at and message.created_at.date() != day:
            day = message.created_at.date()
            yield f"--- {day:%A} {day.isoformat()} ---"
        yield f"[{number}] {_speaker(message)}: {shorten(message.content)}"


def _speaker(message: ChatMessage) -> str:
    name = " ".join(clean_text(message.name).split())[:80]
    return f"{name} ({message.role})" if name else message.role
