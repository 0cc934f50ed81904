"""What an answer may lack: vectors that wait to be made, words that nobody has learned from yet; one statement."""

from __future__ import annotations

from typing import Annotated, NamedTuple, TypedDict
from uuid import UUID

from nebo.api.shapes import like
from nebo.postgres.prepared import fetch_rows, number_parameters
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import tenant_id_of
from search.embeddings.vectors import say_why

WHY_WORDS_ONLY = "Why nothing was found by meaning, in a word; null where it was."

# No more is counted than a page would show, and only the newest conversations are looked at, so that it takes the same
# whoever asks. What the model has refused doesn't wait.
WAITING = """
SELECT (SELECT count(*) FROM (
            SELECT FROM search_pendingembedding
            WHERE tenant_id = %(tenant_id)s AND person_id = %(person_id)s AND attempts = 0
              AND model_id = (SELECT id FROM search_embeddingmodel WHERE state = 'serving')
            LIMIT 10000) waiting) AS vectors,
       EXISTS (SELECT FROM (
            SELECT auto_extract, extracted_seq, next_seq FROM agent_sessions_session
            WHERE tenant_id = %(tenant_id)s AND person_id = %(person_id)s
            ORDER BY last_activity_at DESC LIMIT 20) newest
        WHERE auto_extract AND extracted_seq < next_seq - 1) AS learning
"""
FIND_WAITING = number_parameters(WAITING)


class PendingFields(TypedDict):
    """What of a person waits to be made ready."""

    vectors: Annotated[int, like(0, "Passages that have no vector yet.")]
    learning: Annotated[bool, like(False, "Whether something was said that nobody has read yet.")]


class CompletenessFields(TypedDict):
    """What an answer lacks."""

    pending: PendingFields
    degraded: Annotated[str | None, like(None, WHY_WORDS_ONLY)]


class Waiting(NamedTuple):
    """Of one person: how many passages have no vector yet, and whether something was said that nobody has read yet."""

    vectors: int = 0
    learning: bool = False

    def as_dict(self) -> PendingFields:
        """As answers say it."""
        return {"vectors": self.vectors, "learning": self.learning}


NOTHING_WAITS = Waiting()


def find_waiting(*, tenant: Tenant | UUID, person_id: UUID) -> Waiting:
    """In the open scope."""
    rows = fetch_rows(FIND_WAITING, {"tenant_id": tenant_id_of(tenant), "person_id": person_id})
    return Waiting._make(rows[0])


def completeness(waiting: Waiting, *, by_words: bool) -> CompletenessFields:
    """The members of an answer that say what it lacks."""
    return {"pending": waiting.as_dict(), "degraded": say_why() if by_words else None}
