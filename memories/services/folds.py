"""Folding memories into one, and taking a fold apart again. The fold supersedes what it holds; nothing is lost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from memories.models import VALUE_LIMIT, Memory, Version
from memories.new_memory import make_key
from memories.services.audit import record_audit
from memories.services.door import Change, change_memory, insert_memory, lock_person
from memories.services.matching import PROPOSALS, STYLE_NAMESPACE
from memories.services.store import ENTITY_REFS_MAX, TRUST_ORDER, capped
from memories.snapshot import changed_fields, fields_of, snapshot
from memories.unions import Fold, FoldMember
from nebo.errors import Conflict
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant, UserProfile

FOLDED_SOURCES = (*PROPOSALS, Memory.Source.AGENT, Memory.Source.IMPORT, Memory.Source.CURATED_FOLD)
TAGS_MAX = 20  # of one memory
UNDOABLE = (Memory.Status.ACTIVE, Memory.Status.ARCHIVED, Memory.Status.DELETED)
KEPT_APART = (STYLE_NAMESPACE, "tacit/user", "tacit/artifacts")  # counted, profile columns, and what was made
REASON = {
    "same": "Says the same as another memory; folded into one.",
    "scattered": "One of several facts about the same subject; folded into one.",
}
UNDONE, CHANGED, TAKEN = "The fold was undone.", "changed since", "its key is taken"


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
    return bool(memory.memory_key) or memory.key != make_key(memory.value)


def apply_fold(
    *,
    tenant: Tenant | UUID,
    profile: UserProfile,
    new: NewFold,
    actor: Actor,
    vectors: Mapping[str, list[float]] | None = None,
) -> Fold | None:
    """Make the fold, inside the caller's scope; None where any of its memories changed since it was read."""
    lock_person(tenant=tenant, profile=profile)
    versions = {memory.pk: memory.version for memory in new.memories}
    rows = Memory.objects.for_tenant(tenant).filter(foldable(), pk__in=versions).select_related("profile")
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


def undo_fold(*, tenant: Tenant | UUID, fold: Fold, actor: Actor) -> dict[str, Any]:
    """Take a fold apart: it goes to the trash, its memories are as they were. Again it answers the same.

    Returns how many came back and, under `left`, what stayed and why: changed since, or its key is taken. Raises
    Conflict where the fold itself was folded or replaced since.
    """
    lock_person(tenant=tenant, profile=fold.profile)
    fold = Fold.objects.for_tenant(tenant).select_related("profile", "memory__profile").get(pk=fold.pk)
    if fold.undone_at is not None:
        return {"restored": 0, "left": []}
    if fold.memory.status not in UNDOABLE:
        raise Conflict("This fold was folded or replaced since; undo that first.")
    _discard(tenant, fold.memory, actor)
    restored, left = _give_back(tenant, fold, actor)
    fold.undone_at, fold.undone_by = timezone.now(), str(actor)[:120]
    fold.save(update_fields=["undone_at", "undone_by"])
    outcome = {"restored": restored, "left": left}
    _audit(tenant, fold, actor, "fold.undone", {"restored": restored, "left": len(left)})
    return outcome


def _draft(members: Sequence[Memory], new: NewFold) -> Memory:
    """One memory with the address of the first, the lowest trust and the least certainty of all."""
    lead = members[0]
    trust = min((m.trust for m in members), key=TRUST_ORDER.index)
    confidence = min(m.confidence for m in members)
    return Memory(
        profile=lead.profile, persona_id=lead.persona_id, scope=lead.scope, session_id=lead.session_id,
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
        profile_id=memory.profile_id,
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
    _audit(tenant, fold, actor, "fold.made", {"kind": new.kind, "memories": len(members)})
    return fold


def _discard(tenant: Tenant | UUID, memory: Memory, actor: Actor) -> None:
    fields = {
        "status": Memory.Status.DELETED,
        "deleted_at": memory.deleted_at or timezone.now(),
        "pinned": False,
    }
    change = Change("unfolded", actor, reason=UNDONE)
    change_memory(tenant=tenant, memory=memory, fields=fields, change=change)


def _give_back(tenant: Tenant | UUID, fold: Fold, actor: Actor) -> tuple[int, list[dict[str, str]]]:
    """Each memory as it was before the fold, unless somebody has decided something about it since."""
    rows = Memory.objects.for_tenant(tenant).select_related("profile", "persona")
    direct = FoldMember.objects.for_tenant(tenant).filter(fold=fold, direct=True)
    members = list(rows.filter(pk__in=direct.values("memory_id")).order_by("created_at"))
    traces = _list_traces(tenant, members)
    taken = _list_taken(tenant, members)
    restored, left = 0, []
    for member in members:
        before, after = traces.get(member.pk, ({}, {}))
        if changed_fields(after, snapshot(member)):
            left.append({"memory_id": str(member.pk), "reason": CHANGED})
        elif _address(member) in taken:
            left.append({"memory_id": str(member.pk), "reason": TAKEN})
        else:
            change = Change("unfolded", actor, reason=UNDONE)
            change_memory(tenant=tenant, memory=member, fields=fields_of(before), change=change)
            restored += 1
    return restored, left


def _list_traces(
    tenant: Tenant | UUID, members: Sequence[Memory]
) -> dict[UUID, tuple[dict[str, Any], dict[str, Any]]]:
    """Before and after of the last time each was folded."""
    rows = Version.objects.for_tenant(tenant).filter(memory__in=members, action="folded").order_by("number")
    return {row.memory_id: (row.before or {}, row.after) for row in rows}


def _list_taken(tenant: Tenant | UUID, members: Sequence[Memory]) -> set[tuple[object, ...]]:
    """Addresses among theirs at which another memory is live now."""
    keys = {member.key for member in members}
    profile_ids = {member.profile_id for member in members}
    live = Memory.objects.for_tenant(tenant).filter(
        profile_id__in=profile_ids, key__in=keys, status=Memory.Status.ACTIVE
    )
    return {_address(memory) for memory in live}


def _address(memory: Memory) -> tuple[object, ...]:
    return memory.persona_id, memory.scope, memory.session_id, memory.namespace, memory.key


def _each(lists: Any) -> list[str]:
    return list(dict.fromkeys(item for items in lists for item in items))


def _audit(tenant: Tenant | UUID, fold: Fold, actor: Actor, action: str, detail: dict[str, Any]) -> None:
    record_audit(
        tenant=tenant,
        actor=actor,
        action=action,
        object_type="fold",
        object_id=fold.pk,
        profile_id=fold.profile_id,
        detail=detail,
    )
