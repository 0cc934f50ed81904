"""What a grammar reads out of one message."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

Kind = Literal[
    "name", "preference", "timezone", "place", "fact", "habit", "event", "relation", "project", "decision", "style",
    "remember", "forget", "task",
]  # fmt: skip
TODO_KINDS = ("commitment", "habit", "thread", "friction")  # seed 002
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
    verbatim quote. Wishes that exclude each other ("brief", "detailed") have keys of their own and share a `slot`.
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
    slot: str = ""

    @property
    def todo_kind(self) -> str:
        """Of a task: commitment, habit, thread or friction."""
        return todo_kind(self.tags)


def todo_kind(tags: Sequence[str]) -> str:
    """Which kind of open loop a task is, by its tags; a commitment unless they say otherwise."""
    return next((tag for tag in tags if tag in TODO_KINDS), TODO_KINDS[0])


@dataclass(frozen=True, slots=True)
class Closing:
    """Something a message says is settled.

    `phrase` is what ("call the dentist", or "the report" where no verb is told); `text[start:end]` of the message is
    the verbatim quote.
    """

    outcome: Literal["done", "dropped"]
    phrase: str
    has_verb: bool
    start: int
    end: int
