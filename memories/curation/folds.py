"""Folding memories into one. The fold supersedes what it holds, and can be taken apart again (`unfolding`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from memories.models import VALUE_LIMIT, Fold, FoldMember, Memory
from memories.new_memory import make_key
from memories.storing.audited_writes import Change, change_memory, insert_memory, lock_person
from memories.storing.entities import ENTITY_REFS_MAX, derived_key
from memories.storing.matching import PROPOSALS
from memories.storing.styles import STYLE_NAMESPACE
from memories.storing.unfolding import audit_fold
from memories.trust import TRUST_ORDER, capped
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant, UserProfile

FOLDED_SOURCES = (*PROPOSALS, Memory.Source.AGENT, Memory.Source.IMPORT, Memory.Source.CURATED_FOLD)
TAGS_MAX = 20  # of one memory
KEPT_APART = (STYLE_NAMESPACE, "tacit/user", "tacit/artifacts")  # counted, profile columns, and what was made
REASON = {
    "same": "Says the same as another memory; folded into one.",
    "scattered": "One of several facts about the same subject; folded into one.",
}


@dataclass(frozen=True, slots=True)
class NewFold:
    """What is to be one: the memories as they were read (the one that leads first), and the wording."""

    kind: str
    memories: Sequence[Memory]
    value: str
    worded_by: str
    prompt_hash: str = ""


def foldable() -> Q:
    """Live memories that curation may fold: none that a person wrote, pinned or confirmed, none that expires or
    belongs to a day."""
    return Q(
        ~Q(layer=Memory.Layer.DAILY),
        ~Q(namespace__in=KEPT_APART),
        source__in=FOLDED_SOURCES,
        status=Memory.Status.ACTIVE,
        pinned=False,
        confirmed_at=None,
        expires_at=None,
    )


def has_own_address(memory: Memory) -> bool:
    """Whether whoever wrote it may ask for it by a key of their own: then it stays where it is."""
    if memory.source in PROPOSALS or memory.source == Memory.Source.CURATED_FOLD:
        return False
    stated = memory.memory_key and (
        memory.fact_type != Memory.FactType.FACT or memory.memory_key != derived_key(memory)
    )
    return bool(stated) or memory.key != make_key(memory.value)


def apply_fold(
    *,
    tenant: Tenant | UUID,
    person: UserProfile,
    new: NewFold,
    actor: Actor,
    vectors: Mapping[str, list[float]] | None = None,
) -> Fold | None:
    """Make the fold, inside the caller's scope; None where any of its memories changed since it was read."""
    lock_person(tenant=tenant, person=person)
    versions = {memory.pk: memory.version for memory in new.memories}
    rows = Memory.objects.for_tenant(tenant).filter(foldable(), pk__in=versions).select_related("person")
    held = {memory.pk: memory for memory in rows if memory.version == versions[memory.pk]}
    if len(held) < len(versions):
        return None
    members = [held[memory_id] for memory_id in versions]
    # Their addresses are freed first: two live memories may never share one, not even for a moment.
    rows.update(status=Memory.Status.SUPERSEDED)
    change = Change("created", actor, reason=REASON[new.kind], vectors=vectors)
    memory = insert_memory(tenant=tenant, memory=_draft(members, new), change=change)
    _supersede(tenant, members, memory, Change("folded", actor, reason=REASON[new.kind]))
    return _record(tenant, members, memory, new, actor)


def _draft(members: Sequence[Memory], new: NewFold) -> Memory:
    """One memory with the address of the first, the lowest trust and the least certainty of all."""
    lead = members[0]
    trust = min((m.trust for m in members), key=TRUST_ORDER.index)
    confidence = min(m.confidence for m in members)
    return Memory(
        person=lead.person, persona_id=lead.persona_id, scope=lead.scope, session_id=lead.session_id,
        layer=lead.layer, namespace=lead.namespace, key=lead.key, value=new.value[:VALUE_LIMIT],
        tags=_each(m.tags for m in members)[:TAGS_MAX], type=lead.type,
        entity_refs=_each(m.entity_refs for m in members)[:ENTITY_REFS_MAX],
        entity_label=lead.entity_label, entity_type=lead.entity_type, fact_type=lead.fact_type,
        memory_key=lead.memory_key, importance=max(m.importance for m in members),
        source=Memory.Source.CURATED_FOLD, trust=trust,
        confidence=capped(confidence, trust, lead.namespace),
        reinforced_count=sum(m.reinforced_count for m in members),
        first_observed=min(m.first_observed for m in members),
        last_reinforced=max(m.last_reinforced for m in members),
        access_count=sum(m.access_count for m in members),
        accessed_at=max(m.accessed_at for m in members),
        valid_from=max((m.valid_from for m in members if m.valid_from), default=None),
    )  # fmt: skip


def _supersede(tenant: Tenant | UUID, members: Sequence[Memory], memory: Memory, change: Change) -> None:
    fields = {
        "status": Memory.Status.SUPERSEDED,
        "valid_to": timezone.now(),
        "superseded_by_id": memory.pk,
    }
    for member in members:
        change_memory(tenant=tenant, memory=member, fields=fields, change=change)


def _record(
    tenant: Tenant | UUID, members: Sequence[Memory], memory: Memory, new: NewFold, actor: Actor
) -> Fold:
    fold: Fold = Fold.objects.for_tenant(tenant).create(
        person_id=memory.person_id,
        memory=memory,
        kind=new.kind,
        worded_by=new.worded_by[:240],
        prompt_hash=new.prompt_hash,
        actor=str(actor)[:120],
    )
    direct = [member.pk for member in members]
    inner = FoldMember.objects.for_tenant(tenant).filter(fold__memory_id__in=direct, fold__undone_at=None)
    within = set(inner.values_list("memory_id", flat=True))
    rows = [(memory_id, True) for memory_id in direct] + [(memory_id, False) for memory_id in within]
    FoldMember.objects.for_tenant(tenant).bulk_create(
        FoldMember(tenant_id=memory.tenant_id, fold=fold, memory_id=memory_id, direct=is_direct)
        for memory_id, is_direct in rows
    )
    audit_fold(tenant, fold, actor, "fold.made", {"kind": new.kind, "memories": len(members)})
    return fold


def _each(lists: Any) -> list[str]:
    return list(dict.fromkeys(item for items in lists for item in items))
