"""Memories of an archive that this installation didn't make, or that was changed since, are looked through."""

from __future__ import annotations

from typing import Any

from memories.models import Memory
from memories.screening.checks import find_reason
from memories.screening.orders import OWN, find_order_reason
from memories.screening.placeholders import shown_instead
from memories.screening.said import list_suspects
from memories.screening.sensitive import redact
from nebo.product.governance.importing.archive.merging import put_into_review
from nebo.product.memory_files.holding import list_held
from nebo.tenants.models import BroughtWords
from sessions.models import Message
from sessions.turns.indexing import INDEXED_ROLES

REASON_CHARS = 200


def hold_back(row: dict[str, Any]) -> dict[str, Any]:
    """A file of an agent's memory, without the passages that read like orders."""
    held = list_held(row["text"], known=(), held=row["held"], allowed=())
    return {**row, "held": held, "allowed": []}


def as_told(row: dict[str, Any], *, judged: bool) -> dict[str, Any]:
    """What agents are shown of a message, and what other conversations are told until it is judged; `judged` where the
    archive can be believed about that.
    """
    content = row["content"]
    own = row["role"] == Message.Role.USER and row["trust"] in ("", BroughtWords.USER)
    known = own or row["role"] not in INDEXED_ROLES or (judged and row["screened"])
    suspects = [] if known else list_suspects(content)
    told = shown_instead(content, suspects) if suspects else None
    return {"shown": shown_instead(content), "recalled": told, "screened": not suspects}


def look_through(row: dict[str, Any]) -> dict[str, Any]:
    """What reads like an order to the agent, or holds a secret, waits in review."""
    if row["status"] != Memory.Status.ACTIVE:
        return row
    texts = (row["key"], row["memory_key"], row["entity_label"], *row["tags"])
    reason = find_reason(row["value"], *texts)
    reason = reason or ("" if row["trust"] == OWN else find_order_reason(row["value"], *texts))
    if reason:
        put_into_review(row, reason[:REASON_CHARS])
        row["value"] = redact(row["value"])
    return row
