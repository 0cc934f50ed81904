"""Finding what is remembered: search, recall and the agent's tool. Questions are embedded before the transaction."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any, TypedDict
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from memories.agent_tool.actions import question_of, run_tool
from memories.agent_tool.request import ToolAnswer, ToolCall, ToolContext
from memories.api.answers import MemoryFields, memory_json
from memories.api.looking_ahead import look_ahead, weigh_own
from memories.api.noting import note_memories
from memories.api.permissions import check_global
from memories.api.serializers import RecallInput, SearchInput, ToolInput
from memories.api.speaking import get_speaker
from memories.api.team import recall_team
from memories.new_memory import address_key
from memories.normalize import effective_namespace
from memories.recall import Plan, RecallQuery, Vectors, plan_recall, recall
from memories.screening.orders import read_ahead
from memories.selectors import get_session_id
from memories.storing.comparing import NOT_COMPARED, Comparison
from memories.storing.usage import note_tool_use
from memories.storing.vectors import embed_pair, embed_question
from memories.team.recalling import NOTHING_SHARED, SharedFields, TeamMemory, format_team, shared_json
from nebo.api.operations import Operation
from nebo.api.serializers import parse
from nebo.api.shapes import Id, Moment, like, one_of
from nebo.api.times import as_utc
from nebo.api.views import TenantView
from nebo.errors import Forbidden
from nebo.postgres.prepared import plans_held
from nebo.tenants.reading import read_in_scope
from search.answer_versions import Versions
from search.answers.cache import search_cached
from search.answers.search import SOURCES, Hit, SearchQuery
from search.answers.waiting import NOTHING_WAITS, CompletenessFields, completeness, find_waiting

SWITCHED_OFF = "User memory is switched off in this workspace: nothing can be looked up."
MAKING = ("store", "todo")  # actions of the tool that make somebody who is new
READING = ("recall", "search", "list", "todos")  # actions of the tool that need no scope but read


class MessageRefFields(TypedDict):
    """A message by its id and by its sender's."""

    id: Id
    external_id: Annotated[str | None, like("msg-17")]


class HitPlaceFields(TypedDict, total=False):
    """The address of a memory, the session and messages of a passage; with `explain` what its score is made of."""

    memory_id: Id
    namespace: Annotated[str, like("tacit/user")]
    key: Annotated[str, like("location")]
    session_id: Id
    messages: list[MessageRefFields]
    parts: dict[str, dict[str, float]]


class HitFields(HitPlaceFields):
    """A result: a memory, or a passage of a conversation."""

    source: Annotated[str, one_of(SOURCES)]
    text: Annotated[str, like("Lives in Lisbon.")]
    start: Annotated[int, like(0, "Where the text stands in its value or message, in characters.")]
    end: Annotated[int, like(16)]
    score: Annotated[float, like(0.91, "0 to 1, within this answer.")]
    vector_score: Annotated[float | None, like(0.62, "A cosine.")]
    text_score: Annotated[float | None, like(3.4, "BM25.")]
    created_at: Moment


class SearchFields(CompletenessFields, SharedFields):
    """What was found, best first."""

    results: list[HitFields]
    took_ms: Annotated[float, like(12.4)]


class RecallFields(CompletenessFields, SharedFields):
    """What a prompt takes as it is, and the memories in it."""

    block: Annotated[str, like("## User Memory\n- Lives in Lisbon.", "Empty where nothing is near enough.")]
    memories: list[MemoryFields]


class ToolFields(TypedDict):
    """What the model reads, and the same as data."""

    ok: Annotated[bool, like(True)]
    text: Annotated[str, like("Stored: location (namespace: tacit/user)")]
    data: Annotated[
        dict[str, Any], like({"key": "location", "value": "Lives in Lisbon."}, "What its action gives.")
    ]


NOTHING: SearchFields = {
    "results": [],
    "took_ms": 0.0,
    **NOTHING_SHARED,
    **completeness(NOTHING_WAITS, by_words=False),
}


@dataclass(frozen=True, slots=True)
class Question:
    """A search as it was asked for, and the vector of its text."""

    fields: dict[str, Any]
    vector: list[float] | None


