"""Decisions about a persona that grow old: what was not accepted goes, with its evidence."""

from __future__ import annotations

from django.db.models import QuerySet

from nebo.tenants.models import Tenant
from nebo.tenants.windows import find_cutoff
from personality.models import PersonaCandidate

BATCH = 1_000  # candidates a transaction


def list_outlived_candidates(*, tenant: Tenant) -> QuerySet[PersonaCandidate]:
    """Rejected and deferred ones past the tenant's window; none where it keeps for ever."""
    rows = PersonaCandidate.objects.for_tenant(tenant)
    before = find_cutoff(tenant.candidate_days)
    if before is None:
        return rows.none()
    undone = (PersonaCandidate.Decision.REJECTED, PersonaCandidate.Decision.DEFERRED)
    return rows.filter(decision__in=undone, created_at__lt=before)


def remove_candidates(*, tenant: Tenant) -> int:
    """Remove a batch of them; how many. In the tenant's scope."""
    ids = list(list_outlived_candidates(tenant=tenant).values_list("pk", flat=True)[:BATCH])
    rows = PersonaCandidate.objects.for_tenant(tenant).filter(pk__in=ids)
    return rows.delete()[0]
