"""What a model read of a person's style, weighed as wishes by the same gate, once for each message."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from memories.models import Memory
from memories.services import NewMemory
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant, UserProfile
from personality.models import Persona, PersonaCandidate
from personality.services.wishes import Heard, decide_wishes
from personality.told import find_told_wishes


def consider_styles(
    *,
    tenant: Tenant | UUID,
    profile: UserProfile,
    persona: Persona | None,
    styles: Sequence[NewMemory],
    actor: Actor,
) -> list[PersonaCandidate]:
    """Candidates from an extraction's styles, in the job's `publish`; what the turn decided already is passed over.

    Only what the person's own words prove counts; a model alone never settles anything.
    """
    heard = [
        Heard(wish, seen.message_id)
        for style in styles
        for seen in style.observations
        if seen.message_id and seen.quote and seen.trust == Memory.Trust.USER
        for wish in find_told_wishes(style.value, quote=seen.quote, confidence=seen.confidence)
    ]
    source = PersonaCandidate.Source.MODEL
    return decide_wishes(
        tenant=tenant, profile=profile, persona=persona, heard=heard, actor=actor, source=source
    )
