"""Changing a memory by hand: correct, pin, archive, confirm, delete, restore. Every step can be undone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from memories.models import Memory
from memories.new_memory import NewMemory, NewObservation, embedding_text
from memories.normalize import parse_namespace, storage_namespace
from memories.screening.checks import screen
from memories.screening.personal import NO_POLICY, Policy, judge_memory
from memories.screening.sensitive import redact
from memories.storing.audited_writes import (
    Change,
    change_memory,
    erase_memory,
    lock_person,
    lock_to_bring,
    policy_of,
)
from memories.storing.blocking import REASON_WRONG, find_marked
from memories.storing.entities import derived_key, name_subject, normal_refs, original_labels
from memories.storing.intake import MEMORY_KEY_CHARS
from memories.storing.marking import fields_before_mark, list_marked_along
from memories.storing.plainer import bring_back_plainer
from memories.storing.store import MAX_IMPORTANCE
from memories.trust import lowest, trust_of
from memories.withholding.withholding import (
    SpokenRequest,
    lift,
    schedule_redaction,
    withhold,
    withhold_corrected,
)
from nebo.errors import Conflict, InvalidInput
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant

EDITABLE = (
    "value", "key", "layer", "namespace", "tags", "type", "entity_refs", "entity_label", "entity_type",
    "fact_type", "memory_key", "importance", "pinned", "expires_at", "metadata", "persona_id", "scope", "session_id",
)  # fmt: skip
WORDED = ("value", "key", "tags", "entity_label", "memory_key", "metadata")  # in which something can be said
BROUGHT = {*WORDED, "type", "entity_refs", "entity_type", "fact_type"}  # by which something new is said
ADDRESS = ("persona_id", "scope", "session_id", "namespace", "key")
CLEARED = {"deleted_at": None, "valid_to": None, "superseded_by_id": None, "quarantine_reason": ""}


def update_memory(
    *,
    tenant: Tenant | UUID,
    memory: Memory,
    changes: Mapping[str, Any],
    actor: Actor,
    vector: list[float] | None = None,
    reason: str = "",
) -> Memory:
    """Change what `EDITABLE` names. Raises InvalidInput, Conflict where another memory has the key, and
    CollectionPaused and KeptOut where an agent would bring new words.

    A new value that may not be used puts the memory into quarantine, with the reason.
    """
    unknown = [name for name in changes if name not in EDITABLE]
    if unknown:
        raise InvalidInput("This field can't be changed.", field=unknown[0])
    held, policy = _lock_to_change(tenant, memory, changes, actor)
    if not held.is_editable:
        raise Conflict(_("This memory is %(status)s; restore it first.") % {"status": held.status})
    fields = {**_edited(held, changes, actor), **_audience(held, changes)}
    fields |= _kept_back(policy, held, fields) | _blocked(tenant, held, fields["value"], actor)
    _check_address(tenant, held, fields)
    vectors = {embedding_text(fields["key"], fields["value"]): vector} if vector is not None else None
    observations = _observations(held, fields["value"], fields["trust"], actor)
    change = Change("updated", actor, reason=reason, vectors=vectors)
    before = held.value
    changed = change_memory(
        tenant=tenant, memory=held, fields=fields, change=change, observations=observations
    )
    if changed.value != before:
        withhold_corrected(tenant=tenant, memory=changed, before=before)
    return changed


def pin_memory(*, tenant: Tenant | UUID, memory: Memory, actor: Actor) -> Memory:
    """Keep it in sight for good; a pin forces importance 3. Raises Conflict unless it is live."""
    return _set_live(tenant, memory, Change("pinned", actor), {"pinned": True, "importance": MAX_IMPORTANCE})


def unpin_memory(*, tenant: Tenant | UUID, memory: Memory, actor: Actor) -> Memory:
    """Take the pin off; the importance goes back to what it was before."""
    importance = _importance_before_pin(memory)
    return _set_live(tenant, memory, Change("unpinned", actor), {"pinned": False, "importance": importance})


def archive_memory(*, tenant: Tenant | UUID, memory: Memory, actor: Actor) -> Memory:
    """Keep it for the record, out of search and prompts."""
    fields = {"status": Memory.Status.ARCHIVED}
    return _set_live(tenant, memory, Change("archived", actor), fields)


def confirm_memory(
    *,
    tenant: Tenant | UUID,
    memory: Memory,
    actor: Actor,
    seen_version: int,
    vector: list[float] | None = None,
) -> Memory:
    """A person says it is true, having read version `seen_version`; what held its key gives way with a link.

    Raises Conflict when the memory has changed since, or is neither live nor in quarantine.
    """
    held = _lock(tenant, memory)
    if held.version != seen_version:
        raise Conflict(_("The memory has changed since it was read; look at it again."))
    if held.status not in (Memory.Status.ACTIVE, Memory.Status.QUARANTINED):
        raise Conflict(_("This memory is %(status)s; restore it first.") % {"status": held.status})
    _give_way(tenant, held, actor)
    fields = {
        "status": Memory.Status.ACTIVE,
        "quarantine_reason": "",
        "confirmed_at": timezone.now(),
        "trust": Memory.Trust.USER,
        "confidence": max(held.confidence, 0.9),
    }
    vectors = {embedding_text(held.key, held.value): vector} if vector is not None else None
    return change_memory(
        tenant=tenant, memory=held, fields=fields, change=Change("confirmed", actor, vectors=vectors)
    )


def delete_memory(
    *,
    tenant: Tenant | UUID,
    memory: Memory,
    actor: Actor,
    purge: bool = False,
    keep_words: bool = False,
    request: SpokenRequest | None = None,
) -> None:
    """Into the trash, for `Tenant.trash_days`; the words it rests on are withheld from agents, unless `keep_words`.

    With `keep_words` it goes alone: what it only said more fully comes back. `purge` removes it and its history at
    once, and a job takes those words out for good. `request` is what asked for it in talk.
    """
    held = _lock(tenant, memory)
    fields = {"status": Memory.Status.DELETED, "deleted_at": timezone.now()}
    is_new = held.status != Memory.Status.DELETED
    if is_new and not purge:
        change_memory(tenant=tenant, memory=held, fields=fields, change=Change("deleted", actor))
    if is_new and keep_words and not purge:
        bring_back_plainer(tenant=tenant, memory=held, actor=actor)
    if is_new and not keep_words:
        withhold(tenant=tenant, memory=held, request=request)
    if purge:
        if not keep_words:
            schedule_redaction(tenant=tenant, memory=held)
        erase_memory(tenant=tenant, memory=held, change=Change("purged", actor))


def restore_memory(
    *, tenant: Tenant | UUID, memory: Memory, actor: Actor, vector: list[float] | None = None
) -> Memory:
    """Back from trash, archive or history, or without its mark as it stood before. Raises Conflict when its key is
    taken, or it waits for review.
    """
    held = _lock(tenant, memory)
    if held.status == Memory.Status.ACTIVE:
        return held
    if held.status == Memory.Status.QUARANTINED:
        raise Conflict(_("This memory waits for review; confirm it instead."))
    before = held.status
    fields = _restored(tenant, held)
    _check_address(tenant, held, fields)
    vectors = {embedding_text(held.key, held.value): vector} if vector is not None else None
    change = Change("restored", actor, vectors=vectors)
    restored = change_memory(tenant=tenant, memory=held, fields=fields, change=change)
    lift(tenant=tenant, memory=restored)
    if before in Memory.BLOCKED:
        _restore_alike(tenant, restored, before, actor)
    return restored


def _restored(tenant: Tenant | UUID, held: Memory) -> dict[str, Any]:
    """How it stands then: what was held back waits for review again."""
    if held.quarantine_reason:
        return {**CLEARED, "status": Memory.Status.QUARANTINED, "quarantine_reason": held.quarantine_reason}
    return {**CLEARED, "status": Memory.Status.ACTIVE, **fields_before_mark(tenant=tenant, memory=held)}


def _restore_alike(tenant: Tenant | UUID, memory: Memory, status: str, actor: Actor) -> None:
    """Lift the same mark from memories that were marked together with this one, unless another has taken their key."""
    for one in list_marked_along(tenant=tenant, memory=memory, status=status):
        if not _others_at(tenant, one, {}).exists():
            restore_memory(tenant=tenant, memory=one, actor=actor)


def _lock(tenant: Tenant | UUID, memory: Memory) -> Memory:
    """The memory as it stands once the person's row is held."""
    lock_person(tenant=tenant, person=memory.person)
    memory.refresh_from_db()
    return memory


