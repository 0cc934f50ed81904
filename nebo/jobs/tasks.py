"""The kind of job that belongs to no app: a round trip through queue and worker."""

from __future__ import annotations

import time

from nebo.jobs.claims import Claim
from nebo.jobs.registry import handler


@handler("echo")
def echo(claim: Claim) -> None:
    """For `doctor` and drills: wait `sleep_s` seconds, if the payload says so, and come back."""
    time.sleep(float(claim.payload.get("sleep_s", 0)))
    with claim.publish() as result:
        result["attempt"] = claim.attempt
