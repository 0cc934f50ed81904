"""Work on people's data as a whole: what grows old, exports, erasures."""

from __future__ import annotations

from datetime import timedelta

from memories.audit.log import record_audit
from nebo.jobs.claims import Claim
from nebo.jobs.lanes import Lane
from nebo.jobs.periodic import for_each_tenant
from nebo.jobs.registry import handler
from nebo.jobs.services import enqueue
from nebo.product.governance.audit_log import VERIFY, verify
from nebo.product.governance.importing.archive.indexing import KIND as INDEX_PERSON
from nebo.product.governance.importing.archive.indexing import LANE as INDEX_LANE
from nebo.product.governance.importing.archive.indexing import index_person
from nebo.product.governance.importing.requests import KIND as IMPORT_PERSON
from nebo.product.governance.importing.requests import LANE as IMPORT_LANE
from nebo.product.governance.importing.running import run_import
from nebo.product.governance.retention import apply_retention
from nebo.product.governance.services.erasure import KIND as ERASE_PERSON
from nebo.product.governance.services.erasure import erase
from nebo.product.governance.services.export_file import make_export
from nebo.product.governance.services.exporting import KIND as EXPORT_PERSON
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant


@handler("retention", lane=Lane.UPKEEP)
def retention(claim: Claim) -> None:
    """What a tenant keeps no longer; another run follows when there was more than fits into one."""
    actor = Actor("job", str(claim.job_id))
    outcome = apply_retention(tenant=Tenant.objects.get(pk=claim.tenant_id), actor=actor)
    removed = {name: count for name, count in outcome.counts.items() if count}
    with claim.publish() as result:
        result.update(removed, more=outcome.more)
        if removed:
            record_audit(
                tenant=claim.tenant_id,
                actor=actor,
                action="retention.applied",
                object_type="tenant",
                object_id=claim.tenant_id,
                detail=removed,
            )
        if outcome.more:
            enqueue(tenant=claim.tenant_id, kind="retention", payload={}, dedupe_key="retention")


@handler(EXPORT_PERSON)
def export_person(claim: Claim) -> None:
    """Everything known about a person, as a file."""
    make_export(claim=claim)


@handler(IMPORT_PERSON, lane=IMPORT_LANE)
def import_person(claim: Claim) -> None:
    """What a file brings, piece by piece."""
    run_import(claim=claim)


@handler(INDEX_PERSON, lane=INDEX_LANE)
def index_person_again(claim: Claim) -> None:
    """What an archive brought, to be found."""
    index_person(claim=claim)


@handler(ERASE_PERSON)
def erase_person(claim: Claim) -> None:
    """Everything known about a person, gone."""
    erase(claim=claim)


@handler(VERIFY, lane=Lane.SUMMARY)
def verify_audit(claim: Claim) -> None:
    """Whether the team's log is as it was sealed."""
    verify(claim)


for_each_tenant("retention", every=timedelta(days=1))