class SearchView(TenantView):
    """`users/{user}/search/`: an answer kept from a moment ago is given again (`Nebo-Retrieval: kept`)."""

    subject = "Search"
    scopes = {"POST": "read"}
    reads = ("POST",)
    operations = {"POST": Operation("Search", SearchFields, body=SearchInput)}

    def prepare(self, request: Request, **kwargs: Any) -> Question:
        fields = parse(SearchInput, request.data)
        return Question(fields, embed_question(tenant=self.caller.tenant_id, text=fields["query"]))

    def post(self, request: Request, prepared: Question, user: str) -> Response:
        with plans_held():
            return self._answered(prepared, user)

    def _answered(self, prepared: Question, user: str) -> Response:
        tenant_id = self.caller.tenant_id
        version = self.get_person_version(user)
        query = self._query(version.person_id, prepared.fields)
        versions = Versions(version.version, version.everyone_version)
        if not version.remembers:
            return Response(NOTHING, headers=retrieval_header(kept=False))
        found = search_cached(tenant=tenant_id, query=query, versions=versions, vector=prepared.vector)
        note_memories(
            self,
            "memory.searched",
            query.person_id,
            [hit.memory_id for hit in found.answer.results if hit.memory_id],
        )
        results = [hit_json(hit, explain=query.explain) for hit in found.answer.results]
        body: SearchFields = {
            "results": results,
            "took_ms": round(found.answer.took_ms, 2),
            **(self._shared(query, prepared) if version.shares else NOTHING_SHARED),
            **completeness(
                find_waiting(tenant=tenant_id, person_id=query.person_id),
                by_words=prepared.vector is None and not found.kept,
            ),
        }
        return Response(body, headers=retrieval_header(kept=found.kept))

    def _shared(self, query: SearchQuery, asked: Question) -> SharedFields:
        if query.is_of_own:
            return NOTHING_SHARED
        return shared_json(recall_team(self, query.person_id, query.text, asked.vector))

    def _query(self, person_id: UUID, fields: dict[str, Any]) -> SearchQuery:
        """Names of personas and sessions become ids that exist and that the key may use."""
        session_id = session_named(self, person_id, fields)
        return SearchQuery(
            text=fields["query"],
            person_id=person_id,
            limit=fields["limit"],
            sources=tuple(fields["sources"]),
            namespace=effective_namespace(fields["layer"], fields["namespace"]),
            types=tuple(fields["types"]),
            persona_id=get_speaker(self, fields["persona"], session_id).persona_id,
            session_id=session_id,
            min_score=fields["min_score"],
            explain=fields["explain"],
            ranking=fields["ranking"],
        )


class RecallView(TenantView):
    """`users/{user}/recall/`: the block a prompt takes as it is."""

    subject = "Search"
    scopes = {"POST": "read"}
    reads = ("POST",)
    operations = {"POST": Operation("Recall for a prompt", RecallFields, body=RecallInput)}

    def prepare(self, request: Request, **kwargs: Any) -> tuple[Plan | None, Vectors]:
        """No vector is made for a person with nothing to recall."""
        fields = parse(RecallInput, request.data)
        plan = read_in_scope(self.caller.tenant_id, partial(self._plan, kwargs["user"], fields))
        texts = [search.text for search in plan.searches] if plan else []
        if plan and plan.is_on and self.tenant.shares:
            texts.append(plan.query.text)
        return plan, {
            text: embed_question(tenant=self.caller.tenant_id, text=text) for text in dict.fromkeys(texts)
        }

    def _plan(self, user: str, fields: dict[str, Any]) -> Plan | None:
        person = self.find_person(user)
        if person is None:
            return None
        session_id = session_named(self, person.pk, fields)
        query = RecallQuery(
            text=fields["query"],
            limit=fields["limit"],
            min_similarity=fields["min_similarity"],
            persona_id=get_speaker(self, fields["persona"], session_id).persona_id,
            session_id=session_id,
        )
        return plan_recall(tenant=self.tenant, person=person, query=query)

    def post(self, request: Request, prepared: tuple[Plan | None, Vectors], user: str) -> Response:
        plan, vectors = prepared
        if plan is None:  # of somebody who never said anything, nothing is known; reading makes nobody
            nothing: RecallFields = {
                "block": "",
                "memories": [],
                **NOTHING_SHARED,
                **completeness(NOTHING_WAITS, by_words=False),
            }
            return Response(nothing, headers=retrieval_header(kept=False))
        found = recall(tenant=self.caller.tenant_id, plan=plan, vectors=vectors)
        note_memories(self, "memory.recalled", plan.person_id, [memory.pk for memory in found.memories])
        team = self._find_team(plan, vectors)
        body: RecallFields = {
            "block": "\n\n".join(filter(None, (found.block, format_team(team)))),
            "memories": [memory_json(m) for m in found.memories],
            **(shared_json(team) if self.tenant.shares else NOTHING_SHARED),
            **completeness(
                find_waiting(tenant=self.caller.tenant_id, person_id=plan.person_id),
                by_words=not found.kept and None in vectors.values(),
            ),
        }
        return Response(body, headers=retrieval_header(kept=found.kept))

    def _find_team(self, plan: Plan, vectors: Vectors) -> list[TeamMemory]:
        text = plan.query.text
        return recall_team(self, plan.person_id, text, vectors.get(text)) if plan.is_on else []


def _stored_fields(call: ToolCall) -> dict[str, Any]:
    """What a call would store, as a body has it."""
    given = {"value": call.value, "key": call.key, "layer": call.layer, "namespace": call.namespace}
    return {name: text for name, text in {**given, "scope": call.scope}.items() if text}


