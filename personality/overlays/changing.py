"""How a persona is to one person. What they wish changes it for them alone; the persona itself stays as it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from memories.storing.styles import schedule_directive
from nebo.tenants.models import Tenant, UserProfile
from personality.models import Persona, PersonaOverlay
from personality.overlays.overlay import decided_about
from personality.personas.revisions import Change, revise_overlay


def lock_overlay(*, tenant: Tenant | UUID, persona: Persona, person: UserProfile) -> PersonaOverlay:
    """The person's overlay, made where there is none, held until the transaction ends."""
    rows = PersonaOverlay.objects.for_tenant(tenant)
    rows.get_or_create(persona=persona, person=person)
    held = rows.select_for_update(of=("self",), no_key=True).select_related("persona", "person")
    overlay: PersonaOverlay = held.get(persona=persona, person=person)
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
    if _settled(overlay, before) != _settled(overlay, overlay.fields):
        schedule_directive(tenant=tenant, person_id=overlay.person_id, persona_id=overlay.persona_id)
    return overlay


def _settled(overlay: PersonaOverlay, fields: Mapping[str, Any]) -> set[str]:
    return decided_about(overlay.persona, fields, overlay.rule_topics)
