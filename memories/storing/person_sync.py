"""What is remembered under `tacit/user` stands in the person's profile too, and leaves it when forgotten."""

from __future__ import annotations

from uuid import UUID

from django.db.models import Q

from memories.models import Memory
from memories.normalize import PROFILE_NAMESPACE
from memories.person_columns import COLUMN_OF_KEY, USER_PREFIX, column_value, find_column, person_value
from nebo.postgres.rehearsal import is_rehearsal
from nebo.tenants.models import Tenant, UserProfile

LIVE_SCOPE = Memory.Scope.USER  # a shared or passing fact is no part of a profile


def sync_person(*, tenant: Tenant | UUID, memory: Memory) -> None:
    """Write a live memory's value into its column; of one that is no longer live, what another still says, if any."""
    column = None if is_rehearsal() else find_column(memory.namespace, memory.key)
    if column is None or memory.scope != LIVE_SCOPE or memory.persona_id is not None:
        return
    value = _value(column, memory)
    people = UserProfile.objects.for_tenant(tenant).filter(pk=memory.person_id)
    if memory.status == Memory.Status.ACTIVE:
        people.update(**{column: value})
        return
    empty: str | list[str] = [] if isinstance(value, list) else ""
    other = _find_other(tenant, memory, column)
    people.filter(**{column: value}).update(**{column: _value(column, other) if other else empty})


def _find_other(tenant: Tenant | UUID, memory: Memory, column: str) -> Memory | None:
    """The newest live memory that says this column as well, under another address."""
    keys = [key for key, name in COLUMN_OF_KEY.items() if name == column]
    address = Q(namespace=PROFILE_NAMESPACE, key__in=keys) | Q(
        namespace="tacit", key__in=[f"{USER_PREFIX}{key}" for key in keys]
    )
    rows = Memory.objects.for_tenant(tenant).filter(
        address,
        person_id=memory.person_id,
        persona=None,
        scope=LIVE_SCOPE,
        status=Memory.Status.ACTIVE,
    )
    return rows.exclude(pk=memory.pk).order_by("-last_reinforced", "-created_at").first()


def _value(column: str, memory: Memory) -> str | list[str]:
    """A memory's value as the column takes it."""
    return column_value(column, bare_value(memory))


def bare_value(memory: Memory) -> str:
    """What was read out of the words when they were told, while they still say it; else what the words hold."""
    detail = str(memory.metadata.get("detail", ""))
    return detail if detail and detail in memory.value else person_value(memory.key, memory.value)