def _lock_to_change(
    tenant: Tenant | UUID, memory: Memory, changes: Mapping[str, Any], actor: Actor
) -> tuple[Memory, Policy]:
    """The same for a change, and what the workspace decided about what is told. One that says nothing new (a pin, an
    end) is no collecting; what a person writes is their choice.
    """
    if not BROUGHT & changes.keys():
        return _lock(tenant, memory), NO_POLICY
    held = lock_to_bring(tenant=tenant, person=memory.person, actor=actor, session_id=memory.session_id)
    memory.refresh_from_db()
    return memory, NO_POLICY if actor.kind == "user" else policy_of(held)


def _set_live(tenant: Tenant | UUID, memory: Memory, change: Change, fields: Mapping[str, Any]) -> Memory:
    held = _lock(tenant, memory)
    if held.status != Memory.Status.ACTIVE:
        raise Conflict(_("This memory is %(status)s; restore it first.") % {"status": held.status})
    return change_memory(tenant=tenant, memory=held, fields=fields, change=change)


def _edited(held: Memory, changes: Mapping[str, Any], actor: Actor) -> dict[str, Any]:
    """The fields a change sets, cleaned and screened like those of a new memory."""
    trust = _trust_after(held, changes, actor)
    wanted = {name: changes.get(name, getattr(held, name)) for name in EDITABLE}
    namespace = _namespace(held, changes)
    pinned = bool(wanted["pinned"])
    screened = screen(
        NewMemory(
            value=wanted["value"],
            key=wanted["key"],
            tags=tuple(wanted["tags"]),
            entity_label=wanted["entity_label"],
            memory_key=wanted["memory_key"],
            metadata=wanted["metadata"],
            trust=trust,
        )
    )
    fields = {
        **wanted,
        "namespace": namespace,
        "layer": parse_namespace(namespace).layer,
        "value": screened.new.value,
        "key": screened.new.key,
        "tags": list(screened.new.tags),
        "entity_label": screened.new.entity_label,
        **_subject(held, changes, screened.new.memory_key),
        "metadata": dict(screened.new.metadata),
        "pinned": pinned,
        "importance": MAX_IMPORTANCE if pinned else wanted["importance"],
        "trust": trust if "value" in changes else held.trust,
    }
    is_new = any(changes[name] != getattr(held, name) for name in WORDED if name in changes)
    return {**fields, **_quarantined(screened.reason)} if screened.reason and is_new else fields


