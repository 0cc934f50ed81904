"""Work on memories that comes round daily."""

from __future__ import annotations

from datetime import timedelta

from memories.services.upkeep import clean_provisional, purge_trash
from nebo.jobs.claims import Claim
from nebo.jobs.periodic import for_each_tenant
from nebo.jobs.registry import handler
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant

DAILY = timedelta(days=1)


@handler("clean-provisional")
def clean_provisional_memories(claim: Claim) -> None:
    """Guesses that nobody confirmed go to the trash."""
    count = clean_provisional(tenant=claim.tenant_id, actor=Actor("job", str(claim.job_id)))
    with claim.publish() as result:
        result["deleted"] = count


@handler("purge-trash")
def purge_trashed_memories(claim: Claim) -> None:
    """What lay in the trash long enough goes for good."""
    tenant = Tenant.objects.get(pk=claim.tenant_id)
    count = purge_trash(tenant=tenant, actor=Actor("job", str(claim.job_id)))
    with claim.publish() as result:
        result["purged"] = count


for_each_tenant("clean-provisional", every=DAILY)
for_each_tenant("purge-trash", every=DAILY)
