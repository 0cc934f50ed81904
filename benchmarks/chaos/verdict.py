"""What became of what was acknowledged: read through the API, one conversation after the other."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import httpx

from benchmarks.chaos.faults import Processor
from benchmarks.chaos.load import Talker

OPEN = ("queued", "running", "failed")
POLL_S = 0.5


@dataclass(frozen=True, slots=True)
class Verdict:
    """Of messages and of memories; `drained_s` is None where jobs were left when the time was up."""

    acknowledged: int
    lost: int
    doubled: int
    doubled_memories: int
    parked: int
    drained_s: float | None
    processor: Processor  # of the worker and the database until then

    def holds(self, within_s: float) -> bool:
        """Whether nothing is lost, doubled or parked, and everything was done in time."""
        none_wrong = not (self.lost or self.doubled or self.doubled_memories or self.parked)
        return none_wrong and self.drained_s is not None and self.drained_s <= within_s


def judge(
    client: httpx.Client, talkers: Sequence[Talker], drained_s: float | None, processor: Processor
) -> Verdict:
    """Count over the API what the talkers were told is stored."""
    wanted = Counter(one for talker in talkers for one in talker.acknowledged)
    found = Counter(
        (session, message["external_id"])
        for session in sorted({session for session, _ in wanted})
        for message in _pages(client, f"sessions/{session}/messages/")
    )
    return Verdict(
        acknowledged=len(wanted),
        lost=sum(1 for one in wanted if not found[one]),
        doubled=sum(count - 1 for count in found.values() if count > 1),
        doubled_memories=sum(_count_doubled(client, talker.name) for talker in talkers),
        parked=sum(1 for _ in _pages(client, "jobs/", state="dead")),
        drained_s=drained_s,
        processor=processor,
    )


def await_drained(client: httpx.Client, limit_s: float) -> float | None:
    """Seconds until no job was open; None if some still were after `limit_s`. The server may be away meanwhile."""
    began = time.monotonic()
    while (waited := time.monotonic() - began) < limit_s:
        if not _is_busy(client):
            return waited
        time.sleep(POLL_S)
    return None


def _is_busy(client: httpx.Client) -> bool:
    try:
        return any(
            client.get("jobs/", params={"state": state, "limit": 1}).raise_for_status().json()["results"]
            for state in OPEN
        )
    except httpx.HTTPError:
        return True


def _count_doubled(client: httpx.Client, person: str) -> int:
    """Live memories of a person beyond the first with the same words."""
    values = Counter(one["value"] for one in _pages(client, f"users/{person}/memories/", status="active"))
    return sum(count - 1 for count in values.values())


def _pages(client: httpx.Client, path: str, **params: str) -> Iterator[dict[str, Any]]:
    cursor = ""
    while True:
        asked = {**params, "limit": "100", **({"cursor": cursor} if cursor else {})}
        answer = client.get(path, params=asked).raise_for_status().json()
        yield from answer["results"]
        cursor = answer["next"] or ""
        if not cursor:
            return
