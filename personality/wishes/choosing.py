"""What a person chooses on a page about how a persona speaks with them: as much as a wish said outright."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from memories.screening.sensitive import find_sensitive
from memories.storing.audited_writes import lock_person
from nebo.errors import InvalidInput
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant, UserProfile
from personality.fields import VOLATILE_FIELDS
from personality.models import Persona, PersonaOverlay
from personality.overlays.changing import change_overlay, lock_overlay
from personality.personas.revisions import Change
from personality.wishes.policy import CHOSEN
from personality.wishes.rollback import end_dropped_wishes

VALUE_CHARS = 40  # as the columns of a persona hold


def choose_manner(
    *,
    tenant: Tenant | UUID,
    persona: Persona,
    person: UserProfile,
    chosen: Mapping[str, str],
    actor: Actor,
) -> PersonaOverlay:
    """Set ways of speaking for one person, or with an empty value leave them to the team; one revision for all.

    What was learned about the same is no longer told beside it. Raises InvalidInput for a field that isn't theirs to
    set, or a value that can't be kept.
    """
    lock_person(tenant=tenant, person=person)  # before the overlay, as everywhere
    overlay = lock_overlay(tenant=tenant, persona=persona, person=person)
    for name, value in chosen.items():
        _check(overlay.persona, name, value)
    fields = {name: value for name, value in {**overlay.fields, **chosen}.items() if value}
    end_dropped_wishes(tenant=tenant, overlay=overlay, fields=fields, actor=actor)
    change = Change("persona.manner_chosen", actor, reason=CHOSEN)
    return change_overlay(tenant=tenant, overlay=overlay, fields=fields, change=change)


def _check(persona: Persona, name: str, value: str) -> None:
    if name not in VOLATILE_FIELDS or name in persona.locked:
        raise InvalidInput("This is not yours to set.", field=name)
    if len(value) > VALUE_CHARS or find_sensitive(value):
        raise InvalidInput("This can't be kept.", field=name)
