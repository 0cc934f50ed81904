"""Deleted files grow old like deleted memories."""

from __future__ import annotations

from django.db.models import QuerySet

from nebo.product.memory_files.models import MemoryFile
from nebo.tenants.models import Tenant
from nebo.tenants.windows import find_cutoff

BATCH = 100  # files a transaction


def list_outlived_files(*, tenant: Tenant) -> QuerySet[MemoryFile]:
    """Those that the trash no longer keeps; none where it keeps for ever."""
    rows = MemoryFile.objects.for_tenant(tenant)
    before = find_cutoff(tenant.trash_days)
    return rows.filter(deleted_at__lt=before) if before else rows.none()


def remove_files(*, tenant: Tenant) -> int:
    """Remove a batch of them with their versions; how many. In the tenant's scope."""
    ids = list(list_outlived_files(tenant=tenant).values_list("pk", flat=True)[:BATCH])
    MemoryFile.objects.for_tenant(tenant).filter(pk__in=ids).delete()
    return len(ids)
