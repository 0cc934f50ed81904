"""Reading what was asked of a persona, and what was decided."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from nebo.errors import NotFound
from nebo.tenants.models import Tenant
from personality.models import Persona, PersonaCandidate, PersonaRevision


def list_candidates(
    *,
    tenant: Tenant | UUID,
    persona: Persona | None = None,
    person_id: UUID | None = None,
    decision: str = "",
    field: str = "",
) -> QuerySet[PersonaCandidate]:
    """What was asked and what was decided, with person and evidence; of one persona, or person, if one is given."""
    rows = PersonaCandidate.objects.for_tenant(tenant)
    wanted = {"persona": persona, "person_id": person_id, "decision": decision, "field": field}
    rows = rows.filter(**{name: value for name, value in wanted.items() if value})
    return rows.select_related("person", "persona").prefetch_related("evidence__message")


def get_candidate(
    *,
    tenant: Tenant | UUID,
    candidate_id: UUID,
    persona: Persona | None = None,
    person_id: UUID | None = None,
) -> PersonaCandidate:
    """One candidate; of a persona and of a person if they are given. Raises NotFound."""
    rows = list_candidates(tenant=tenant, persona=persona, person_id=person_id)
    found = rows.filter(pk=candidate_id).first()
    if found is None:
        raise NotFound
    return found


def find_fields_before(*, tenant: Tenant | UUID, candidate: PersonaCandidate) -> dict[str, Any]:
    """What the overlay said before this wish was fulfilled; nothing for one that never was."""
    rows = PersonaRevision.objects.for_tenant(tenant).filter(candidate=candidate).order_by("number")
    first = rows.first()
    return dict(first.before or {}) if first else {}


def list_decided_about(*, tenant: Tenant | UUID, message_ids: Collection[UUID]) -> QuerySet[PersonaCandidate]:
    """The decisions that rest on these messages, in the order they were made."""
    rows = PersonaCandidate.objects.for_tenant(tenant).filter(evidence__message_id__in=list(message_ids))
    return rows.order_by("created_at", "id").distinct()
