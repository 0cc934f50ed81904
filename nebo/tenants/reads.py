"""Many small reads of one tenant in one statement."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from nebo.postgres.batched_reads import BatchedReads, Queries, Rows
from nebo.postgres.prepared import Statement
from nebo.tenants.ids import default_persona_id
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import WrongTenant, current_tenant_id, tenant_id_of

__all__ = ["Queries", "Rows", "TenantReads"]


class TenantReads(BatchedReads):
    """Batched reads that know whose scope is open."""

    def read(self, *, tenant: Tenant | UUID, **values: Any) -> Rows:
        """The rows of every part, by its name; one statement in the open scope of that tenant.

        Raises WrongTenant when the open scope is another's.
        """
        tenant_id = tenant_id_of(tenant)
        if current_tenant_id() != tenant_id:
            raise WrongTenant("The open scope is another tenant's.")
        return self.fetch(own_ids(tenant_id), values)

    def statement(self, tenant_id: UUID) -> Statement:
        """As the server takes it: the same for every tenant."""
        return self.compile(own_ids(tenant_id)).statement


def own_ids(tenant_id: UUID) -> dict[str, UUID]:
    """Ids that follow from the tenant's, by the names that statements know them by."""
    return {"tenant_id": tenant_id, "default_persona_id": default_persona_id(tenant_id)}
