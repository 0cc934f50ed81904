"""Memories of an archive that this installation didn't make, or that was changed since, are looked through."""

from __future__ import annotations

from typing import Any

from memories.models import Memory
from memories.screening.checks import find_reason
from memories.screening.orders import OWN, find_order_reason
from memories.screening.personal import Policy, why_not_freely
from memories.screening.sensitive import redact
from nebo.product.governance.importing.archive.merging import put_into_review
from nebo.product.memory_files.holding import list_held

REASON_CHARS = 200


def hold_back(row: dict[str, Any]) -> dict[str, Any]:
    """A file of an agent's memory, without the passages that read like orders."""
    held = list_held(row["text"], known=(), held=row["held"], allowed=())
    return {**row, "held": held, "allowed": []}


def look_through(row: dict[str, Any], policy: Policy) -> dict[str, Any]:
    """What reads like an order to the agent, holds a secret, or is of a sensitive class that the workspace doesn't
    simply let be learned, waits in review: whose archive it is decides.
    """
    if row["status"] != Memory.Status.ACTIVE:
        return row
    texts = (row["key"], row["memory_key"], row["entity_label"], *row["tags"])
    reason = find_reason(row["value"], *texts)
    reason = reason or ("" if row["trust"] == OWN else find_order_reason(row["value"], *texts))
    reason = reason or why_not_freely(policy, row["value"])
    if reason:
        put_into_review(row, reason[:REASON_CHARS])
        row["value"] = redact(row["value"])
    return row
