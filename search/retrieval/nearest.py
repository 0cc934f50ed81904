"""What stands nearest to a vector, whatever was asked: a person's memories, and what they said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from pgvector import HalfVector

from nebo.postgres.prepared import fetch_rows
from nebo.postgres.sql_files import read_statement
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import tenant_id_of
from search.embeddings.serving import model_id_of
from search.retrieval.candidates import NOBODY

NEAREST_MEMORIES = read_statement("search", "nearest_memories")
NEAREST_TURNS = read_statement("search", "nearest_turns")


@dataclass(frozen=True, slots=True)
class Nearest:
    """A memory and its cosine to a vector."""

    memory_id: UUID
    similarity: float


def list_nearest_turns(
    *, tenant: Tenant | UUID, person_id: UUID, vector: list[float], limit: int
) -> list[tuple[UUID, int, float]]:
    """Session, seq and cosine of what a person's conversations have nearest to a vector, for every persona: for what is
    done on the person's behalf, never for an answer. Of `limit` passages, memories among them.
    """
    parameters: dict[str, Any] = {
        "tenant_id": tenant_id_of(tenant),
        "person_id": person_id,
        "model_id": model_id_of(vector),
        "vector": HalfVector(vector),
        "limit": limit,
    }
    return [(row[0], row[1], row[2]) for row in fetch_rows(NEAREST_TURNS, parameters)]


def list_nearest_memories(
    *,
    tenant: Tenant | UUID,
    person_id: UUID,
    vector: list[float],
    limit: int = 5,
    persona_id: UUID | None = None,
    session_id: UUID | None = None,
) -> list[Nearest]:
    """Live memories a person, persona and session may see, nearest first by cosine (−1..1)."""
    parameters: dict[str, Any] = {
        "tenant_id": tenant_id_of(tenant),
        "person_id": person_id,
        "model_id": model_id_of(vector),
        "vector": HalfVector(vector),
        "persona_id": persona_id or NOBODY,
        "session_id": session_id or NOBODY,
        "limit": limit,
    }
    return [Nearest(*row) for row in fetch_rows(NEAREST_MEMORIES, parameters)]
