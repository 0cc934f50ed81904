"""How a persona is to one person. What they wish changes it for them alone; the persona itself stays as it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from memories.services.styles import schedule_directive
from nebo.errors import NotFound
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant, UserProfile
from personality.models import Persona, PersonaOverlay, PersonaRevision
from personality.overlay import decided_about
from personality.services.revisions import Change, revise_overlay


def lock_overlay(*, tenant: Tenant | UUID, persona: Persona, profile: UserProfile) -> PersonaOverlay:
    """The person's overlay, made where there is none, held until the transaction ends."""
    rows = PersonaOverlay.objects.for_tenant(tenant)
    rows.get_or_create(persona=persona, profile=profile)
    held = rows.select_for_update(of=("self",), no_key=True).select_related("persona", "profile")
    overlay: PersonaOverlay = held.get(persona=persona, profile=profile)
    return overlay


def change_overlay(
    *, tenant: Tenant | UUID, overlay: PersonaOverlay, fields: Mapping[str, Any], change: Change
) -> PersonaOverlay:
    """Set what the overlay says, with a revision; nothing is written where nothing differs. It must be held."""
    before = dict(overlay.fields)
    if dict(fields) == before:
        return overlay
    overlay.fields = dict(fields)
    overlay.version += 1
    overlay.save()
    revise_overlay(tenant=tenant, overlay=overlay, before=before, change=change)
    if decided_about(overlay.persona, before) != decided_about(overlay.persona, overlay.fields):
        schedule_directive(tenant=tenant, profile_id=overlay.profile_id, persona_id=overlay.persona_id)
    return overlay


def roll_back_overlay(
    *, tenant: Tenant | UUID, persona: Persona, profile: UserProfile, to: int, actor: Actor
) -> PersonaOverlay:
    """Bring back what stood at revision `to`, by a new revision; 0 is the persona as the team made it.

    Again it changes nothing. Raises NotFound for a revision there is none of.
    """
    overlay = lock_overlay(tenant=tenant, persona=persona, profile=profile)
    fields: Mapping[str, Any] = {}
    if to:
        rows = PersonaRevision.objects.for_tenant(tenant).filter(persona=persona, profile=profile, number=to)
        found = rows.first()
        if found is None:
            raise NotFound("There is no such revision.", field="to")
        fields = found.after
    change = Change("persona.overlay_rolled_back", actor, reason=f"rolled back to {to}")
    return change_overlay(tenant=tenant, overlay=overlay, fields=fields, change=change)
