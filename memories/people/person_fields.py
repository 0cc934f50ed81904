"""The person's profile: each column is a memory under `tacit/user`, so it has a history and can be forgotten."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from django.db.models import Q

from memories.models import Memory
from memories.new_memory import NewMemory
from memories.person_columns import KEY_OF_COLUMN, memory_value
from memories.storing.edit import delete_memory
from memories.storing.store import MAX_IMPORTANCE, store_memory
from nebo.errors import InvalidInput
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant, UserProfile


def update_person(
    *,
    tenant: Tenant | UUID,
    person: UserProfile,
    changes: Mapping[str, str | list[str]],
    actor: Actor,
) -> UserProfile:
    """Set columns by storing their memories; an empty one is forgotten. Raises InvalidInput naming the column."""
    for column, value in changes.items():
        if column not in KEY_OF_COLUMN:
            raise InvalidInput("There is no such field.", field=column)
        text = memory_value(value).strip()
        if text:
            _remember(tenant, person, column, text, actor)
        else:
            _forget(tenant, person, column, actor)
    person.refresh_from_db()
    return person


def _remember(tenant: Tenant | UUID, person: UserProfile, column: str, text: str, actor: Actor) -> None:
    source = Memory.Source.USER if actor.kind == "user" else Memory.Source.SEEDED_PROFILE
    new = NewMemory(
        value=text,
        key=KEY_OF_COLUMN[column],
        layer="tacit",
        namespace="user",
        source=source,
        importance=MAX_IMPORTANCE,
    )
    stored = store_memory(tenant=tenant, person=person, new=new, actor=actor, deduplicate=False)
    if stored.action == "quarantined":
        raise InvalidInput(stored.memory.quarantine_reason, field=column)


def _forget(tenant: Tenant | UUID, person: UserProfile, column: str, actor: Actor) -> None:
    held = Memory.objects.for_tenant(tenant).filter(
        Q(persona_id=None),
        person=person,
        namespace="tacit/user",
        key=KEY_OF_COLUMN[column],
        scope=Memory.Scope.USER,
        status=Memory.Status.ACTIVE,
    )
    for memory in held.select_related("person"):
        delete_memory(tenant=tenant, memory=memory, actor=actor)
    empty: str | list[str] = [] if column == "interests" else ""
    UserProfile.objects.for_tenant(tenant).filter(pk=person.pk).update(**{column: empty})
