"""The one door for every change of a memory.

It locks the person's row and writes a version with before and after, an audit entry, the observations, links to the
entities, new chunks and a higher `memory_version`, all in the caller's transaction.
The row is locked FOR NO KEY UPDATE: it serialises the writers of one person's memories, and lets in the foreign
keys of messages that other turns insert at the same moment (FOR UPDATE would deadlock with those).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Q, Subquery
from django.utils import timezone

from memories.audit.log import record_audit
from memories.models import VALUE_LIMIT, FoldMember, Memory, Observation, Version
from memories.new_memory import NewObservation, embedded_heading
from memories.screening.personal import Policy
from memories.screening.sanitize import clean_text, cut_value
from memories.screening.sensitive import redact
from memories.snapshot import changed_fields, snapshot
from memories.storing.entities import (
    NO_LABELS,
    keep_original_refs,
    link_entities,
    renew_original_refs,
    resolve_entities,
)
from memories.storing.person_sync import sync_person
from memories.storing.styles import note_style
from nebo.errors import NotFound
from nebo.postgres.rehearsal import is_rehearsal
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant, UserProfile
from nebo.tenants.pauses import check_collecting, with_pauses
from nebo.tenants.scoping import tenant_id_of
from search.answer_versions import invalidate_answers
from search.indexing.passages import Passage, index_passages, remove_memory_chunks

AGREED_TO = (
    "value",
    "status",
    "scope",
    "persona_id",
    "session_id",
    "person_id",
)  # as it was shared with the team
INDEXED = ("status", "person_id", "persona_id", "scope", "session_id", "key", "value")


@dataclass(frozen=True, slots=True)
class Change:
    """What is done, by whom and why; `vectors` by embedding text, where they are known already. `message_id` is the
    message that told it, where one did.
    """

    action: str
    actor: Actor
    reason: str = ""
    run_id: UUID | None = None
    vectors: Mapping[str, list[float]] | None = None
    message_id: UUID | None = None


def lock_person(*, tenant: Tenant | UUID, person: UserProfile, renaming: bool = False) -> UserProfile:
    """The person's fresh row, held until the transaction ends: writes to one person's memories queue here. It tells
    whether a pause of theirs is in force (`has_pause`), and what the workspace decided about sensitive matters
    (`sensitive_classes`).

    `renaming` is for who changes the name agents call them by: rows that others write about the person meanwhile
    point at it, so theirs have to end first. Raises NotFound for somebody who was erased meanwhile.
    """
    people = UserProfile.objects.for_tenant(tenant)
    if not is_rehearsal():
        people = people.select_for_update(no_key=not renaming)
    decided = Tenant.objects.filter(pk=tenant_id_of(tenant)).values("sensitive_classes")
    asked = people.filter(pk=person.pk).annotate(sensitive_classes=Subquery(decided))
    held = with_pauses(asked, tenant=tenant).first()
    if held is None:
        raise NotFound
    return held


def policy_of(held: UserProfile) -> Policy:
    """What the workspace decided about sensitive matters, of a person whose row is held."""
    decided: Policy = held.__dict__["sensitive_classes"]
    return decided


def lock_to_bring(
    *, tenant: Tenant | UUID, person: UserProfile, actor: Actor, session_id: UUID | None = None
) -> UserProfile:
    """The same for who brings words about the person. Raises CollectionPaused where those aren't collected just now."""
    held = lock_person(tenant=tenant, person=person)
    check_collecting(tenant=tenant, person=held, actor=actor, session_id=session_id)
    return held


def insert_memory(
    *,
    tenant: Tenant | UUID,
    memory: Memory,
    change: Change,
    observations: Iterable[NewObservation] = (),
    labels: Mapping[str, str] = NO_LABELS,
) -> Memory:
    """Store a memory that wasn't there. The person's row must be held. `labels` name entities that are new with it."""
    memory.tenant_id = tenant if isinstance(tenant, UUID) else tenant.pk
    original = resolve_entities(tenant=tenant, memory=memory)
    memory.save(force_insert=True)
    observe(tenant=tenant, memory=memory, observations=observations)
    if memory.status != Memory.Status.QUARANTINED:  # nobody comes to be known by what may not be true
        link_entities(tenant=tenant, memory=memory, labels=labels)
    keep_original_refs(tenant=tenant, memory=memory, original=original)
    _record(tenant=tenant, memory=memory, before=None, change=change)
    return memory


def change_memory(
    *,
    tenant: Tenant | UUID,
    memory: Memory,
    fields: Mapping[str, Any],
    change: Change,
    observations: Iterable[NewObservation] = (),
) -> Memory:
    """Set fields of a stored memory; nothing is written when nothing differs and nothing was seen."""
    before = snapshot(memory)
    for name, value in fields.items():
        setattr(memory, name, value)
    if memory.is_shared and "shared_at" not in fields:
        _end_sharing(memory, changed_fields(before, snapshot(memory)))
    about = before["entity_refs"] != memory.entity_refs
    original = resolve_entities(tenant=tenant, memory=memory) if about else None
    seen = observe(tenant=tenant, memory=memory, observations=observations)
    if snapshot(memory) == before and not seen:
        return memory
    memory.version += 1
    memory.save()
    if before["status"] == Memory.Status.QUARANTINED and memory.status == Memory.Status.ACTIVE:
        link_entities(tenant=tenant, memory=memory)
    if original and before["entity_refs"] != memory.entity_refs:
        link_entities(tenant=tenant, memory=memory)
        renew_original_refs(tenant=tenant, memory=memory, original=original, before=before["entity_refs"])
    _record(tenant=tenant, memory=memory, before=before, change=change)
    return memory


