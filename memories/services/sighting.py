"""One more sighting of a memory whose wording stays what it was when it was first seen."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from memories.confidence import reinforce as boosted
from memories.models import Memory, Observation
from memories.new_memory import NewMemory, NewObservation
from memories.normalize import normalize_key
from memories.services.door import Change, change_memory, lock_person
from memories.services.matching import STYLE_NAMESPACE
from memories.services.store import store_memory
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant, UserProfile

STYLE_PREFIX = "style/"


def store_style(*, tenant: Tenant | UUID, profile: UserProfile, new: NewMemory, actor: Actor) -> Memory:
    """An observation of style: remembered in its first wording, reinforced by every later one (seed 000 §5)."""
    lock_person(tenant=tenant, profile=profile)
    placed = replace(new, key=style_key(new.key), layer="tacit", namespace="personality")
    known = find_style(tenant=tenant, profile_id=profile.pk, key=placed.key, persona_id=new.persona_id)
    if known is None:
        return store_memory(tenant=tenant, profile=profile, new=placed, actor=actor, deduplicate=False).memory
    for seen in new.observations:
        reinforce_memory(tenant=tenant, memory=known, observation=seen, actor=actor)
    return known


def find_style(
    *, tenant: Tenant | UUID, profile_id: UUID, key: str, persona_id: UUID | None
) -> Memory | None:
    """The live observation under a key, for one persona or for all."""
    rows = Memory.objects.for_tenant(tenant).select_related("profile", "persona")
    return rows.filter(
        Q(persona_id=persona_id),
        profile_id=profile_id,
        namespace=STYLE_NAMESPACE,
        key=key,
        status=Memory.Status.ACTIVE,
    ).first()


def style_key(key: str) -> str:
    """`style/` and the trait's name."""
    normal = normalize_key(key)
    return normal if normal.startswith(STYLE_PREFIX) else normalize_key(f"{STYLE_PREFIX}{normal}")


def reinforce_memory(
    *, tenant: Tenant | UUID, memory: Memory, observation: NewObservation, actor: Actor
) -> bool:
    """Count a sighting and raise the confidence by a fifth of the doubt; False when this message counted before."""
    lock_person(tenant=tenant, profile=memory.profile)
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
        change=Change("reinforced", actor, run_id=observation.run_id),
        observations=[observation],
    )
    return True
