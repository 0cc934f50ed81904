"""What one sentence was read to be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from nebo.reading.meaning.kinds import Kind

DOUBT = 0.5  # chance from which something is said of somebody else


@dataclass(frozen=True, slots=True, eq=False)  # told apart by identity: one of a text is made once
class Meaning:
    """What a sentence is: a chance from 0 to 1 for each kind and for each worth, and the likeliest slot.

    `acts` are the kinds that are sure enough to be acted on, `asks` those that may be asked about.
    """

    chances: Mapping[str, float]
    worth: Mapping[str, float]
    slot: str
    slot_chance: float
    slots: Mapping[str, float]
    acts: frozenset[str]
    asks: frozenset[str]

    def is_sure(self, kind: Kind) -> bool:
        """Whether it may be acted on."""
        return kind in self.acts

    def may_be(self, kind: Kind) -> bool:
        """Whether it may be asked about, or kept for somebody to decide."""
        return kind in self.asks

    def is_of_another(self) -> bool:
        """Whether it is said of somebody else, or of a thing."""
        return max(self.chances["relative"], self.chances["other"]) >= DOUBT