@dataclass(frozen=True, slots=True)
class ToolRequest:
    """A call, checked, the vector of what it asks or stores, and what that is to known memories."""

    call: ToolCall
    session_id: UUID | None = None
    persona: str | None = None
    vector: list[float] | None = None
    compared: Comparison = NOT_COMPARED


class ToolView(TenantView):
    """`users/{user}/tool/`: reading actions need `read`, the others `write`, and what is everyone's `admin`."""

    subject = "Search"
    scopes = {"POST": "read"}
    operations = {"POST": Operation("Call the memory tool", ToolFields, body=ToolInput)}

    def prepare(self, request: Request, **kwargs: Any) -> ToolRequest:
        fields = parse(ToolInput, request.data)
        session, persona = fields.pop("session"), fields.pop("persona")
        call = ToolCall(**fields)
        if call.action not in READING:
            self._check_write(call)
        if call.action == "store":
            person, pause = look_ahead(self, kwargs["user"], session)
            if pause is not None:
                return ToolRequest(call, session, persona)
            read_ahead(self.caller.trust, call.value)
            key = address_key(call.key, call.value)
            vector = embed_pair(tenant=self.caller.tenant_id, key=key, value=call.value)
            compared = weigh_own(self, person, _stored_fields(call))
            return ToolRequest(call, session, persona, vector, compared)
        vector = embed_question(tenant=self.caller.tenant_id, text=question_of(call))
        return ToolRequest(call, session, persona, vector)

    def _check_write(self, call: ToolCall) -> None:
        if "write" not in self.caller.scopes:
            raise Forbidden("This action needs a key with the scope write.")
        check_global(self, call.scope)

    def post(self, request: Request, prepared: ToolRequest, user: str) -> Response:
        person = self.get_person(user, create=prepared.call.action in MAKING)
        session_id = session_named(self, person.pk, {"session": prepared.session_id})
        speaker = get_speaker(self, prepared.persona, session_id)
        if session_id is not None:
            note_tool_use(tenant=self.caller.tenant_id, session_id=session_id)
        context = ToolContext(
            tenant=self.caller.tenant_id,
            person=person,
            actor=self.actor,
            persona_id=speaker.persona_id,
            audience_id=speaker.audience_id,
            session_id=session_id,
            vector=prepared.vector,
            compared=prepared.compared,
            floor=self.tenant.relevance_floor if prepared.call.action in READING else None,
        )
        if prepared.call.action in READING and not self.tenant.user_memory:
            return Response(tool_json(ToolAnswer(False, SWITCHED_OFF)))
        answer = run_tool(context=context, call=prepared.call)
        if prepared.call.action == "search" and answer.ok and self.tenant.shares:
            answer = self._with_team(answer, person.pk, prepared)
        return Response(tool_json(answer))

    def _with_team(self, answer: ToolAnswer, person_id: UUID, asked: ToolRequest) -> ToolAnswer:
        team = recall_team(self, person_id, question_of(asked.call), asked.vector)
        text = "\n\n".join(filter(None, (answer.text, format_team(team))))
        return replace(answer, text=text, data={**answer.data, **shared_json(team)})


def session_named(view: TenantView, person_id: UUID, fields: dict[str, Any]) -> UUID | None:
    """The session a body names, which must be the person's own; raises NotFound."""
    session: UUID | None = fields["session"]
    if session:
        get_session_id(tenant=view.caller.tenant_id, person_id=person_id, session_id=session)
    return session


def retrieval_header(*, kept: bool) -> dict[str, str]:
    """Whether an answer was worked out now or kept from the last seconds."""
    return {"Nebo-Retrieval": "kept" if kept else "new"}


def tool_json(answer: ToolAnswer) -> ToolFields:
    """An answer of the tool."""
    return {"ok": answer.ok, "text": answer.text, "data": answer.data}


def hit_json(hit: Hit, *, explain: bool = False) -> HitFields:
    """A result: a memory names its address, a passage of a conversation its messages."""
    found: HitFields = {
        "source": hit.source,
        **_place_json(hit),
        "text": hit.text,
        "start": hit.start,
        "end": hit.end,
        "score": hit.score,
        "vector_score": hit.vector_score,
        "text_score": hit.text_score,
        "created_at": as_utc(hit.created_at),
    }
    if explain:
        found["parts"] = hit.parts
    return found


def _place_json(hit: Hit) -> HitPlaceFields:
    place: HitPlaceFields = {}
    if hit.memory_id:
        place.update({"memory_id": str(hit.memory_id), "namespace": hit.namespace, "key": hit.key})
    if hit.session_id:
        place["session_id"] = str(hit.session_id)
    if hit.messages:
        place["messages"] = [{"id": str(ref.id), "external_id": ref.external_id} for ref in hit.messages]
    return place
