"""Each change of a persona, or of how it is to one person, leaves a revision and a line in the audit log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from memories.audit.log import record_audit
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant
from personality.models import Persona, PersonaCandidate, PersonaOverlay, PersonaRevision


@dataclass(frozen=True, slots=True)
class Change:
    """What is done, by whom and why, and the candidate it carries out, if any."""

    action: str
    actor: Actor
    reason: str = ""
    candidate: PersonaCandidate | None = None


def revise_persona(
    *,
    tenant: Tenant | UUID,
    persona: Persona,
    before: Mapping[str, Any] | None,
    after: Mapping[str, Any],
    change: Change,
) -> PersonaRevision:
    """Numbered as the persona's version, which must be counted up already."""
    return _write(tenant, persona, None, persona.version, before, after, change)


def revise_overlay(
    *, tenant: Tenant | UUID, overlay: PersonaOverlay, before: Mapping[str, Any], change: Change
) -> PersonaRevision:
    """Numbered as the overlay's version; nobody else's revisions are counted in."""
    return _write(tenant, overlay.persona, overlay, overlay.version, before, overlay.fields, change)


def _write(
    tenant: Tenant | UUID,
    persona: Persona,
    overlay: PersonaOverlay | None,
    number: int,
    before: Mapping[str, Any] | None,
    after: Mapping[str, Any],
    change: Change,
) -> PersonaRevision:
    person_id = overlay.person_id if overlay else None
    revision: PersonaRevision = PersonaRevision.objects.for_tenant(tenant).create(
        persona=persona,
        person_id=person_id,
        number=number,
        before=dict(before) if before is not None else None,
        after=dict(after),
        actor=str(change.actor)[:120],
        reason=change.reason[:300],
        candidate=change.candidate,
    )
    fields = sorted(name for name in {*after, *(before or {})} if (before or {}).get(name) != after.get(name))
    record_audit(
        tenant=tenant,
        actor=change.actor,
        action=change.action,
        object_type="persona",
        object_id=persona.pk,
        person_id=person_id,
        detail={"version": number, "fields": fields} if before is not None else {"version": number},
    )
    return revision
