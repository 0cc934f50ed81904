"""What a file brings: conversations, and notes that become memories."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime

from sessions.turns.append import NewMessage


@dataclass(slots=True)
class History:
    """A conversation to become a session. `left_out` counts messages that can't be kept, or that say nothing."""

    key: str
    messages: list[NewMessage] = field(default_factory=list)
    left_out: int = 0
    ids: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Note:
    """Something to remember. `origin` names it in its source, so that it comes in once; `about` says where it stood."""

    origin: str
    text: str
    tags: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    noted_at: datetime | None = None


@dataclass(slots=True)
class Brought:
    """All of a file; `left_out` says how much of it is not taken over, by reason."""

    histories: list[History] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