def _kept_back(policy: Policy, held: Memory, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Held back where it would tell something anew of which the workspace asks first. Raises KeptOut."""
    if all(fields[name] == getattr(held, name) for name in ("value", "key", "tags")):
        return {}
    told = NewMemory(value=fields["value"], key=fields["key"], tags=tuple(fields["tags"]))
    verdict = judge_memory(policy, told)
    verdict.check()
    return _quarantined(verdict.reason) if verdict.reason and "status" not in fields else {}


def _trust_after(held: Memory, changes: Mapping[str, Any], actor: Actor) -> str:
    """Words that a person writes are theirs; what anybody else writes anew counts no more than they do."""
    written = any(changes[name] != getattr(held, name) for name in WORDED if name in changes)
    if not written:
        return str(held.trust)
    bringer = trust_of(actor)
    return bringer if bringer == Memory.Trust.USER else lowest(held.trust, bringer)


def _blocked(tenant: Tenant | UUID, held: Memory, value: str, actor: Actor) -> dict[str, Any]:
    """What a person marked is no new wording either; that it is right after all only a person may say."""
    marked = (
        find_marked(tenant=tenant, person_id=held.person_id, value=value) if value != held.value else None
    )
    if marked is None or (marked.status == Memory.Status.WRONG and actor.kind == "user"):
        return {}
    if marked.status == Memory.Status.UNMENTIONED:
        raise Conflict(_("This is never to be mentioned; restore that memory first."), field="value")
    return _quarantined(REASON_WRONG)


def _subject(held: Memory, changes: Mapping[str, Any], memory_key: str) -> dict[str, Any]:
    """Whom it is about: a new first reference brings its name and type, and a key that was derived follows."""
    refs = normal_refs(changes.get("entity_refs", held.entity_refs))
    key = "" if "memory_key" not in changes and memory_key == derived_key(held) else memory_key
    draft = Memory(
        type=changes.get("type", held.type),
        fact_type=changes.get("fact_type", held.fact_type),
        entity_refs=refs,
        memory_key=key.strip().lower()[:MEMORY_KEY_CHARS],
    )
    labels = original_labels(changes.get("entity_refs", ()))
    name_subject(draft, labels={ref: redact(label) for ref, label in labels.items()})
    named = {"entity_label": draft.entity_label, "entity_type": draft.entity_type}
    moved = refs[:1] != held.entity_refs[:1]
    brought = {name: text for name, text in named.items() if moved and not changes.get(name)}
    return {"entity_refs": refs, "memory_key": draft.memory_key, **brought}


def _audience(held: Memory, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Who may see it: what belongs to everyone stays theirs, and what belongs to one person stays with them."""
    scope = changes.get("scope", held.scope)
    if scope != held.scope and Memory.Scope.GLOBAL in (scope, held.scope):
        raise InvalidInput(
            "To make it global, or to make it one person's, store it as a new memory.", field="scope"
        )
    session_id = changes.get("session_id", held.session_id) if scope == Memory.Scope.SESSION else None
    if scope == Memory.Scope.SESSION and session_id is None:
        raise InvalidInput("A memory of scope “session” needs a session.", field="session")
    persona_id = changes.get("persona_id", held.persona_id)
    return {"scope": scope, "session_id": session_id, "persona_id": persona_id}


def _namespace(held: Memory, changes: Mapping[str, Any]) -> str:
    """Naming one of layer and namespace keeps the other."""
    if "layer" not in changes and "namespace" not in changes:
        return held.namespace
    name = changes.get("namespace", parse_namespace(held.namespace).name)
    return storage_namespace(changes.get("layer", held.layer), name)


def _quarantined(reason: str) -> dict[str, Any]:
    return {"status": Memory.Status.QUARANTINED, "quarantine_reason": reason[:200], "pinned": False}


def _observations(held: Memory, value: str, trust: str, actor: Actor) -> list[NewObservation]:
    """A corrected wording is an observation of its own."""
    if value == held.value:
        return []
    by = "user" if actor.kind == "user" else "agent"
    return [NewObservation(extractor=by, value=value, confidence=0.9, trust=trust, actor=str(actor))]


def _check_address(tenant: Tenant | UUID, held: Memory, fields: Mapping[str, Any]) -> None:
    """Raise Conflict when another live memory stands where this one is to go."""
    if fields.get("status", Memory.Status.ACTIVE) != Memory.Status.ACTIVE:
        return
    taken = _others_at(tenant, held, fields).first()
    if taken is not None:
        raise Conflict(f"Another memory has this key: {taken.pk}.", field="key")


def _give_way(tenant: Tenant | UUID, held: Memory, actor: Actor) -> None:
    for other in _others_at(tenant, held, {}):
        fields = {
            "status": Memory.Status.SUPERSEDED,
            "valid_to": timezone.now(),
            "superseded_by_id": held.pk,
            "pinned": False,
        }
        change_memory(tenant=tenant, memory=other, fields=fields, change=Change("superseded", actor))


def _others_at(tenant: Tenant | UUID, held: Memory, fields: Mapping[str, Any]) -> QuerySet[Memory]:
    """Other live memories at this memory's address, or at the one `fields` gives it."""
    address = {name: fields.get(name, getattr(held, name)) for name in ADDRESS}
    rows = Memory.objects.for_tenant(tenant).filter(
        **address, person_id=held.person_id, status=Memory.Status.ACTIVE
    )
    return rows.exclude(pk=held.pk)


def _importance_before_pin(memory: Memory) -> int:
    """What it was before the newest change that pinned it; one born pinned was pinned by a change of its own."""
    versions = memory.versions.filter(tenant_id=memory.tenant_id, after__pinned=True)
    pinned = versions.exclude(before__pinned=True).order_by("-number").first()
    before = (pinned.before or {}) if pinned else {}
    return int(before.get("importance", memory.importance))
