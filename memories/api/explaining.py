"""“Why not this one?”: any memory of a person, held against a question."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from memories.api.noting import note_memories
from memories.api.permissions import check_mentioned
from memories.api.search import SearchView
from memories.api.serializers import SearchInput
from memories.selectors import get_memory
from memories.storing.vectors import embed_question
from nebo.api.operations import Operation
from nebo.api.serializers import parse
from nebo.api.shapes import Id, like
from nebo.tenants.scoping import tenant_scope
from search.answers.explanation import Explanation, explain_memory
from search.answers.search import SearchQuery


class ExplanationFields(TypedDict):
    """Where a memory stands in an answer, and what kept it out of it."""

    memory_id: Id
    rank: Annotated[int | None, like(3, "From 1; null where it wasn't ranked at all.")]
    ranked: Annotated[int, like(24)]
    score: Annotated[float | None, like(0.41)]
    vector_score: Annotated[float | None, like(0.33)]
    text_score: Annotated[float | None, like(None)]
    kept_out_by: Annotated[list[str], like([], "Empty for a memory that is among the results.")]
    parts: Annotated[dict[str, dict[str, float]], like({"vector": {"rank": 3.0}})]
    found: Annotated[bool, like(True)]


class ExplainView(SearchView):
    """`users/{user}/memories/{id}/explain/`: takes the body of a search and says where the memory stands in it."""

    operations = {"POST": Operation("Explain a memory's rank", ExplanationFields, body=SearchInput)}

    def prepare(self, request: Request, **kwargs: Any) -> tuple[SearchQuery, list[float] | None]:  # type: ignore[override]
        fields = parse(SearchInput, request.data)
        with tenant_scope(self.caller.tenant_id):
            query = self._query(self.get_person_version(kwargs["user"]).person_id, fields)
            self._check_visible(query.person_id, kwargs["memory_id"])
        return query, embed_question(tenant=self.caller.tenant_id, text=query.text)

    def post(  # type: ignore[override]
        self,
        request: Request,
        prepared: tuple[SearchQuery, list[float] | None],
        user: str,
        memory_id: UUID,
    ) -> Response:
        query, vector = prepared
        self._check_visible(query.person_id, memory_id)
        found = explain_memory(tenant=self.caller.tenant_id, query=query, vector=vector, memory_id=memory_id)
        note_memories(self, "memory.searched", query.person_id, [memory_id])
        return Response(explanation_json(found))

    def _check_visible(self, person_id: UUID, memory_id: UUID) -> None:
        """NotFound for a memory of somebody else, or of a persona that the key isn't of; Forbidden where it speaks to
        admins alone.
        """
        memory = get_memory(
            tenant=self.caller.tenant_id,
            memory_id=memory_id,
            person_id=person_id,
            persona_id=self.caller.persona_id,
        )
        check_mentioned(self, memory)


def explanation_json(found: Explanation) -> ExplanationFields:
    """`kept_out_by` is empty for a memory that is among the results."""
    return {
        "memory_id": str(found.memory_id),
        "rank": found.rank,
        "ranked": found.ranked,
        "score": found.score,
        "vector_score": found.vector_score,
        "text_score": found.text_score,
        "kept_out_by": list(found.kept_out_by),
        "parts": found.parts,
        "found": not found.kept_out_by,
    }
