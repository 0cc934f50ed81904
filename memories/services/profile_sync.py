"""What is remembered under `tacit/user` stands in the person's profile too, and leaves it when forgotten."""

from __future__ import annotations

from uuid import UUID

from memories.extraction.mapping import profile_value
from memories.models import Memory
from memories.profile_columns import column_value, find_column
from nebo.tenants.models import Tenant, UserProfile

LIVE_SCOPE = Memory.Scope.USER  # a shared or passing fact is no part of a profile


def sync_profile(*, tenant: Tenant | UUID, memory: Memory) -> None:
    """Write a live memory's value into its column; empty the column of one that is no longer live."""
    column = find_column(memory.namespace, memory.key)
    if column is None or memory.scope != LIVE_SCOPE or memory.persona_id is not None:
        return
    value = column_value(column, _bare_value(memory))
    people = UserProfile.objects.for_tenant(tenant).filter(pk=memory.profile_id)
    if memory.status == Memory.Status.ACTIVE:
        people.update(**{column: value})
    else:
        empty: str | list[str] = [] if isinstance(value, list) else ""
        people.filter(**{column: value}).update(**{column: empty})


def _bare_value(memory: Memory) -> str:
    """What was read out of the words when they were told, while they still say it; else what the words hold."""
    detail = str(memory.metadata.get("detail", ""))
    return detail if detail and detail in memory.value else profile_value(memory.key, memory.value)
