"""Work on personality that waits in the queue."""

from __future__ import annotations

from datetime import timedelta

from nebo.jobs.claims import Claim
from nebo.jobs.lanes import Lane
from nebo.jobs.periodic import for_each_tenant
from nebo.jobs.registry import handler
from nebo.tenants.actor import Actor
from personality.styles.directive import compose_directive
from personality.styles.fading import fade_styles
from personality.wishes.candidates import expire_candidates


@handler("directive", lane=Lane.SUMMARY)
def directive(claim: Claim) -> None:
    """Shortly after a style was seen."""
    compose_directive(claim=claim)


@handler("fade-styles", lane=Lane.UPKEEP)
def fade_seen_styles(claim: Claim) -> None:
    """Once a day: styles past their lifespan no longer count."""
    count = fade_styles(tenant=claim.tenant_id, actor=Actor("job", str(claim.job_id)))
    with claim.publish() as result:
        result["archived"] = count


@handler("settle-wishes", lane=Lane.UPKEEP)
def settle_wishes(claim: Claim) -> None:
    """Once a day: what waits for a word that never came is let go."""
    with claim.publish() as result:
        actor = Actor("job", str(claim.job_id))
        result["expired"] = expire_candidates(tenant=claim.tenant_id, actor=actor)


for_each_tenant("fade-styles", every=timedelta(days=1))
for_each_tenant("settle-wishes", every=timedelta(days=1))
