"""Two names of one entity: a person merges them, and can split them again exactly as they were.

A merged name stays as an alias: whatever is said of it later is known of the other. What each memory said of whom
is kept (`UnmergedRefs`), so a split gives back also what was learned under the alias meanwhile.
"""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _

from memories.audit.log import record_audit
from memories.entity_refs import resolve_memory_key, resolve_refs
from memories.models import Entity, EntityMerge, Memory, MemoryEntity, MergeProposal, UnmergedRefs
from memories.people.merge_proposals import decide
from memories.storing.audited_writes import Change, change_memory, lock_person
from memories.storing.entities import OriginalRefs, get_aliases, write_original_refs
from nebo.errors import Conflict, InvalidInput
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant, UserProfile

MERGED_REASON = "Another name of {into}."
SPLIT_REASON = "No longer taken for {into}."


def merge_entities(
    *, tenant: Tenant | UUID, person: UUID | UserProfile, entity: Entity, into: Entity, actor: Actor
) -> EntityMerge:
    """Make `entity` another name of `into`: every memory of it is about `into` from now on.

    Raises InvalidInput for two types or twice the same, and Conflict where one of them is merged already.
    """
    held = _lock(tenant, person)
    entity, into = _fresh(tenant, held, entity), _fresh(tenant, held, into)
    if entity.pk == into.pk or entity.type != into.type:
        raise InvalidInput(_("Two entities of one type can be merged."), field="into")
    if entity.merged_into_id or into.merged_into_id:
        raise Conflict(_("One of them is merged already."))
    entity.merged_into = into
    entity.save(update_fields=["merged_into"])
    change = Change("merged", actor, reason=MERGED_REASON.format(into=into.ref))
    count = _rename(tenant, held.pk, entity.pk, change)
    merge: EntityMerge = EntityMerge.objects.for_tenant(tenant).create(
        person=held, entity=entity, into=into, actor=str(actor)[:120], memories=count
    )
    _settle(tenant, entity, into, MergeProposal.Status.MERGED, actor)
    _audit(tenant, merge, actor, "entity.merged", count)
    return merge


def split_entity(
    *, tenant: Tenant | UUID, person: UUID | UserProfile, entity: Entity, actor: Actor
) -> EntityMerge:
    """Take a merged name out again; its memories are its own, as they were. Not proposed again.

    Raises Conflict for one that isn't merged.
    """
    held = _lock(tenant, person)
    entity = _fresh(tenant, held, entity)
    rows = EntityMerge.objects.for_tenant(tenant).filter(entity=entity, undone_at=None)
    merge = rows.select_related("into", "entity").first()
    if merge is None or entity.merged_into_id is None:
        raise Conflict(_("This entity isn't merged into another."))
    root = _root_of(tenant, held.pk, entity)
    entity.merged_into = None
    entity.save(update_fields=["merged_into"])
    change = Change("split", actor, reason=SPLIT_REASON.format(into=merge.into.ref))
    count = _rename(tenant, held.pk, root, change)
    merge.undone_at, merge.undone_by = timezone.now(), str(actor)[:120]
    merge.save(update_fields=["undone_at", "undone_by"])
    _settle(tenant, entity, merge.into, MergeProposal.Status.DISMISSED, actor)
    _audit(tenant, merge, actor, "entity.split", count)
    return merge


def _lock(tenant: Tenant | UUID, person: UUID | UserProfile) -> UserProfile:
    return lock_person(
        tenant=tenant, person=person if isinstance(person, UserProfile) else UserProfile(pk=person)
    )


def _fresh(tenant: Tenant | UUID, held: UserProfile, entity: Entity) -> Entity:
    """The entity as it stands now; DoesNotExist for another person's, which no caller hands over."""
    return Entity.objects.for_tenant(tenant).get(pk=entity.pk, person=held)


def _root_of(tenant: Tenant | UUID, person_id: UUID, entity: Entity) -> UUID:
    ref = get_aliases(tenant=tenant, person_id=person_id).get(entity.ref, entity.ref)
    return Entity.objects.for_tenant(tenant).get(person_id=person_id, ref=ref).pk


def _rename(tenant: Tenant | UUID, person_id: UUID, entity_id: UUID, change: Change) -> int:
    """Give the memories linked to an entity the references that hold now; how many changed."""
    aliases = get_aliases(tenant=tenant, person_id=person_id)
    links = MemoryEntity.objects.for_tenant(tenant).filter(entity_id=entity_id)
    rows = Memory.objects.for_tenant(tenant).filter(pk__in=links.values("memory_id"))
    memories = {
        memory.pk: memory for memory in rows.select_related("person", "persona").order_by("created_at")
    }
    originals = _list_originals(tenant, memories)
    changed = 0
    for memory in memories.values():
        one, version = originals[memory.pk], memory.version
        fields = {
            "entity_refs": resolve_refs(one.entity_refs, aliases),
            "memory_key": resolve_memory_key(one.memory_key, aliases),
        }
        changed += change_memory(tenant=tenant, memory=memory, fields=fields, change=change).version > version
    write_original_refs(tenant=tenant, originals=originals, now=memories)
    return changed


def _list_originals(tenant: Tenant | UUID, memories: Mapping[UUID, Memory]) -> dict[UUID, OriginalRefs]:
    """What each was said to be about; what it has, where nothing else was said."""
    kept = UnmergedRefs.objects.for_tenant(tenant).filter(memory_id__in=list(memories))
    kept_refs = {row.memory_id: OriginalRefs(tuple(row.entity_refs), row.memory_key) for row in kept}
    return {
        memory.pk: kept_refs.get(memory.pk) or OriginalRefs(tuple(memory.entity_refs), memory.memory_key)
        for memory in memories.values()
    }


def _settle(tenant: Tenant | UUID, one: Entity, other: Entity, status: str, actor: Actor) -> None:
    """The decision about this pair, proposed or not: a pair that was split is never proposed again."""
    first, second = sorted((one, other), key=lambda entity: entity.ref)
    proposal, _ = MergeProposal.objects.for_tenant(tenant).get_or_create(
        first=first, second=second, defaults={"person_id": one.person_id}
    )
    decide(proposal, status, actor)


def _audit(tenant: Tenant | UUID, merge: EntityMerge, actor: Actor, action: str, memories: int) -> None:
    record_audit(
        tenant=tenant,
        actor=actor,
        action=action,
        object_type="entity",
        object_id=merge.entity_id,
        person_id=merge.person_id,
        detail={"into": str(merge.into_id), "memories": memories},
    )
