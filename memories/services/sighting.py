"""One more sighting of a memory whose wording stays what it was when it was first seen."""

from __future__ import annotations

from uuid import UUID

from django.utils import timezone

from memories.confidence import reinforce as boosted
from memories.models import Memory, Observation
from memories.new_memory import NewObservation
from memories.services.door import Change, change_memory, lock_person
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant


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
