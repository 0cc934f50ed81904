"""How well a claim stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Grade = Literal["supported", "unclear", "unsupported"]


@dataclass(frozen=True, slots=True)
class Support:
    """How well a claim stands, and why not better, in words for a person."""

    grade: Grade
    reason: str = ""

    @property
    def holds(self) -> bool:
        return self.grade == "supported"


SUPPORTED = Support("supported")


def refuse(reason: str) -> Support:
    """Nothing supports it, and nobody need be asked."""
    return Support("unsupported", reason)


def doubt(reason: str) -> Support:
    """Code alone can't tell."""
    return Support("unclear", reason)
