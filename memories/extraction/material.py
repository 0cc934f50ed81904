"""The conversation as an extractor reads it: short, numbered, its end kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from memories.screening.sanitize import clean_text
from nebo.llm.types import ChatMessage

MAX_MESSAGE_CHARS = 500  # characters of one message; docs/design.md#learning-numbers
MAX_MATERIAL_CHARS = 15_000  # characters in all, about 4,000 tokens
MAX_CONTEXT_CHARS = 2_000  # characters of what was read before, out of those
CONTEXT_MESSAGES = 6  # messages read before that are shown again, at most
CONTEXT_HEAD, CONTEXT_END = "--- read before, only to understand what follows ---", "--- new ---"
READ_ROLES = ("user", "assistant")  # tools and systems state nothing about the person
ELLIPSIS = "…"


def list_material(messages: Sequence[ChatMessage]) -> list[tuple[int, ChatMessage]]:
    """The messages an extractor may read, each with its number: its place in `messages`, from 0."""
    return [(n, m) for n, m in enumerate(messages) if m.role in READ_ROLES and m.content.strip()]


def render_material(messages: Sequence[ChatMessage], *, before: Sequence[ChatMessage] = ()) -> str:
    """The conversation as lines `[3] Caroline (user): …`, a line with the day before each new day.

    A message is cut at 500 characters; of the whole the last 15,000 characters are kept, in whole lines. What was
    read `before` stands first and has no numbers, so that nobody can cite it: `(before) assistant: …`.
    """
    lines = _last_lines(list(_lines(messages)), MAX_MATERIAL_CHARS)
    room = min(MAX_CONTEXT_CHARS, MAX_MATERIAL_CHARS - sum(len(line) + 1 for line in lines))
    room -= len(CONTEXT_HEAD) + len(CONTEXT_END) + 2
    context = _last_lines(
        [f"(before) {_speaker(m)}: {shorten(m.content)}" for _, m in list_material(before)], room
    )
    return "\n".join([CONTEXT_HEAD, *context, CONTEXT_END, *lines] if context else lines)


def count_fitting(messages: Sequence[ChatMessage]) -> int:
    """How many messages from the first on can be shown whole in one material, at least one."""
    room = MAX_MATERIAL_CHARS - MAX_CONTEXT_CHARS
    for count in range(len(messages)):
        room -= sum(len(line) + 1 for line in _lines(messages[count : count + 1], number=count))
        if room < 0 and count:
            return count
    return len(messages)


def shorten(text: str, limit: int = MAX_MESSAGE_CHARS) -> str:
    """One message on one line, cut at `limit` characters with an ellipsis."""
    line = " ".join(clean_text(text).split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + ELLIPSIS


def _last_lines(lines: Sequence[str], room: int) -> list[str]:
    """As many from the end as fit, each with its line break."""
    kept: list[str] = []
    for line in reversed(lines):
        room -= len(line) + 1
        if room < 0:
            break
        kept.append(line)
    return kept[::-1]


def _lines(messages: Sequence[ChatMessage], *, number: int = 0) -> Iterator[str]:
    """The lines of messages of which the first has this number."""
    day: date | None = None
    for place, message in list_material(messages):
        if message.created_at and message.created_at.date() != day:
            day = message.created_at.date()
            yield f"--- {day:%A} {day.isoformat()} ---"
        yield f"[{number + place}] {_speaker(message)}: {shorten(message.content)}"


def _speaker(message: ChatMessage) -> str:
    name = " ".join(clean_text(message.name).split())[:80]
    return f"{name} ({message.role})" if name else message.role
