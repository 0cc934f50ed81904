"""Memories as mem0's callers have them: those that hold, not what waits, gave way or was forgotten."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from memories.models import Memory
from memories.selectors import unexpired
from memories.storing.edit import delete_memory, update_memory
from nebo.errors import NotFound
from nebo.product.mem0.said import OWN, list_said
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant, UserProfile
from nebo.tenants.selectors import Caller

ERASED = "erased:"  # begins the name of a person whose erasure was asked for


def list_held(*, caller: Caller, person_id: UUID | None = None, expired: bool = False) -> QuerySet[Memory]:
    """Of one person; of nobody in particular, whatever the key may see."""
    rows = Memory.objects.for_tenant(caller.tenant_id).select_related("person", "persona")
    rows = rows.filter(status=Memory.Status.ACTIVE)
    if not expired:
        rows = rows.filter(unexpired())
    if caller.persona_id is not None:
        rows = rows.filter(Q(persona_id=caller.persona_id) | Q(persona_id=None))
    if person_id is not None:
        return rows.filter(person_id=person_id)
    if caller.person_id is not None:
        rows = rows.filter(Q(person_id=caller.person_id) | Q(person__kind=UserProfile.Kind.SHARED))
    return rows


def of_person(person: UserProfile) -> Q:
    """Their own memories, and everyone's."""
    return Q(person_id=person.pk) | Q(person__kind=UserProfile.Kind.SHARED)


def get_held(*, caller: Caller, ids: Sequence[UUID | None]) -> list[Memory]:
    """All of them, in this order, whatever time they have left; raises NotFound if one isn't there."""
    rows = list_held(caller=caller, expired=True).filter(pk__in=[one for one in ids if one is not None])
    found = {memory.pk: memory for memory in rows}
    if any(one not in found for one in ids):
        raise NotFound
    return [found[one] for one in ids if one is not None]


def change(
    *,
    tenant: UUID,
    memory: Memory,
    fields: Mapping[str, Any],
    actor: Actor,
    vector: list[float] | None,
) -> Memory:
    """Change words, metadata (which are replaced) or the end of its time; what else was said of it stays so."""
    changes = {name: fields[name] for name in ("value", "expires_at") if name in fields}
    if "metadata" in fields:
        said = list_said(tenant=tenant, memories=[memory])[memory.pk]
        own = {**said.as_own(), "metadata": dict(fields["metadata"])}
        changes["metadata"] = {**memory.metadata, OWN: own}
    return update_memory(tenant=tenant, memory=memory, changes=changes, actor=actor, vector=vector)


def forget(*, tenant: UUID, memories: Iterable[Memory], actor: Actor) -> int:
    """Into the trash, with the words they rest on; how many."""
    count = 0
    for memory in memories:
        delete_memory(tenant=tenant, memory=memory, actor=actor)
        count += 1
    return count


def list_people(*, tenant: Tenant | UUID, person_id: UUID | None) -> QuerySet[UserProfile]:
    """People with the number of their memories, the newest first."""
    rows = UserProfile.objects.for_tenant(tenant).filter(kind=UserProfile.Kind.PERSON)
    rows = rows.exclude(external_id__startswith=ERASED)
    if person_id is not None:
        rows = rows.filter(pk=person_id)
    held = Memory.objects.for_tenant(tenant).filter(person_id=OuterRef("pk"), status=Memory.Status.ACTIVE)
    total = held.order_by().values("person_id").annotate(number=Count("pk")).values("number")
    return rows.annotate(total_memories=Coalesce(Subquery(total), 0)).order_by("-created_at", "-pk")
