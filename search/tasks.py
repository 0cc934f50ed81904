"""Work on the index that waits in the queue."""

from __future__ import annotations

from nebo.jobs.claims import Claim
from nebo.jobs.registry import handler
from search.pending import embed_pending


@handler("embed")
def embed(claim: Claim) -> None:
    """Vectors for what was written since."""
    embed_pending(claim=claim)
