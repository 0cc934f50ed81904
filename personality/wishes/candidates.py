"""What a person decides about a wish that waits, and the end of those nobody came back to."""

from __future__ import annotations

from uuid import UUID

from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext as _

from memories.storing.audited_writes import lock_person
from nebo.errors import Conflict
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant
from personality.models import PersonaCandidate, PersonaEvidence, PersonaOverlay
from personality.overlays.changing import change_overlay, lock_overlay
from personality.overlays.overlay import without_wish
from personality.personas.revisions import Change
from personality.styles.ending import end_wished_style
from personality.wishes import policy
from personality.wishes.deciding import fulfil
from personality.wishes.selectors import find_fields_before

ACCEPTED, REJECTED, DEFERRED = PersonaCandidate.Decision


def accept_candidate(*, tenant: Tenant | UUID, candidate: PersonaCandidate, actor: Actor) -> PersonaCandidate:
    """Fulfil a wish that waits; again it changes nothing. Raises Conflict for one that was rejected."""
    return _settle(tenant, candidate, actor, ACCEPTED, policy.CONFIRMED)


def reject_candidate(*, tenant: Tenant | UUID, candidate: PersonaCandidate, actor: Actor) -> PersonaCandidate:
    """Drop a wish that waits; again it changes nothing. Raises Conflict for one that was fulfilled."""
    return _settle(tenant, candidate, actor, REJECTED, policy.DECLINED)


def undo_candidate(*, tenant: Tenant | UUID, candidate: PersonaCandidate, actor: Actor) -> PersonaCandidate:
    """Take one fulfilled wish back and leave the others; again it changes nothing.

    Raises Conflict for one that was never fulfilled, or whose field was changed since.
    """
    overlay = _lock(tenant, candidate)
    if candidate.reason == policy.UNDONE:
        return candidate
    if candidate.decision != ACCEPTED:
        raise Conflict(
            _("This was %(decision)s; there is nothing to undo.") % {"decision": candidate.decision}
        )
    before = find_fields_before(tenant=tenant, candidate=candidate)
    fields = without_wish(overlay.fields, candidate.field, candidate.value, before)
    if fields is None:
        raise Conflict(_("This was changed since; roll back to undo more than one wish."))
    candidate.decision, candidate.reason, candidate.decided_by = REJECTED, policy.UNDONE, str(actor)[:120]
    candidate.save()
    _end_wished_style(tenant, overlay, candidate, actor)
    change = Change("persona.wish_undone", actor, reason=policy.UNDONE, candidate=candidate)
    change_overlay(tenant=tenant, overlay=overlay, fields=fields, change=change)
    return candidate


def defer_again(
    *, tenant: Tenant | UUID, candidate: PersonaCandidate, reason: str, actor: Actor
) -> PersonaCandidate:
    """Nobody has decided about a wish after all: it waits again, for the `reason` it waited for. One that was fulfilled
    is taken back. Raises Conflict if its field was changed since.
    """
    _lock(tenant, candidate)
    if candidate.decision == ACCEPTED:
        undo_candidate(tenant=tenant, candidate=candidate, actor=actor)
    candidate.decision, candidate.reason, candidate.decided_by = DEFERRED, reason, ""
    candidate.save()
    return candidate


def expire_candidates(*, tenant: Tenant | UUID, actor: Actor) -> int:
    """Reject what waits without any evidence of the last 30 days; returns how many. In the caller's scope."""
    since = timezone.now() - policy.EVIDENCE_LIFE
    evidence = PersonaEvidence.objects.for_tenant(tenant)
    fresh = evidence.filter(candidate_id=OuterRef("pk"), created_at__gt=since)
    waiting = PersonaCandidate.objects.for_tenant(tenant).filter(~Exists(fresh), decision=DEFERRED)
    return waiting.update(
        decision=REJECTED, reason=policy.EXPIRED, decided_by=str(actor)[:120], updated_at=timezone.now()
    )


def _settle(
    tenant: Tenant | UUID, candidate: PersonaCandidate, actor: Actor, decision: str, reason: str
) -> PersonaCandidate:
    overlay = _lock(tenant, candidate)
    if candidate.decision == decision:
        return candidate
    if candidate.decision != DEFERRED:
        raise Conflict(
            _("This is %(decision)s already; only what waits can be decided.")
            % {"decision": candidate.decision}
        )
    candidate.decision, candidate.reason, candidate.decided_by = decision, reason, str(actor)[:120]
    candidate.save()
    if decision == REJECTED:
        _end_wished_style(tenant, overlay, candidate, actor)
    if decision == ACCEPTED:
        fulfil(tenant=tenant, overlay=overlay, candidate=candidate, actor=actor)
    return candidate


def _end_wished_style(
    tenant: Tenant | UUID, overlay: PersonaOverlay, candidate: PersonaCandidate, actor: Actor
) -> None:
    end_wished_style(
        tenant=tenant, overlay=overlay, about=candidate.about, value=candidate.value, actor=actor
    )


def _lock(tenant: Tenant | UUID, candidate: PersonaCandidate) -> PersonaOverlay:
    """The overlay is held first, as a turn holds it, so that neither overtakes the other."""
    if candidate.person is None:
        raise Conflict(_("This was decided when the file was written."))
    lock_person(tenant=tenant, person=candidate.person)  # before the overlay, as everywhere
    overlay = lock_overlay(tenant=tenant, persona=candidate.persona, person=candidate.person)
    candidate.refresh_from_db(fields=["decision", "reason"])
    return overlay
