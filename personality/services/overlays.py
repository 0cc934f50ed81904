"""How a persona is to one person. What they wish changes it for them alone; the persona itself stays as it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID

from memories.storing.audited_writes import lock_person
from memories.storing.styles import schedule_directive
from nebo.errors import NotFound
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant, UserProfile
from personality.models import Persona, PersonaOverlay, PersonaRevision
from personality.overlay import ABOUT, RULES, decided_about
from personality.services.revisions import Change, revise_overlay
from personality.services.taking_back import end_told


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
    return decided_about(overlay.persona, fields, overlay.matters)


def _list_dropped(overlay: PersonaOverlay, fields: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The wishes that stand and would not any more: what each is about, and its value."""
    for name, value in overlay.fields.items():
        if name == RULES:
            gone = [rule for rule in value if rule not in fields.get(RULES, ())]
            yield from ((overlay.matters.get(rule, ""), rule) for rule in gone)
        elif fields.get(name) != value:
            yield next((about for about, names in ABOUT.items() if name in names), ""), str(value)


def roll_back_overlay(
    *, tenant: Tenant | UUID, persona: Persona, person: UserProfile, to: int, actor: Actor
) -> PersonaOverlay:
    """Bring back what stood at revision `to`, by a new revision; 0 is the persona as the team made it.

    Again it changes nothing. Raises NotFound for a revision there is none of.
    """
    lock_person(tenant=tenant, person=person)  # before the overlay, as everywhere
    overlay = lock_overlay(tenant=tenant, persona=persona, person=person)
    fields: Mapping[str, Any] = {}
    if to:
        rows = PersonaRevision.objects.for_tenant(tenant).filter(persona=persona, person=person, number=to)
        found = rows.first()
        if found is None:
            raise NotFound("There is no such revision.", field="to")
        fields = found.after
    for about, value in _list_dropped(overlay, fields):
        end_told(tenant=tenant, overlay=overlay, about=about, value=value, actor=actor)
    change = Change("persona.overlay_rolled_back", actor, reason=f"rolled back to {to}")
    return change_overlay(tenant=tenant, overlay=overlay, fields=fields, change=change)
