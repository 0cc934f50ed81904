"""Who did something: for audit entries, versions and observations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal
from uuid import UUID

ActorKind = Literal["key", "user", "job", "operator"]


@dataclass(frozen=True, slots=True)
class Actor:
    """One who acts, and in which request."""

    kind: ActorKind
    id: str
    request_id: str = ""
    trust: str = ""  # whose words it brings, where its key says so

    def __str__(self) -> str:
        return f"{self.kind}:{self.id}"

    @property
    def key_id(self) -> UUID | None:
        """Of the key that acts, where one does and its id can be one."""
        try:
            return UUID(self.id) if self.kind == "key" else None
        except ValueError:
            return None
