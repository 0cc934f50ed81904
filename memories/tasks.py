"""Work on memories that comes round daily."""

from __future__ import annotations

from datetime import timedelta

from memories.services.sealing import enqueue_sealing, seal_all
from memories.services.upkeep import clean_provisional, purge_trash
from nebo.jobs.claims import Claim
from nebo.jobs.periodic import for_each_tenant, periodic
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


@handler("seal-audit")
def seal_audit_log(claim: Claim) -> None:
    """What the audit log has gathered since becomes a link of its chain."""
    count = seal_all(tenant=claim.tenant_id)
    with claim.publish() as result:
        result["sealed"] = count


for_each_tenant("clean-provisional", every=DAILY)
for_each_tenant("purge-trash", every=DAILY)
periodic("seal-audit", every=timedelta(minutes=10))(enqueue_sealing)
