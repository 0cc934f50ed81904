"""Work on personality that waits in the queue."""

from __future__ import annotations

from nebo.jobs.claims import Claim
from nebo.jobs.registry import handler
from personality.services import compose_directive


@handler("directive")
def directive(claim: Claim) -> None:
    """Shortly after a style was seen."""
    compose_directive(claim=claim)
