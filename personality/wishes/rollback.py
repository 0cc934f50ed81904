"""What a person's wishes made of a persona, brought back as it stood."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID

from memories.storing.audited_writes import lock_person
from nebo.errors import NotFound
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant, UserProfile
from personality.fields import RULES
from personality.models import Persona, PersonaOverlay, PersonaRevision
from personality.overlays.changing import change_overlay, lock_overlay
from personality.overlays.overlay import ABOUT
from personality.personas.revisions import Change
from personality.styles.ending import end_wished_style
from personality.wishes.redacted import without_redacted


def _list_dropped(overlay: PersonaOverlay, fields: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The wishes that stand and would not any more: what each is about, and its value."""
    for name, value in overlay.fields.items():
        if name == RULES:
            gone = [rule for rule in value if rule not in fields.get(RULES, ())]
            yield from ((overlay.rule_topics.get(rule, ""), rule) for rule in gone)
        elif fields.get(name) != value:
            yield next((about for about, names in ABOUT.items() if name in names), ""), str(value)


def end_dropped_wishes(
    *, tenant: Tenant | UUID, overlay: PersonaOverlay, fields: Mapping[str, Any], actor: Actor
) -> None:
    """What stands and won't any more doesn't stay as a style. The overlay must be held."""
    for about, value in _list_dropped(overlay, fields):
        end_wished_style(tenant=tenant, overlay=overlay, about=about, value=value, actor=actor)


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
        fields = without_redacted(found.after)
    end_dropped_wishes(tenant=tenant, overlay=overlay, fields=fields, actor=actor)
    change = Change("persona.overlay_rolled_back", actor, reason=f"rolled back to {to}")
    return change_overlay(tenant=tenant, overlay=overlay, fields=fields, change=change)
