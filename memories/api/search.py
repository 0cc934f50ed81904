"""Finding what is remembered: search, recall and the agent's tool. Questions are embedded before the transaction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from memories.api.serializers import RecallInput, SearchInput, ToolInput, memory_json
from memories.new_memory import address_key
from memories.normalize import effective_namespace
from memories.recall import recall
from memories.selectors import get_persona_id, get_session_id
from memories.services import embed_pair, record_read
from memories.tool import Desk, ToolCall, question_of, run_tool
from nebo.api.serializers import parse
from nebo.api.times import as_utc
from nebo.api.views import TenantView
from nebo.errors import Forbidden
from nebo.tenants.models import UserProfile
from search.selectors import Hit, SearchQuery, search
from search.services import embed_query

READING = ("recall", "search", "list")  # actions of the tool that need no scope but read


@dataclass(frozen=True, slots=True)
class Question:
    """A body, checked, and the vector of what it asks."""

    fields: dict[str, Any]
    vector: list[float] | None


class SearchView(TenantView):
    """`users/{user}/search/`."""

    scopes = {"POST": "read"}

    def prepare(self, request: Request, **kwargs: Any) -> Question:
        fields = parse(SearchInput, request.data)
        return Question(fields, embed_query(tenant=self.caller.tenant_id, text=fields["query"]))

    def post(self, request: Request, prepared: Question, user: str) -> Response:
        person = self.get_person(user)
        query = self._query(person, prepared.fields)
        answer = search(tenant=self.caller.tenant_id, query=query, vector=prepared.vector)
        record_read(
            tenant=self.caller.tenant_id,
            actor=self.actor,
            action="memory.searched",
            profile_id=person.pk,
            memory_ids=[hit.memory_id for hit in answer.results if hit.memory_id],
        )
        results = [hit_json(hit, explain=query.explain) for hit in answer.results]
        return Response({"results": results, "took_ms": round(answer.took_ms, 2)})

    def _query(self, person: UserProfile, fields: dict[str, Any]) -> SearchQuery:
        """Names of personas and sessions become ids that exist and that the key may use."""
        persona, session = fields["persona"], fields["session"]
        tenant_id = self.caller.tenant_id
        named = get_persona_id(tenant=tenant_id, slug=persona) if persona else None
        if session:
            get_session_id(tenant=tenant_id, profile_id=person.pk, session_id=session)
        return SearchQuery(
            text=fields["query"],
            profile_id=person.pk,
            limit=fields["limit"],
            sources=tuple(fields["sources"]),
            namespace=effective_namespace(fields["layer"], fields["namespace"]),
            types=tuple(fields["types"]),
            persona_id=self.bound_persona(named),
            session_id=session,
            min_score=fields["min_score"],
            explain=fields["explain"],
            ranking=fields["ranking"],
        )


class RecallView(TenantView):
    """`users/{user}/recall/`: the block a prompt takes as it is."""

    scopes = {"POST": "read"}

    def prepare(self, request: Request, **kwargs: Any) -> Question:
        fields = parse(RecallInput, request.data)
        return Question(fields, embed_query(tenant=self.caller.tenant_id, text=fields["query"]))

    def post(self, request: Request, prepared: Question, user: str) -> Response:
        person = self.get_person(user)
        found = recall(
            tenant=self.caller.tenant_id,
            profile=person,
            vector=prepared.vector,
            persona_id=self.caller.persona_id,
            **prepared.fields,
        )
        ids: list[UUID] = [memory.pk for memory in found.memories]
        record_read(
            tenant=self.caller.tenant_id,
            actor=self.actor,
            action="memory.recalled",
            profile_id=person.pk,
            memory_ids=ids,
        )
        return Response({"block": found.block, "memories": [memory_json(m) for m in found.memories]})


class ToolView(TenantView):
    """`users/{user}/tool/`: reading actions need `read`, the others `write`."""

    scopes = {"POST": "read"}

    def prepare(self, request: Request, **kwargs: Any) -> tuple[ToolCall, list[float] | None]:
        call = ToolCall(**parse(ToolInput, request.data))
        if call.action not in READING and "write" not in self.caller.scopes:
            raise Forbidden("This action needs a key with the scope write.")
        return call, self._vector(call)

    def _vector(self, call: ToolCall) -> list[float] | None:
        if call.action == "store":
            key = address_key(call.key, call.value)
            return embed_pair(tenant=self.caller.tenant_id, key=key, value=call.value)
        question = question_of(call)
        return embed_query(tenant=self.caller.tenant_id, text=question) if question.strip() else None

    def post(self, request: Request, prepared: tuple[ToolCall, list[float] | None], user: str) -> Response:
        call, vector = prepared
        person = self.get_person(user, create=call.action == "store")
        desk = Desk(self.caller.tenant_id, person, self.actor, self.caller.persona_id, vector)
        answer = run_tool(desk=desk, call=call)
        return Response({"ok": answer.ok, "text": answer.text, "data": answer.data})


def hit_json(hit: Hit, *, explain: bool = False) -> dict[str, Any]:
    """A result as API.md shows it: a memory names its address, a passage of a conversation its messages."""
    found: dict[str, Any] = {"source": hit.source}
    if hit.memory_id:
        found |= {"memory_id": str(hit.memory_id), "namespace": hit.namespace, "key": hit.key}
    if hit.session_id:
        found["session_id"] = str(hit.session_id)
    if hit.messages:
        found["messages"] = [{"id": str(ref.id), "external_id": ref.external_id} for ref in hit.messages]
    found |= {"text": hit.text, "start": hit.start, "end": hit.end, "score": hit.score}
    found |= {"vector_score": hit.vector_score, "text_score": hit.text_score}
    found["created_at"] = as_utc(hit.created_at)
    return {**found, "parts": hit.parts} if explain else found
