"""Why a memory stands nowhere in a context: noted by what leaves it out, while the context is laid out."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Rule(StrEnum):
    """What left a memory out of one place."""

    IN_PROFILE = "in_profile"  # User Information has it as a column
    SETTLED = "settled"  # a plan that was done or dropped since
    SAID_IN_PROFILE = "said_in_profile"  # User Information says the same in other words
    REPEATS = "repeats"  # another memory in the same place says the same
    NO_ROOM = "no_room"  # the budget is spent
    SAID_ABOVE = "said_above"  # it stands further up, or its words do
    SAID_IN_MESSAGES = "said_in_messages"  # the messages that are shown say it
    FAR = "far"  # below the floor of relevance


@dataclass(slots=True)
class LeftOut:
    """By the ids of memories: what kept each out of What You Know, and out of the cards."""

    known: dict[str, Rule] = field(default_factory=dict)
    cards: dict[str, Rule] = field(default_factory=dict)

    def note_card(self, memory_id: str, rule: Rule) -> None:
        """For a card of a memory; turns have no id to be asked for by."""
        if memory_id:
            self.cards[memory_id] = rule
