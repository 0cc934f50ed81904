"""What a grammar reads out of one message."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

Kind = Literal[
    "name", "preference", "timezone", "place", "fact", "habit", "event", "relation", "project", "decision", "style",
    "remember", "forget", "task",
]  # fmt: skip
Category = Literal["preferences", "entities", "decisions", "styles", "artifacts"]


@dataclass(frozen=True, slots=True)
class Turn:
    """One message as a grammar sees it.

    `speaker` may be empty; `at` is when it was said, without which relative dates stay as they are; `shared` says
    that several named people speak here, so that keys must name whose they are.
    """

    text: str
    speaker: str = ""
    at: datetime | None = None
    shared: bool = False


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing a message states.

    `key` is the slot: the same subject has the same key, so a later statement replaces an earlier one. `value` is a
    sentence in third person, `detail` the bare value of the slot ("Berlin"). `text[start:end]` of the message is the
    verbatim quote.
    """

    kind: Kind
    category: Category
    key: str
    value: str
    detail: str
    start: int
    end: int
    type: str = "profile"
    entity: str = ""
    entity_type: str = ""
    fact_type: str = "fact"
    importance: int = 1
    due: date | None = None
    tags: tuple[str, ...] = ()
