"""Which memory speaks of whom: one entity a reference, one link a memory; a merged name stands for another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from uuid import UUID

from memories.entity_refs import (
    EntityRef,
    entity_type,
    explain_ref,
    find_ref,
    label_as_written,
    label_of,
    make_memory_key,
    resolve_memory_key,
    resolve_refs,
)
from memories.models import Entity, Memory, MemoryEntity, UnmergedRefs
from nebo.errors import InvalidInput
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import tenant_id_of

ENTITY_REFS_MAX = 20  # references of one memory
LABEL_MAX_CHARS = 200  # characters of a name
NO_LABELS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class OriginalRefs:
    """What a memory is about in the words of whoever wrote it, before merged names were resolved."""

    entity_refs: tuple[str, ...]
    memory_key: str


def name_subject(memory: Memory, *, labels: Mapping[str, str] = NO_LABELS) -> Memory:
    """The type, the label and the key of whom a memory is about, from its first reference where they weren't said.

    `labels` are the names that its references were written with.
    """
    ref = find_ref(memory.entity_refs[0]) if memory.entity_refs else None
    memory.entity_type = entity_type(memory.entity_type) or (ref.type if ref else "")
    label = (labels.get(str(ref)) or label_of(ref)) if ref else ""
    memory.entity_label = memory.entity_label or label[:LABEL_MAX_CHARS]
    memory.memory_key = memory.memory_key or derived_key(memory)
    return memory


def derived_key(memory: Memory) -> str:
    """The memory key that follows from what a memory is about; empty where it is about the person alone."""
    ref = find_ref(memory.entity_refs[0]) if memory.entity_refs else None
    return make_memory_key(memory.type, ref, memory.fact_type)


def normal_refs(refs: Sequence[str]) -> list[str]:
    """References as `type:slug`, each once; raises InvalidInput that says which one is none, and why."""
    if len(refs) > ENTITY_REFS_MAX:
        raise InvalidInput(f"At most {ENTITY_REFS_MAX} references.", field="entity_refs")
    found = [find_ref(text) for text in refs]
    for place, ref in enumerate(found):
        if ref is None:
            raise InvalidInput(f"{explain_ref(refs[place])} (entry {place})", field=f"entity_refs/{place}")
    return list(dict.fromkeys(str(ref) for ref in found))


def original_labels(refs: Sequence[str]) -> dict[str, str]:
    """The names that references were written with, by their normal form; none for a bare slug."""
    return {
        str(ref): label
        for text in reversed(refs)
        if (ref := find_ref(text)) and (label := label_as_written(text))
    }


def get_aliases(*, tenant: Tenant | UUID, person_id: UUID) -> dict[str, str]:
    """What each merged reference of a person stands for in the end, through however many merges. One query."""
    rows = Entity.objects.for_tenant(tenant).filter(person_id=person_id, merged_into__isnull=False)
    into = dict(rows.values_list("ref", "merged_into__ref"))
    return {ref: _end_of(ref, into) for ref in into}


def resolve_entities(*, tenant: Tenant | UUID, memory: Memory) -> OriginalRefs:
    """Give a memory that is about to be written the references that hold; returns those that were said."""
    original = OriginalRefs(tuple(memory.entity_refs), memory.memory_key)
    if original.entity_refs or original.memory_key:
        aliases = get_aliases(tenant=tenant, person_id=memory.person_id)
        memory.entity_refs = resolve_refs(original.entity_refs, aliases)
        memory.memory_key = resolve_memory_key(original.memory_key, aliases)
    return original


def link_entities(*, tenant: Tenant | UUID, memory: Memory, labels: Mapping[str, str] = NO_LABELS) -> None:
    """Make the links of a memory those of its `entity_refs`, and the entities that are missing, with these names."""
    MemoryEntity.objects.for_tenant(tenant).filter(memory=memory).delete()
    refs = [ref for text in memory.entity_refs if (ref := find_ref(text))]
    if not refs:
        return
    names = {**labels, memory.entity_refs[0]: memory.entity_label or labels.get(memory.entity_refs[0], "")}
    rows = [_entity(memory, ref, names.get(str(ref), "")) for ref in refs]
    Entity.objects.for_tenant(tenant).bulk_create(rows, ignore_conflicts=True)
    wanted = [str(ref) for ref in refs]
    known = Entity.objects.for_tenant(tenant).filter(person_id=memory.person_id, ref__in=wanted)
    links = [
        MemoryEntity(tenant_id=memory.tenant_id, memory=memory, entity_id=entity_id)
        for entity_id in known.values_list("pk", flat=True)
    ]
    MemoryEntity.objects.for_tenant(tenant).bulk_create(links)


def keep_original_refs(*, tenant: Tenant | UUID, memory: Memory, original: OriginalRefs) -> None:
    """Remember the names a new memory came with where they are other than those it has: a split needs them."""
    if (list(original.entity_refs), original.memory_key) != (memory.entity_refs, memory.memory_key):
        UnmergedRefs.objects.for_tenant(tenant).create(
            memory=memory, entity_refs=list(original.entity_refs), memory_key=original.memory_key
        )


def renew_original_refs(
    *, tenant: Tenant | UUID, memory: Memory, original: OriginalRefs, before: list[str]
) -> None:
    """The same where the references of a stored memory change: a name that still holds stays as it was said."""
    rows = UnmergedRefs.objects.for_tenant(tenant).filter(memory=memory)
    earlier = rows.first()
    aliases = get_aliases(tenant=tenant, person_id=memory.person_id)
    older = earlier.entity_refs if earlier else before
    kept = [ref for ref in older if aliases.get(ref, ref) in memory.entity_refs]
    covered = set(resolve_refs(kept, aliases))
    refs = [*kept, *(ref for ref in original.entity_refs if aliases.get(ref, ref) not in covered)]
    key = earlier.memory_key if earlier and not original.memory_key else original.memory_key
    write_original_refs(
        tenant=tenant, originals={memory.pk: OriginalRefs(tuple(refs), key)}, now={memory.pk: memory}
    )


def write_original_refs(
    *, tenant: Tenant | UUID, originals: Mapping[UUID, OriginalRefs], now: Mapping[UUID, Memory]
) -> None:
    """Keep for these memories what was said, where it differs from what they now have."""
    UnmergedRefs.objects.for_tenant(tenant).filter(memory_id__in=list(originals)).delete()
    rows = [
        UnmergedRefs(
            tenant_id=tenant_id_of(tenant),
            memory_id=memory_id,
            entity_refs=list(one.entity_refs),
            memory_key=one.memory_key,
        )
        for memory_id, one in originals.items()
        if set(one.entity_refs) != set(now[memory_id].entity_refs)
        or one.memory_key != now[memory_id].memory_key
    ]
    UnmergedRefs.objects.for_tenant(tenant).bulk_create(rows)


def _end_of(ref: str, into: Mapping[str, str]) -> str:
    """Where a chain of merges ends; nothing is ever merged into itself."""
    for _ in into:
        if ref not in into:
            break
        ref = into[ref]
    return ref


def _entity(memory: Memory, ref: EntityRef, label: str) -> Entity:
    """An entity by the name it was given, else by its slug."""
    return Entity(
        tenant_id=memory.tenant_id,
        person_id=memory.person_id,
        ref=str(ref),
        type=ref.type,
        label=label[:LABEL_MAX_CHARS] or label_of(ref),
    )
