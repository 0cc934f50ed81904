"""Shapes of mem0's answers."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, NotRequired, TypedDict

from memories.models import Memory, Version
from memories.storing.store import Stored
from nebo.api.times import as_utc
from nebo.product.mem0.adding import is_read
from nebo.product.mem0.models import Addition
from nebo.product.mem0.said import NOTHING_SAID, Said
from nebo.product.mem0.whom import kind_and_name
from nebo.tenants.models import UserProfile

QUEUED = "Memory processing has been queued for background execution"
DONE = "Memories were added"
IN_REVIEW = "Kept for review: nobody is shown it before a person has looked at it."
EVENTS: Mapping[str, str] = {
    "created": "ADD", "superseded": "ADD", "updated": "UPDATE", "reinforced": "UPDATE", "unchanged": "NONE",
    "quarantined": "NONE",
}  # fmt: skip
ADD = "ADD"  # the one type of event
HISTORY = {"created": "ADD", "deleted": "DELETE"}


class Mem0Memory(TypedDict):
    """A memory as mem0's clients read it."""

    id: str
    memory: str
    user_id: str | None
    agent_id: str | None
    app_id: str | None
    run_id: str | None
    metadata: Mapping[str, Any]
    categories: list[str]
    hash: str
    created_at: str
    updated_at: str
    expiration_date: str | None
    score: NotRequired[float]


class Mem0Added(TypedDict):
    """What became of a text."""

    id: str
    memory: str
    event: str
    data: dict[str, str]
    reason: NotRequired[str]


class Mem0Change(TypedDict):
    """A step in a memory's history."""

    id: str
    memory_id: str
    input: list[dict[str, str]]
    old_memory: str | None
    new_memory: str | None
    event: str
    user_id: str | None
    metadata: Mapping[str, Any]
    created_at: str
    updated_at: str


def memory_json(memory: Memory, said: Said = NOTHING_SAID, *, score: float | None = None) -> Mem0Memory:
    """A memory; of one that is everyone's, no user is named."""
    kind, name = kind_and_name(memory.person.external_id)
    is_shared = memory.person.kind == UserProfile.Kind.SHARED
    alone = {f"{kind}_id": name} if not is_shared else {}
    shown: Mem0Memory = {
        "id": str(memory.pk),
        "memory": memory.value,
        "user_id": alone.get("user_id"),
        "agent_id": said.agent_id or alone.get("agent_id"),
        "app_id": said.app_id or alone.get("app_id"),
        "run_id": said.run_id or alone.get("run_id"),
        "metadata": said.metadata,
        "categories": list(memory.tags),
        "hash": hashlib.md5(memory.value.encode(), usedforsecurity=False).hexdigest(),
        "created_at": as_utc(memory.first_observed),
        "updated_at": as_utc(memory.updated_at),
        "expiration_date": as_utc(memory.expires_at),
    }
    if score is not None:
        shown["score"] = score
    return shown


def added_json(memory: Memory, event: str, reason: str = "") -> Mem0Added:
    """What became of it; of something forgotten, the words aren't said again."""
    text = "" if event == "DELETE" else memory.value
    shown: Mem0Added = {"id": str(memory.pk), "memory": text, "event": event, "data": {"memory": text}}
    return {**shown, "reason": reason} if reason else shown


def stored_json(stored: Stored) -> Mem0Added:
    """Of a text that was stored as it came."""
    reason = IN_REVIEW if stored.memory.status == Memory.Status.QUARANTINED else ""
    return added_json(stored.memory, EVENTS[stored.action], reason)


def learned_json(learned: Sequence[Memory]) -> list[Mem0Added]:
    """Of what was learned at once."""
    last = {memory.pk: memory for memory in learned}
    return [added_json(memory, event) for memory in last.values() if (event := _event_of(memory))]


def _event_of(memory: Memory) -> str:
    """Empty for what isn't shown: it waits for review, or gave way."""
    if memory.status == Memory.Status.DELETED:
        return "DELETE"
    if memory.status != Memory.Status.ACTIVE:
        return ""
    return "ADD" if memory.version == 1 else "UPDATE"


def version_json(version: Version, memory: Memory, said: Said) -> Mem0Change:
    """A change; what a step left as it was stands in `before` and `after` of no version."""
    kind, name = kind_and_name(memory.person.external_id)
    return {
        "id": str(version.pk),
        "memory_id": str(memory.pk),
        "input": [],
        "old_memory": (version.before or {}).get("value"),
        "new_memory": version.after.get("value"),
        "event": HISTORY.get(version.action, "UPDATE"),
        "user_id": name if kind == "user" else None,
        "metadata": said.metadata,
        "created_at": as_utc(version.created_at),
        "updated_at": as_utc(version.created_at),
    }


def entity_json(person: Any) -> dict[str, Any]:
    """A user, or the agent, app or run that a person stands for."""
    kind, name = kind_and_name(person.external_id)
    return {
        "id": str(person.pk),
        "name": name,
        "type": kind,
        "total_memories": person.total_memories,
        "owner": None,
        "organization": None,
        "metadata": {},
        "created_at": as_utc(person.created_at),
        "updated_at": as_utc(person.updated_at),
    }


def event_brief(addition: Addition) -> dict[str, Any]:
    """An addition as a list of events has it."""
    at = as_utc(addition.created_at)
    status = "SUCCEEDED" if is_read(addition=addition) else "PENDING"
    return {"id": str(addition.pk), "event_type": ADD, "status": status, "created_at": at, "updated_at": at}


def event_json(addition: Addition, *, added: Sequence[Memory]) -> dict[str, Any]:
    """An addition as an event: what was learned of it until now. Its metadata go with what came of it."""
    return {
        **event_brief(addition),
        "results": [added_json(memory, "ADD") for memory in added],
        "metadata": addition.metadata if added else {},
    }
