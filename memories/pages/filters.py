"""What a person looks for in the list of memories, as the address says it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from django.db.models import TextChoices

from memories.models import Memory
from memories.screening.sanitize import clean_text

QUERY_CHARS = 500  # characters, as the search field has it


STATUSES = (
    Memory.Status.QUARANTINED,
    Memory.Status.ARCHIVED,
    Memory.Status.SUPERSEDED,
    Memory.Status.WRONG,
    Memory.Status.UNMENTIONED,
    Memory.Status.DELETED,
)


@dataclass(frozen=True, slots=True)
class Select:
    """A list to choose from, with what stands there where nothing is chosen."""

    name: str
    label: str
    unchosen: str
    choices: Iterable[TextChoices]
    chosen: str


@dataclass(frozen=True, slots=True)
class MemoryFilters:
    """Empty ones let everything through; without a status the live memories are meant."""

    q: str = ""
    layer: str = ""
    type: str = ""
    status: str = ""
    pinned: bool = False

    @property
    def any(self) -> bool:
        """Whether anything is left out by choice."""
        return any(asdict(self).values())

    @property
    def is_status_alone(self) -> bool:
        """Whether nothing but the status is asked for: the trash, what waits for review."""
        return bool(self.status) and not (self.q or self.layer or self.type or self.pinned)

    @property
    def is_question(self) -> bool:
        """Whether search can help: only what is live stands in its index."""
        return bool(self.q) and self.status in ("", Memory.Status.ACTIVE)

    @property
    def selects(self) -> tuple[Select, ...]:
        """The lists of the page."""
        return (
            Select("layer", "Layer", "Any layer", Memory.Layer, self.layer),
            Select("type", "Type", "Any type", Memory.Type, self.type),
            Select("status", "Status", str(Memory.Status.ACTIVE.label), STATUSES, self.status),
        )

    @property
    def columns(self) -> dict[str, Any]:
        """What a row must hold in `layer`, `type` and `pinned`."""
        wanted = {"layer": self.layer, "type": self.type, "pinned": self.pinned}
        return {name: value for name, value in wanted.items() if value}


def read_filters(given: Mapping[str, str]) -> MemoryFilters:
    """Filters from an address; what makes no sense there is left out."""
    return MemoryFilters(
        q=clean_text(given.get("q", ""))[:QUERY_CHARS],
        layer=_one_of(Memory.Layer.values, given.get("layer", "")),
        type=_one_of(Memory.Type.values, given.get("type", "")),
        status=_one_of(Memory.Status.values, given.get("status", "")),
        pinned=given.get("pinned") == "true",
    )


def _one_of(choices: list[str], value: str) -> str:
    return value if value in choices else ""
