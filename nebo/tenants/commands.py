"""The tenant that a command is told by its slug."""

from __future__ import annotations

from django.core.management.base import CommandError

from nebo.tenants.models import Tenant
from nebo.tenants.selectors import find_tenant


def tenant_named(slug: str) -> Tenant:
    """Raises CommandError for none."""
    tenant = find_tenant(slug=slug)
    if tenant is None:
        raise CommandError(f"There is no tenant {slug}.")
    return tenant


def tenants_named(slug: str) -> list[Tenant]:
    """That one; all of them without a slug."""
    return [tenant_named(slug)] if slug else list(Tenant.objects.order_by("slug"))
