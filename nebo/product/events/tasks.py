"""Work on events: telling other systems."""

from __future__ import annotations

from datetime import timedelta

from nebo.jobs.claims import Claim
from nebo.jobs.periodic import periodic
from nebo.jobs.registry import handler
from nebo.product.events import scheduling
from nebo.product.events.sending import deliver


@handler(scheduling.KIND)
def deliver_events(claim: Claim) -> None:
    """What is due at one endpoint."""
    deliver(claim)


@periodic("due-events", every=timedelta(seconds=1))
def schedule_due_events() -> int:
    """Jobs for endpoints with something due."""
    return scheduling.schedule_due()
