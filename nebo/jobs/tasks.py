"""The one kind of job that belongs to no app: a round trip through queue and worker, for `doctor` and drills."""

from __future__ import annotations

import time

from nebo.jobs.claims import Claim
from nebo.jobs.registry import handler


@handler("echo")
def echo(claim: Claim) -> None:
    """Wait `sleep_s` seconds, if the payload says so, and come back."""
    time.sleep(float(claim.payload.get("sleep_s", 0)))
    with claim.publish() as result:
        result["attempt"] = claim.attempt
