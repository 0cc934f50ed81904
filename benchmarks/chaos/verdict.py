"""What became of what was acknowledged: read through the API, one conversation after the other."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import httpx

from benchmarks.chaos.faults import Family, Processor, processor_of
from benchmarks.chaos.load import Talker
from benchmarks.server import Server

OPEN = ("queued", "running", "failed")
POLL_S = 0.5
DRAINED_WITHIN_S = 60.0
DRAIN_LIMIT_S = 600.0


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


def judge_server(server: Server, talkers: Sequence[Talker], family: Family) -> Verdict:
    """Wait until nothing is left to do, and count what became of what was acknowledged."""
    with httpx.Client(
        base_url=f"{server.url}/api/v1/", headers={"Authorization": f"Bearer {server.key}"}, timeout=60
    ) as client:
        before = processor_of(family.list_learning())
        drained_s = await_drained(client, DRAIN_LIMIT_S)
        processor = processor_of(family.list_learning()).since(before)
        return judge(client, talkers, drained_s, processor)


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


def rows_of(verdict: Verdict, talkers: Sequence[Talker]) -> list[list[str]]:
    """As a table has them, what was tried and what became of it."""
    errors = sum((Counter(talker.errors) for talker in talkers), Counter[str]())
    tries = sum(talker.tries for talker in talkers)
    drained = "not drained" if verdict.drained_s is None else f"{verdict.drained_s:.1f} s"
    return [
        ["acknowledged messages", str(verdict.acknowledged)],
        ["calls, and what failed of them", f"{tries}; {dict(errors.most_common())}"],
        ["lost", str(verdict.lost)],
        ["stored twice", str(verdict.doubled)],
        ["memories learned twice", str(verdict.doubled_memories)],
        ["jobs parked", str(verdict.parked)],
        ["everything done after the last turn", drained],
        ["worker and database ran for it", f"{verdict.processor.ran:.1f} s"],
        ["and waited for a processor", f"{verdict.processor.waited:.1f} s"],
    ]
