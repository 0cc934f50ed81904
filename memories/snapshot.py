"""A memory as JSON, for versions: everything a change can change, so that it can be changed back."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from memories.models import Memory

SNAPSHOT_FIELDS = (
    "person_id", "persona_id", "session_id", "scope", "layer", "namespace", "key", "value", "tags",
    "type", "entity_refs", "entity_label", "entity_type", "fact_type", "memory_key", "importance", "pinned",
    "confirmed_at", "source", "trust", "status", "quarantine_reason", "confidence", "reinforced_count",
    "first_observed", "last_reinforced", "valid_from", "valid_to", "superseded_by_id", "expires_at", "deleted_at",
    "metadata", "shared_at", "shared_by",
)  # fmt: skip
KEPT_AS_IT_IS = ("person_id", "shared_at", "shared_by")  # by whatever goes back: nobody shares by undoing


def snapshot(memory: Memory) -> dict[str, Any]:
    """Every field a change can touch; ids as text, times as ISO 8601."""
    return {name: _as_json(getattr(memory, name)) for name in SNAPSHOT_FIELDS}


def fields_of(before: dict[str, Any]) -> dict[str, Any]:
    """A snapshot's fields as a memory has them, but whose it is and whether it is shared: ids, times and lists of
    their own types again.
    """
    known = [name for name in SNAPSHOT_FIELDS if name in before and name not in KEPT_AS_IT_IS]
    return {name: _of_json(name, before[name]) for name in known}


def changed_fields(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """Names of the fields that differ."""
    return [name for name in SNAPSHOT_FIELDS if before.get(name) != after.get(name)]


def _as_json(value: Any) -> Any:
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, datetime):
        return value.isoformat()
    return list(value) if isinstance(value, tuple) else value


def _of_json(name: str, value: Any) -> Any:
    field: Any = Memory._meta.get_field(name)
    return field.to_python(value)
