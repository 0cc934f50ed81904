"""Work on a team's own affairs."""

from __future__ import annotations

from nebo.jobs.claims import Claim
from nebo.jobs.registry import handler
from nebo.product.workspace.asking_providers import ask_provider
from nebo.product.workspace.providers import TEST


@handler(TEST)
def answer_test(claim: Claim) -> None:
    """One cheap question to whoever serves a team."""
    ask_provider(claim)
