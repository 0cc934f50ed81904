"""Reading what a person's wishes made of a persona."""

from __future__ import annotations

from uuid import UUID

from django.db.models import QuerySet

from nebo.tenants.models import Tenant
from personality.models import Persona, PersonaOverlay


def find_overlay(*, tenant: Tenant | UUID, persona: Persona, person_id: UUID) -> PersonaOverlay | None:
    """What a person's wishes made of a persona; None where they wished nothing."""
    return list_overlays(tenant=tenant, persona_id=persona.pk, person_id=person_id).first()


def list_overlays(*, tenant: Tenant | UUID, persona_id: UUID, person_id: UUID) -> QuerySet[PersonaOverlay]:
    """What a person's wishes made of a persona: one row at most."""
    return PersonaOverlay.objects.for_tenant(tenant).filter(persona_id=persona_id, person_id=person_id)
