"""Ids of an archive's rows, and what they are for the person whose rows they become.

A row's id keeps its time and exchanges its chance bits for those it would have had with this person: by XOR with a
mask of either. So for the same person ids stay as they are, and an archive of an archive leads to the same ids again.
It doesn't matter that they can be guessed: whose a row is, is asked of the database (`storing.py`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

CHANCE = (0xFFF << 64) | ((1 << 62) - 1)  # all but time, version and variant (RFC 9562 §5.7)


def mask_of(person_id: UUID) -> int:
    """What a person's ids are told apart by."""
    digest = hashlib.sha256(b"nebo.archive" + person_id.bytes).digest()
    return int.from_bytes(digest[:16], "big") & CHANCE


@dataclass(frozen=True, slots=True)
class Names:
    """Whose rows they were and become; `named` are ids that stand for themselves: the person, personas."""

    source_id: UUID
    target_id: UUID
    named: Mapping[str, str] = field(default_factory=dict)

    def new_id(self, text: str) -> str:
        """The id of a row, as it is here."""
        if text in self.named:
            return self.named[text]
        return str(UUID(int=UUID(text).int ^ mask_of(self.source_id) ^ mask_of(self.target_id)))

    def within(self, value: Any, known: Set[str]) -> Any:
        """JSON with the ids of rows of the archive exchanged wherever they stand, also as names."""
        if isinstance(value, str):
            return self._exchange(value, known)
        if isinstance(value, list):
            return [self.within(one, known) for one in value]
        if isinstance(value, dict):
            return {self._exchange(name, known): self.within(inner, known) for name, inner in value.items()}
        return value

    def _exchange(self, text: str, known: Set[str]) -> str:
        if text in self.named or text in known:
            return self.new_id(text)
        return text
