"""What a person decides about a wish that waits, and the end of those nobody came back to."""

from __future__ import annotations

from uuid import UUID

from django.db.models import Exists, OuterRef
from django.utils import timezone

from nebo.errors import Conflict
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant
from personality import gate
from personality.models import PersonaCandidate, PersonaEvidence
from personality.services.overlays import lock_overlay
from personality.services.wishes import fulfil

ACCEPTED, REJECTED, DEFERRED = PersonaCandidate.Decision


def accept_candidate(*, tenant: Tenant | UUID, candidate: PersonaCandidate, actor: Actor) -> PersonaCandidate:
    """Fulfil a wish that waits; again it changes nothing. Raises Conflict for one that was rejected."""
    return _settle(tenant, candidate, actor, ACCEPTED, gate.CONFIRMED)


def reject_candidate(*, tenant: Tenant | UUID, candidate: PersonaCandidate, actor: Actor) -> PersonaCandidate:
    """Drop a wish that waits; again it changes nothing. Raises Conflict for one that was fulfilled."""
    return _settle(tenant, candidate, actor, REJECTED, gate.DECLINED)


def expire_candidates(*, tenant: Tenant | UUID, actor: Actor) -> int:
    """Reject what waits without any evidence of the last 30 days; returns how many. In the caller's scope."""
    since = timezone.now() - gate.EVIDENCE_LIFE
    fresh = PersonaEvidence.unscoped.filter(
        tenant_id=OuterRef("tenant_id"), candidate_id=OuterRef("pk"), created_at__gt=since
    )
    waiting = PersonaCandidate.objects.for_tenant(tenant).filter(~Exists(fresh), decision=DEFERRED)
    return waiting.update(
        decision=REJECTED, reason=gate.EXPIRED, decided_by=str(actor)[:120], updated_at=timezone.now()
    )


def _settle(
    tenant: Tenant | UUID, candidate: PersonaCandidate, actor: Actor, decision: str, reason: str
) -> PersonaCandidate:
    """The overlay is held first, as a turn holds it, so that neither overtakes the other."""
    if candidate.profile is None:
        raise Conflict("This was decided when the file was written.")
    overlay = lock_overlay(tenant=tenant, persona=candidate.persona, profile=candidate.profile)
    candidate.refresh_from_db(fields=["decision", "reason"])
    if candidate.decision == decision:
        return candidate
    if candidate.decision != DEFERRED:
        raise Conflict(f"This is {candidate.decision} already; roll back to undo what was accepted.")
    candidate.decision, candidate.reason, candidate.decided_by = decision, reason, str(actor)[:120]
    candidate.save()
    if decision == ACCEPTED:
        fulfil(tenant=tenant, overlay=overlay, candidate=candidate, actor=actor)
    return candidate
