"""Which memory speaks of whom: one entity a reference, one link a memory."""

from __future__ import annotations

from uuid import UUID

from memories.entity_refs import EntityRef, find_ref, label_of
from memories.models import Entity, Memory, MemoryEntity
from nebo.tenants.models import Tenant


def link_entities(*, tenant: Tenant | UUID, memory: Memory) -> None:
    """Make the links of a memory those of its `entity_refs`, and the entities that are missing."""
    MemoryEntity.objects.for_tenant(tenant).filter(memory=memory).delete()
    refs = [ref for text in memory.entity_refs if (ref := find_ref(text))]
    if not refs:
        return
    rows = [_entity(memory, ref, first=position == 0) for position, ref in enumerate(refs)]
    Entity.objects.for_tenant(tenant).bulk_create(rows, ignore_conflicts=True)
    wanted = [str(ref) for ref in refs]
    known = Entity.objects.for_tenant(tenant).filter(profile_id=memory.profile_id, ref__in=wanted)
    links = [
        MemoryEntity(tenant_id=memory.tenant_id, memory=memory, entity_id=entity_id)
        for entity_id in known.values_list("pk", flat=True)
    ]
    MemoryEntity.objects.for_tenant(tenant).bulk_create(links)


def _entity(memory: Memory, ref: EntityRef, *, first: bool) -> Entity:
    """The memory's own label names its first entity."""
    return Entity(
        tenant_id=memory.tenant_id,
        profile_id=memory.profile_id,
        ref=str(ref),
        type=ref.type,
        label=(memory.entity_label if first else "") or label_of(ref),
    )
