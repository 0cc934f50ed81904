"""What a context is asked for, completed: the question that stands in for a missing one, whom it means, its vector.

All of it happens before the transaction opens, since a model is asked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from uuid import UUID

from memories.storing.vectors import begin_question
from nebo.tenants.reading import read_in_scope
from search.embeddings.ahead import PendingVector
from sessions.context.assembly import ContextRequest
from sessions.context.inputs import read_last_words
from sessions.context.pointing import name_whom, points_to_somebody, read_newest_words
from sessions.models import Session

STAND_IN_CHARS = 4_000  # of a person's last words, where they stand in for a question


@dataclass(frozen=True, slots=True)
class Asked:
    """A request, and the vector of its question as soon as it is made."""

    request: ContextRequest
    vector: PendingVector | None = None

    def wait(self) -> ContextRequest:
        """The request with its vector."""
        return replace(self.request, vector=self.vector.wait()) if self.vector else self.request


def complete_request(
    *, tenant: UUID, session_id: UUID, request: ContextRequest, check: Callable[[Session], None]
) -> Asked:
    """Begin to embed what is asked. `check` raises for a session that the caller may not see, before words of it are
    read. Raises NotFound.
    """
    query = request.query or _last_words(tenant, session_id, check)
    asks = bool(query.strip()) and request.recall and not request.lean
    meant = query
    if asks and points_to_somebody(query):
        meant = _meant(tenant, session_id, query, check)
    vector = begin_question(tenant=tenant, text=meant) if asks else None
    return Asked(replace(request, query=query, meant=meant), vector)


def _meant(tenant: UUID, session_id: UUID, query: str, check: Callable[[Session], None]) -> str:
    """The query with whom its pronoun stands for."""
    session, words = read_in_scope(tenant, partial(read_newest_words, tenant=tenant, session_id=session_id))
    check(session)
    return name_whom(query, [text for text in words if text.strip() != query.strip()])


def _last_words(tenant: UUID, session_id: UUID, check: Callable[[Session], None]) -> str:
    """What the person said last stands in for a missing query."""
    session, words = read_in_scope(tenant, partial(read_last_words, tenant=tenant, session_id=session_id))
    check(session)
    return words[:STAND_IN_CHARS]
