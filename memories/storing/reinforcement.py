"""One more observation of a memory whose wording stays what it was when it was first seen."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from memories.confidence import reinforce as boosted
from memories.models import Memory, Observation
from memories.new_memory import NewMemory, NewObservation
from memories.normalize import normalize_key
from memories.storing.audited_writes import Change, change_memory, lock_person
from memories.storing.store import store_memory
from memories.storing.styles import STYLE_NAMESPACE, STYLE_PREFIX, WISHED
from nebo.reading.relations.manners import answers_otherwise
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant, UserProfile


def store_style(*, tenant: Tenant | UUID, person: UserProfile, new: NewMemory, actor: Actor) -> Memory:
    """An observation of style: remembered in its first wording, reinforced by every later one that
    doesn't say otherwise.

    Of wishes that exclude each other (one `slot` in their metadata) the one said last stays.
    """
    lock_person(tenant=tenant, person=person)
    placed = replace(new, key=style_key(new.key), layer="tacit", namespace="personality")
    known = find_style(tenant=tenant, person_id=person.pk, key=placed.key, persona_id=new.persona_id)
    if known is None or _says_otherwise(new, known):
        stored = store_memory(tenant=tenant, person=person, new=placed, actor=actor, deduplicate=False)
        if stored.action == "created":
            run_id = next((seen.run_id for seen in new.observations if seen.run_id), None)
            change = Change("superseded", actor, run_id=run_id)
            _keep_last_of_slot(tenant=tenant, memory=stored.memory, change=change)
        return stored.memory
    for seen in new.observations:
        reinforce_memory(tenant=tenant, memory=known, observation=seen, actor=actor)
    return known


def _says_otherwise(new: NewMemory, known: Memory) -> bool:
    """Whether it is no observation of what is known under its key, but takes its place."""
    return new.known == (known.pk, "changes") or answers_otherwise(known.value, new.value)


def find_style(*, tenant: Tenant | UUID, person_id: UUID, key: str, persona_id: UUID | None) -> Memory | None:
    """The live observation under a key, for one persona or for all."""
    rows = Memory.objects.for_tenant(tenant).select_related("person", "persona")
    return rows.filter(
        Q(persona_id=persona_id),
        person_id=person_id,
        namespace=STYLE_NAMESPACE,
        key=key,
        status=Memory.Status.ACTIVE,
    ).first()


def _keep_last_of_slot(*, tenant: Tenant | UUID, memory: Memory, change: Change) -> None:
    """Supersede the other live styles of its slot by the newest; what a person pinned or confirmed stays beside it, and
    so does a wish beside what was only observed.
    """
    slot = memory.metadata.get("slot")
    rows = Memory.objects.for_tenant(tenant).filter(
        Q(persona_id=memory.persona_id),
        person_id=memory.person_id,
        namespace=STYLE_NAMESPACE,
        status=Memory.Status.ACTIVE,
        metadata__slot=slot,
        pinned=False,
        confirmed_at=None,
    )
    newest, *others = rows.order_by("-last_reinforced", "-created_at") if slot else [memory]
    others = [other for other in others if WISHED in newest.metadata or WISHED not in other.metadata]
    fields = {
        "status": Memory.Status.SUPERSEDED,
        "valid_to": newest.last_reinforced,
        "superseded_by_id": newest.pk,
    }
    for other in others:
        change_memory(tenant=tenant, memory=other, fields=fields, change=change)


def style_key(key: str) -> str:
    """`style/` and the trait's name."""
    normal = normalize_key(key)
    return normal if normal.startswith(STYLE_PREFIX) else normalize_key(f"{STYLE_PREFIX}{normal}")


def reinforce_memory(
    *, tenant: Tenant | UUID, memory: Memory, observation: NewObservation, actor: Actor
) -> bool:
    """Count an observation and raise the confidence by a fifth of the doubt; False when this message counted before."""
    lock_person(tenant=tenant, person=memory.person)
    memory.refresh_from_db()
    message_id = observation.message_id
    seen = Observation.objects.for_tenant(tenant).filter(memory=memory)
    if message_id is not None and seen.filter(message_id=message_id).exists():
        return False
    seen_at = observation.observed_at or timezone.now()
    fields = {
        "reinforced_count": memory.reinforced_count + 1,
        "last_reinforced": max(memory.last_reinforced, seen_at),
        "confidence": boosted(memory.confidence),
    }
    change_memory(
        tenant=tenant,
        memory=memory,
        fields=fields,
        change=Change("reinforced", actor, run_id=observation.run_id, message_id=message_id),
        observations=[observation],
    )
    return True
