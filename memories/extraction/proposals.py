"""What waits for review: proposals as JSON, shown and later applied exactly so."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.core.serializers.json import DjangoJSONEncoder

from memories.models import ExtractionRun
from memories.new_memory import NewMemory, NewObservation, address_key
from memories.screening.checks import redact_all
from memories.todos.store import NewTodo

KIND, MEMORY, TODO = "proposal", "memory", "todo"


def write_proposals(facts: Sequence[NewMemory], todos: Sequence[NewTodo]) -> list[dict[str, Any]]:
    """Proposals in JSON's own types, without secrets."""
    rows = [{KIND: MEMORY, **asdict(fact)} for fact in facts] + [
        {KIND: TODO, **asdict(todo)} for todo in todos
    ]
    plain: list[dict[str, Any]] = redact_all(json.loads(json.dumps(rows, cls=DjangoJSONEncoder)))
    return plain


def read_proposals(
    rows: Sequence[dict[str, Any]], *, messages: Collection[UUID]
) -> tuple[list[NewMemory], list[NewTodo]]:
    """The same proposals again; a message that is gone meanwhile (not among `messages`) is no longer cited."""
    facts = [_memory(row, messages) for row in rows if row[KIND] == MEMORY]
    return facts, [_todo(row, messages) for row in rows if row[KIND] == TODO]


def list_cited(rows: Sequence[dict[str, Any]]) -> set[UUID]:
    """Ids of the messages that proposals cite."""
    seen = [row for row in rows if row[KIND] == TODO] + [
        o for row in rows for o in row.get("observations", ())
    ]
    return {UUID(one["message_id"]) for one in seen if one["message_id"]}


def list_pairs(rows: Sequence[dict[str, Any]]) -> list[tuple[str, str]]:
    """Key and value of each memory proposed: what is to be embedded."""
    return [(address_key(row["key"], row["value"]), row["value"]) for row in rows if row[KIND] == MEMORY]


def digest_of(run: ExtractionRun) -> str:
    """Tells what a reviewer has seen from what stands there now: the run's ETag."""
    seen = json.dumps([run.status, run.proposals], sort_keys=True).encode()
    return hashlib.sha256(seen).hexdigest()[:32]


def _memory(row: dict[str, Any], messages: Collection[UUID]) -> NewMemory:
    fields = {
        **{name: value for name, value in row.items() if name != KIND},
        "tags": tuple(row["tags"]),
        "entity_refs": tuple(row["entity_refs"]),
        "persona_id": _uuid(row["persona_id"]),
        "session_id": _uuid(row["session_id"]),
        "expires_at": _moment(row["expires_at"]),
        "known": _known(row.get("known")),
        "observations": tuple(_observation(seen, messages) for seen in row["observations"]),
    }
    return NewMemory(**fields)


def _observation(row: dict[str, Any], messages: Collection[UUID]) -> NewObservation:
    seen = NewObservation(
        **{
            **row,
            "message_id": _uuid(row["message_id"]),
            "run_id": _uuid(row["run_id"]),
            "observed_at": _moment(row["observed_at"]),
        }
    )
    if seen.message_id is None or seen.message_id in messages:
        return seen
    return replace(seen, message_id=None, quote="", quote_start=None, quote_end=None)


def _todo(row: dict[str, Any], messages: Collection[UUID]) -> NewTodo:
    ids = {name: _uuid(row[name]) for name in ("message_id", "session_id", "persona_id", "run_id")}
    times = {name: _moment(row[name]) for name in ("due_at", "expires_at")}
    todo = NewTodo(**{**{name: value for name, value in row.items() if name != KIND}, **ids, **times})
    return todo if todo.message_id in messages else replace(todo, message_id=None, quote="")


def _known(pair: list[str] | None) -> tuple[UUID, str] | None:
    return (UUID(pair[0]), pair[1]) if pair else None


def _uuid(text: str | None) -> UUID | None:
    return UUID(text) if text else None


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
