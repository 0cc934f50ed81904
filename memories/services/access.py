"""How often a memory was used: what recall ranks by. No change of the memory, so no version and no lock."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.db.models import F
from django.utils import timezone

from memories.models import Memory
from nebo.tenants.models import Tenant


def count_access(*, tenant: Tenant | UUID, memory_ids: Sequence[UUID]) -> None:
    """One more access for each; a row somebody is writing right now is passed over, never waited for."""
    rows = Memory.objects.for_tenant(tenant).filter(pk__in=memory_ids)
    free = list(rows.select_for_update(skip_locked=True, no_key=True).values_list("pk", flat=True))
    Memory.objects.for_tenant(tenant).filter(pk__in=free).update(
        access_count=F("access_count") + 1, accessed_at=timezone.now()
    )
