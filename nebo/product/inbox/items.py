"""What waits for a decision, whatever it is: as it is shown, with a digest of all that a decision would act on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from memories.models import Memory
from memories.pages.memory_reads import CONTRADICTS
from memories.screening.checks import REASON_INSTRUCTION, REASON_SENSITIVE
from memories.screening.personal import REASON as OF_A_CLASS
from memories.storing.blocking import REASON_WRONG

MEMORY, PAIR, FORGET, WISH, RUN = "memory", "pair", "forget", "wish", "run"
KINDS = (MEMORY, PAIR, FORGET, WISH, RUN)
NOT_THEIR_WORDS = "Not the person’s own words"  # how the reasons of `memories/screening/orders.py` begin
# Memories by how their reason for waiting begins; all others lack support.
SORTS = (
    ("sensitive", (REASON_SENSITIVE.partition("{")[0],)),
    ("order", (REASON_INSTRUCTION.partition("(")[0], NOT_THEIR_WORDS)),
    ("matter", (OF_A_CLASS.partition("{")[0],)),
    ("conflicting", (CONTRADICTS,)),
    ("wrong", (REASON_WRONG,)),
)
UNSUPPORTED = "unsupported"


@dataclass(frozen=True, slots=True)
class Quote:
    """Words, and the turn they stand in if it is kept."""

    quote: str
    message: Any = None
    quote_start: int | None = None


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a run of extraction would store."""

    value: str
    is_todo: bool
    quote: Quote | None


@dataclass(frozen=True, slots=True)
class Option:
    """Something that one may tick: its name in the form, its id, its words, whether it is ticked at first."""

    name: str
    id: str
    text: str
    ticked: bool
    badge: str = ""


@dataclass(frozen=True, slots=True)
class Rival:
    """A live memory; `is_replaced` by the one that waits if that is approved, or only said to go against it."""

    memory: Memory
    is_replaced: bool


@dataclass(frozen=True, slots=True)
class Side:
    """One of two names that may be one, with what is known of it."""

    entity: Any
    facts: Sequence[str]


@dataclass(frozen=True, slots=True)
class Item:
    """`sort` is what it is shown under; `seen` tells what was shown from what stands there now. `rivals` are the live
    memories that an approved one would replace, or goes against.
    """

    kind: str
    id: UUID
    sort: str
    at: datetime
    thing: Any
    seen: str
    reason: str = ""
    quotes: Sequence[Quote] = ()
    rivals: Sequence[Rival] = ()
    options: Sequence[Option] = ()
    sides: Sequence[Side] = ()
    proposals: Sequence[Proposal] = ()
    persona: Mapping[str, Any] | None = None  # its name and slug

    @property
    def template(self) -> str:
        """What draws its body."""
        return f"inbox/_{self.kind}.html"


@dataclass(frozen=True, slots=True)
class Waiting:
    """Everything that waits, the newest first, and what was learned and decided lately."""

    items: Sequence[Item]
    runs: Sequence[Any] = field(default_factory=list)
    decisions: Sequence[Any] = field(default_factory=list)


def sort_of(reason: str) -> str:
    """What a memory that waits is shown under."""
    for sort, beginnings in SORTS:
        if reason.startswith(beginnings):
            return sort
    return UNSUPPORTED


def digest(*facts: Any) -> str:
    """Of all that a decision would act on."""
    return hashlib.sha256(json.dumps(facts, default=str, sort_keys=True).encode()).hexdigest()[:24]
