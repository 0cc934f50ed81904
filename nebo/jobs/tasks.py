"""The kinds of job that belong to no app: a round trip through queue and worker, and the daily tidying up."""

from __future__ import annotations

import time
from datetime import timedelta

from nebo.api.idempotency import forget_answers
from nebo.jobs.claims import Claim
from nebo.jobs.periodic import for_each_tenant
from nebo.jobs.registry import handler
from nebo.jobs.services import forget_jobs


@handler("echo")
def echo(claim: Claim) -> None:
    """For `doctor` and drills: wait `sleep_s` seconds, if the payload says so, and come back."""
    time.sleep(float(claim.payload.get("sleep_s", 0)))
    with claim.publish() as result:
        result["attempt"] = claim.attempt


@handler("tidy")
def tidy(claim: Claim) -> None:
    """Drop what nobody will ask for again: answers kept for repeated calls, and jobs long done."""
    with claim.publish() as result:
        result["answers"] = forget_answers(tenant=claim.tenant_id)
        result["jobs"] = forget_jobs(tenant=claim.tenant_id)


for_each_tenant("tidy", every=timedelta(days=1))