def _end_sharing(memory: Memory, changed: list[str]) -> None:
    """What was shared with the team were those words, in that state."""
    if set(changed) & set(AGREED_TO):
        memory.shared_at, memory.shared_by = None, ""


def erase_memory(*, tenant: Tenant | UUID, memory: Memory, change: Change) -> None:
    """Remove a memory with its versions, observations and chunks; the audit entry that stays holds no text.

    With a fold go the memories it holds: their words are its words.
    """
    held = FoldMember.objects.for_tenant(tenant).filter(fold__memory=memory, fold__undone_at=None)
    gone = Q(pk=memory.pk) | Q(pk__in=held.values("memory_id"))
    Memory.objects.for_tenant(tenant).filter(gone).delete()
    _audit(tenant=tenant, memory=memory, change=change, fields=[])
    note_style(tenant=tenant, before=snapshot(memory), after=None)
    invalidate_answers(tenant=tenant, person_id=memory.person_id)


def observe(
    *, tenant: Tenant | UUID, memory: Memory, observations: Iterable[NewObservation]
) -> list[Observation]:
    """Keep each observation as it was made; there is no way to change one."""
    tenant_id = tenant if isinstance(tenant, UUID) else tenant.pk
    rows = [_observation(tenant_id, memory, seen) for seen in observations]
    return Observation.objects.for_tenant(tenant).bulk_create(rows) if rows else []


def _observation(tenant_id: UUID, memory: Memory, seen: NewObservation) -> Observation:
    return Observation(
        tenant_id=tenant_id,
        memory=memory,
        run_id=seen.run_id,
        message_id=seen.message_id,
        extractor=seen.extractor[:40],
        model=seen.model[:240],
        prompt_hash=seen.prompt_hash,
        value=cut_value(seen.value, VALUE_LIMIT),
        quote=seen.quote,
        quote_start=seen.quote_start,
        quote_end=seen.quote_end,
        confidence=seen.confidence,
        trust=seen.trust,
        actor=seen.actor[:120],
        observed_at=seen.observed_at or timezone.now(),
    )


def _record(*, tenant: Tenant | UUID, memory: Memory, before: dict[str, Any] | None, change: Change) -> None:
    after = snapshot(memory)
    Version.objects.for_tenant(tenant).create(
        memory=memory,
        number=memory.version,
        action=change.action,
        before=before,
        after=after,
        actor=str(change.actor)[:120],
        reason=redact(clean_text(change.reason))[:300],
        run_id=change.run_id,
        message_id=change.message_id,
    )
    fields = changed_fields(before or {}, after)
    _audit(tenant=tenant, memory=memory, change=change, fields=fields if before else [])
    if before is None or set(fields) & set(INDEXED):
        _index(tenant=tenant, memory=memory, had_chunks=before is not None, vectors=change.vectors)
    if before is None or set(fields) & {"status", "value", "key", "namespace"}:
        sync_person(tenant=tenant, memory=memory)
    note_style(tenant=tenant, before=before, after=after)
    invalidate_answers(tenant=tenant, person_id=memory.person_id)


def _audit(*, tenant: Tenant | UUID, memory: Memory, change: Change, fields: list[str]) -> None:
    record_audit(
        tenant=tenant,
        actor=change.actor,
        action=f"memory.{change.action}",
        object_type="memory",
        object_id=memory.pk,
        person_id=memory.person_id,
        detail={"version": memory.version, "fields": fields} if fields else {"version": memory.version},
    )


def _index(
    *,
    tenant: Tenant | UUID,
    memory: Memory,
    had_chunks: bool,
    vectors: Mapping[str, list[float]] | None,
) -> None:
    """Only what is live can be found."""
    if had_chunks:
        remove_memory_chunks(tenant=tenant, memory_ids=[memory.pk])
    if memory.status == Memory.Status.ACTIVE:
        index_passages(
            tenant=tenant, person_id=memory.person_id, passages=[passage_of(memory)], vectors=vectors
        )


def passage_of(memory: Memory) -> Passage:
    """What the index gets of a memory that lives."""
    return Passage(
        source="memory",
        text=memory.value,
        heading=embedded_heading(memory.key, memory.value),
        memory_id=memory.pk,
        # A session's own memory goes with it; one that was only learnt there stays.
        session_id=memory.session_id if memory.scope == Memory.Scope.SESSION else None,
        persona_id=memory.persona_id,
        occurred_at=memory.valid_from or memory.first_observed,
    )
