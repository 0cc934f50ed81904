"""What the page of a context reads beside the context itself: in one statement, whatever is shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from memories.models import Memory
from memories.normalize import PROFILE_NAMESPACE
from memories.person_columns import COLUMN_OF_KEY, find_column
from nebo.tenants.models import Tenant
from nebo.tenants.reads import Queries, Rows, TenantReads
from personality.personas.selectors import list_all_personas
from sessions.context.inputs import ContextInputs
from sessions.context.outline import Places, Source
from sessions.context.stable import COLUMNS
from sessions.context.why_not import list_asked
from sessions.models import Message, Session
from sessions.selectors import list_seen_sessions

SESSIONS_SHOWN = 50  # to choose from, the last active
WORDS = 10  # of those

# Every word stands in the value or the key, also in the middle of another; in any state, the last changed first.
FIND_CHOICES = """
SELECT array_agg(id) FROM (
    SELECT id FROM memories_memory
    WHERE tenant_id = %(tenant_id)s AND person_id IN (%(person_id)s, %(shared_id)s)
      AND cardinality(%(patterns)s::text[]) > 0 AND (value || ' ' || key) ILIKE ALL (%(patterns)s::text[])
    ORDER BY updated_at DESC LIMIT 8) found
"""


@dataclass(frozen=True, slots=True)
class Around:
    """Where turns stand; the memories that are asked about, with what a prompt asks of them, by their ids; those with
    the words that are looked for; the conversations and personas to choose from.
    """

    places: Places
    memories: Mapping[UUID, Memory]
    choices: Sequence[Memory]
    sessions: Sequence[Session]
    personas: Sequence[Mapping[str, Any]]


def read_around(
    *,
    tenant: Tenant,
    inputs: ContextInputs,
    message_ids: Sequence[UUID],
    memory_ids: Sequence[UUID],
    words: str,
) -> Around:
    """Of the session's person; one statement."""
    found = AROUND.read(
        tenant=tenant,
        message_ids=list(message_ids),
        memory_ids=list(memory_ids),
        patterns=[f"%{_escape(word)}%" for word in words.split()[:WORDS]],
        person_id=inputs.session.person_id,
        shared_id=inputs.shared.pk,
        persona_id=inputs.persona.pk,
        session_id=inputs.session.pk,
    )
    memories = {memory.pk: memory for memory in found["memories"]}
    return Around(
        _places(found),
        {id: memories[id] for id in memory_ids if id in memories},
        sorted(found["chosen"], key=lambda memory: memory.updated_at, reverse=True),
        found["sessions"],
        found["personas"],
    )


def _places(found: Rows) -> Places:
    turns = {
        str(row["id"]): Source("turn", str(row["id"]), str(row["session_id"]), row["seq"])
        for row in found["turns"]
    }
    columns = {
        COLUMNS[column]: Source("memory", str(row["id"]))
        for row in found["profile"]
        if (column := find_column(row["namespace"], row["key"]))
    }
    return Places(turns, columns)


def _escape(word: str) -> str:
    """For a pattern of LIKE."""
    return word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def _list_around(
    tenant: UUID,
    *,
    message_ids: Sequence[UUID],
    memory_ids: Sequence[UUID],
    patterns: Sequence[str],
    choice_ids: Sequence[UUID],
    **who: UUID,
) -> Queries:
    person_id = who["person_id"]
    messages = Message.objects.for_tenant(tenant).filter(pk__in=message_ids, person_id=person_id)
    profile = Memory.objects.for_tenant(tenant).filter(
        person_id=person_id,
        namespace=PROFILE_NAMESPACE,
        key__in=list(COLUMN_OF_KEY),
        status=Memory.Status.ACTIVE,
    )
    asked = list_asked(
        tenant=tenant,
        people=(person_id, who["shared_id"]),
        persona_id=who["persona_id"],
        session_id=who["session_id"],
    )
    return {
        "choice_ids": FIND_CHOICES,
        "turns": messages.values("id", "session_id", "seq"),
        "profile": profile.values("id", "namespace", "key"),
        "memories": asked.filter(pk__in=memory_ids),
        "chosen": asked.filter(pk__in=choice_ids),
        "sessions": list_seen_sessions(tenant=tenant, person_id=person_id)[:SESSIONS_SHOWN],
        "personas": list_all_personas(tenant=tenant).order_by("name").values("slug", "name"),
    }


AROUND = TenantReads(
    _list_around,
    given={
        "message_ids": "uuid[]",
        "memory_ids": "uuid[]",
        "patterns": "text[]",
        "person_id": "uuid",
        "shared_id": "uuid",
        "persona_id": "uuid",
        "session_id": "uuid",
    },
    found={"choice_ids": "uuid[]"},
)
