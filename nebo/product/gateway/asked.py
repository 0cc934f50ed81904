"""A request for a completion: its text, who says what in it, and what is known for it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from nebo.product.gateway.json_text import Edit, Part, edited
from sessions.api.serializers import MAX_MESSAGE_BYTES

SYSTEM_ROLES = ("system", "developer")
USER, ASSISTANT = "user", "assistant"
# Programs for coding put notes of their own into what a person says. They aren't the person's words.
_PROGRAMS_NOTE = re.compile(r"<system-reminder>.*?</system-reminder>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Spoken:
    """One message in words; without any where it only carries what a tool gave, or an image."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class Known:
    """What is known, in two blocks: the stable one changes rarely, the dynamic one belongs to the question. `paused` is
    why nothing of the turn is kept, as answers of the API say it.
    """

    stable: str = ""
    dynamic: str = ""
    paused: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Asked:
    """The text of the body, its members, and of the conversation in it each item with its words."""

    text: str
    members: Mapping[str, Part]
    items: Sequence[Part]
    spoken: Sequence[Spoken]

    @cached_property
    def question_at(self) -> int | None:
        """Which item has the person's last words: the results of a tool have none."""
        places = [place for place, one in enumerate(self.spoken) if one.role == USER and one.text]
        return places[-1] if places else None

    @property
    def question(self) -> str:
        """The person's last words, or ""."""
        return "" if self.question_at is None else self.spoken[self.question_at].text

    @property
    def is_alone(self) -> bool:
        """Whether the question comes without what was said before it."""
        return sum(one.role not in SYSTEM_ROLES for one in self.spoken) < 2

    @property
    def first_words(self) -> str:
        """What the person began with: the same for all requests of a conversation that sends its past along."""
        return next((one.text for one in self.spoken if one.role == USER and one.text), "")

    def digest(self) -> str:
        """Of the conversation up to the question: the same if the request comes again, or goes on after a tool."""
        end = 0 if self.question_at is None else self.question_at + 1
        messages = [f"{one.role}\x1f{one.text}" for one in self.spoken[:end] if one.role not in SYSTEM_ROLES]
        return hashlib.sha256("\x1e".join(messages).encode("utf-8", "surrogatepass")).hexdigest()

    def has_words(self, role: str, words: str) -> bool:
        """Whether the request itself brings a message along that is also in the memory."""
        wanted = " ".join(words.split())[:_COMPARED]
        return any(one.role == role and " ".join(one.text.split()).startswith(wanted) for one in self.spoken)

    def edited(self, edits: Sequence[Edit]) -> str:
        """The text with something put in; every other character as it was sent."""
        return edited(self.text, edits)


_COMPARED = 80  # characters by which two messages are taken for the same: a long one may be shown shortened


def words_of(content: Any, kinds: Sequence[str] = ("text",)) -> str:
    """The words of a message's content: a text, or a list of parts of which those of these kinds have a text."""
    if isinstance(content, str):
        return _own_words(content)
    if not isinstance(content, list):
        return ""
    parts = [part for part in content if isinstance(part, dict) and part.get("type") in kinds]
    return _own_words("\n".join(part["text"] for part in parts if isinstance(part.get("text"), str)))


def storable(text: str) -> str:
    """As a message can be kept: without NUL and half characters, and of its length the beginning."""
    clean = text.replace("\0", "").encode("utf-8", "replace")
    return clean[:MAX_MESSAGE_BYTES].decode("utf-8", "ignore").strip()


def _own_words(text: str) -> str:
    return _PROGRAMS_NOTE.sub("", text).strip()
