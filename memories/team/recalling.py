"""What others of the team shared and that is about a question, with the server's word who said it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, NamedTuple, TypedDict
from uuid import UUID

from pgvector import HalfVector

from memories.audit.log import record_read
from memories.confidence import PROMPT_GATE
from memories.models import Memory
from memories.screening.fencing import fence, one_line
from memories.screening.sanitize import without_orders
from memories.trust import lowest
from nebo.api.shapes import Moment, like, one_of
from nebo.api.times import as_utc
from nebo.postgres.prepared import fetch_rows
from nebo.postgres.sql_files import read_statement
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant
from search.answers.search import NO_MODEL, Hit
from search.embeddings.serving import model_id_of, serving_model_of
from search.language import likely_configurations
from search.relevance.floor import Floor, judge_relevance

TEAM_LIMIT = 5  # lines a question, at most
CANDIDATES = 40  # by vector, and by words
MOST = 2_000  # newest shared memories of a team that are looked through
NAME_CHARS = 60  # characters of a name in a stamp
HEADING = "## Decided in the Team"
FIND_SHARED = read_statement("memories", "team_memories")


class TeamFields(TypedDict):
    """What somebody else shared with the team; who and when is the server's word."""

    text: Annotated[str, like("Billing runs on Postgres 16.")]
    by: Annotated[str, like("Ana", "The person whose agent, or who themselves, shared it.")]
    via: Annotated[str | None, like("ci-bot", "The name of the key that did; null where the person did.")]
    shared_at: Moment
    trust: Annotated[str, one_of([one for one in Memory.Trust.values if one != Memory.Trust.USER], "agent")]


class SharedFields(TypedDict, total=False):
    """What others shared with the team; there where its settings allow that."""

    team: Annotated[list[TeamFields], like([])]


NOTHING_SHARED: SharedFields = {}


@dataclass(frozen=True, slots=True)
class TeamMemory:
    """One memory that somebody else shared; `key_name` is empty where the person shared it themselves."""

    memory_id: UUID
    text: str
    author: str
    key_name: str
    shared_at: datetime
    trust: str

    @property
    def stamp(self) -> str:
        """`Ana via key ci-bot, 12 May 2026`."""
        who = f"{self.author} via key {self.key_name}" if self.key_name else self.author
        return f"{who}, {self.shared_at.day} {self.shared_at:%B %Y}"

    @property
    def line(self) -> str:
        """As it stands in a prompt."""
        return f"- {one_line(self.text)} [{self.stamp}]"

    def as_dict(self) -> TeamFields:
        """As an answer lists it."""
        return {
            "text": self.text,
            "by": self.author,
            "via": self.key_name or None,
            "shared_at": as_utc(self.shared_at),
            "trust": self.trust,
        }


class _Row(NamedTuple):
    memory_id: UUID
    text: str
    trust: str
    shared_at: datetime
    display_name: str
    external_id: str
    key_name: str
    similarity: float | None
    words: int


def find_team_memories(
    *, tenant: Tenant, person_id: UUID, question: str, vector: list[float] | None, limit: int = TEAM_LIMIT
) -> list[TeamMemory]:
    """What is about the question, the most relevant first; nothing of the person's own, and nothing where the team's
    policy has no team memory. One statement, in the open scope.
    """
    if not tenant.shares or not question.strip():
        return []
    rows = {row.memory_id: row for row in _find_rows(tenant, person_id, question, vector)}
    judged = judge_relevance(
        question,
        [_as_hit(row) for row in rows.values()],
        model=serving_model_of(vector),
        floor=Floor.at(tenant.relevance_floor),
    )
    best = sorted(judged.passing, key=lambda one: -one.relevance)[:limit]
    return [_as_memory(rows[one.hit.memory_id]) for one in best if one.hit.memory_id]


def note_team_read(*, tenant: Tenant, actor: Actor, person_id: UUID, memories: Sequence[TeamMemory]) -> None:
    """A line of the log of the person it was shown to; nothing without any."""
    if memories:
        ids = [memory.memory_id for memory in memories]
        record_read(tenant=tenant, actor=actor, action="team.recalled", person_id=person_id, memory_ids=ids)


def shared_json(memories: Sequence[TeamMemory]) -> SharedFields:
    """As a member of an answer."""
    return {"team": [memory.as_dict() for memory in memories]}


def format_team(memories: Sequence[TeamMemory]) -> str:
    """A section of its own, fenced as data; empty without any."""
    return f"{HEADING}\n{fence('team', [memory.line for memory in memories])}" if memories else ""


def _find_rows(tenant: Tenant, person_id: UUID, question: str, vector: list[float] | None) -> list[_Row]:
    parameters: dict[str, Any] = {
        "tenant_id": tenant.pk,
        "person_id": person_id,
        "text": question,
        "languages": list(likely_configurations(question)),
        "model_id": NO_MODEL if vector is None else model_id_of(vector),
        "vector": None if vector is None else HalfVector(vector),
        "gate": PROMPT_GATE,
        "most": MOST,
        "leg": CANDIDATES,
    }
    return [_Row._make(row) for row in fetch_rows(FIND_SHARED, parameters)]


def _as_hit(row: _Row) -> Hit:
    return Hit(
        source="memory",
        memory_id=row.memory_id,
        namespace="",
        key="",
        session_id=None,
        messages=(),
        text=row.text,
        score=max(row.similarity or 0.0, 0.0),
        vector_score=row.similarity,
        text_score=float(row.words),
        created_at=row.shared_at,
    )


def _as_memory(row: _Row) -> TeamMemory:
    return TeamMemory(
        memory_id=row.memory_id,
        text=row.text,
        author=_name(row.display_name) or _name(row.external_id) or "somebody",
        key_name=_name(row.key_name),
        shared_at=row.shared_at,
        trust=lowest(row.trust, Memory.Trust.AGENT),
    )


def _name(text: str) -> str:
    """A name that can't pass for more than one."""
    return without_orders(one_line(text))[:NAME_CHARS].replace("[", "(").replace("]", ")")
