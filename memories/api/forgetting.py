"""What somebody asked to have forgotten: what exactly it could mean, and the decision."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, TypedDict
from uuid import UUID

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memories.api.answers import MemoryFields, TodoFields, memory_json, todo_json
from memories.api.noting import note_memories
from memories.forgetting.passages import CandidatePassage, list_passages
from memories.forgetting.requests import (
    confirm_forgetting,
    get_request,
    keep_all,
    list_named,
    list_named_todos,
    list_requests,
)
from memories.models import ForgetRequest, Memory, Todo
from nebo.api.operations import Operation
from nebo.api.pagination import paginate
from nebo.api.serializers import StrictSerializer, parse, parse_query
from nebo.api.shapes import EXAMPLE_ID, Id, Moment, Page, like, one_of
from nebo.api.times import as_utc
from nebo.api.views import TenantView


class PassageFields(TypedDict):
    """Words that were said, where they stand, and the memory they may belong to."""

    id: Id
    session: Id
    message: Id
    text: Annotated[str, like("I moved to Lisbon in March")]
    memory: Id


class ForgetRequestFields(TypedDict):
    """What was asked to be forgotten: the memories, open todos and passages that it names."""

    id: Id
    user: Annotated[str, like("ana")]
    what: Annotated[str, like("forget where I live")]
    status: Annotated[str, one_of(ForgetRequest.Status)]
    memories: list[MemoryFields]
    todos: Annotated[list[TodoFields], like([])]
    passages: list[PassageFields]
    created_at: Moment
    decided_at: Annotated[Moment | None, like(None)]


class ForgetFilters(serializers.Serializer[Any]):
    status = serializers.ChoiceField(
        choices=ForgetRequest.Status.values, required=False, default=ForgetRequest.Status.OPEN
    )


def _ids(help_text: str) -> serializers.ListField:
    """Some of what a request names."""
    child = serializers.UUIDField()
    return serializers.ListField(
        child=child, required=False, min_length=1, max_length=100, help_text=help_text
    )


class ForgetInput(StrictSerializer):
    example = {"memories": [EXAMPLE_ID]}
    memories = _ids("Those to forget; all that the request names where none are named.")
    todos = _ids("Those to drop.")
    passages = _ids("Those to withhold.")


class ForgetView(TenantView):
    """A view of the requests of one person."""

    subject = "Forgetting"

    def get_one(self, user: str, request_id: UUID) -> ForgetRequest:
        """The request; the same NotFound for another person's."""
        person = self.get_person(user)
        return get_request(tenant=self.caller.tenant_id, person_id=person.pk, request_id=request_id)

    def as_json(self, requests: list[ForgetRequest]) -> list[ForgetRequestFields]:
        """Each with the memories it names, as far as this key may see them."""
        return requests_json(self.caller.tenant_id, requests, self.caller.persona_id)


class ForgetListView(ForgetView):
    """`users/{user}/forget-requests/`: the open ones unless `?status=` says otherwise, the newest first."""

    scopes = {"GET": "read"}
    operations = {"GET": Operation("List forget requests", Page[ForgetRequestFields], query=ForgetFilters)}

    def prepare(self, request: Request, **kwargs: Any) -> dict[str, Any]:
        return parse_query(ForgetFilters, request)

    def get(self, request: Request, prepared: dict[str, Any], user: str) -> Response:
        person = self.get_person(user)
        rows = list_requests(tenant=self.caller.tenant_id, person_id=person.pk, status=prepared["status"])
        answer = paginate(rows, request, ordering=("-created_at",), serialize=lambda row: row)
        results = self.as_json(answer.data["results"])
        note_memories(
            self,
            "memory.forget_listed",
            person.pk,
            [UUID(memory["id"]) for row in results for memory in row["memories"]],
        )
        return Response({**answer.data, "results": results})


class ForgetConfirmView(ForgetView):
    """`users/{user}/forget-requests/{id}/confirm/`: into the trash with the memories named, or with all of it."""

    scopes = {"POST": "write"}
    operations = {"POST": Operation("Forget what was asked", ForgetRequestFields, body=ForgetInput)}

    def prepare(self, request: Request, **kwargs: Any) -> dict[str, Any]:
        return parse(ForgetInput, request.data)

    def post(self, request: Request, prepared: dict[str, Any], user: str, request_id: UUID) -> Response:
        asked = self.get_one(user, request_id)
        forgotten = confirm_forgetting(
            tenant=self.caller.tenant_id,
            request=asked,
            actor=self.actor,
            memory_ids=prepared.get("memories"),
            todo_ids=prepared.get("todos"),
            passage_ids=prepared.get("passages"),
            persona_id=self.caller.persona_id,
        )
        return Response(forget_json(asked, forgotten))


class ForgetKeepView(ForgetView):
    """`users/{user}/forget-requests/{id}/keep/`: nothing of it is forgotten."""

    scopes = {"POST": "write"}
    operations = {"POST": Operation("Keep what was asked", ForgetRequestFields)}

    def post(self, request: Request, prepared: None, user: str, request_id: UUID) -> Response:
        asked = self.get_one(user, request_id)
        keep_all(tenant=self.caller.tenant_id, request=asked, actor=self.actor)
        return Response(self.as_json([asked])[0])


def requests_json(
    tenant_id: UUID, requests: list[ForgetRequest], persona_id: UUID | None
) -> list[ForgetRequestFields]:
    """Each with the memories and todos it names, as far as this persona may see them."""
    if not requests:
        return []
    memories = list_named(tenant=tenant_id, requests=requests, persona_id=persona_id)
    todos = list_named_todos(tenant=tenant_id, requests=requests, persona_id=persona_id)
    passages = list_passages(tenant=tenant_id, requests=requests, persona_id=persona_id)
    return [
        forget_json(request, memories[request.pk], todos[request.pk], passages[request.pk])
        for request in requests
    ]


def passage_json(passage: CandidatePassage) -> PassageFields:
    """Words that were said, where they stand, and the memory they may belong to."""
    message = passage.stretch.message
    return {
        "id": str(passage.pk),
        "session": str(message.session_id),
        "message": str(message.pk),
        "text": passage.text,
        "memory": str(passage.memory_id),
    }


def forget_json(
    request: ForgetRequest,
    memories: list[Memory],
    todos: Sequence[Todo] = (),
    passages: Sequence[CandidatePassage] = (),
) -> ForgetRequestFields:
    """A request as the API shows it: what was asked, and the memories, open todos and passages it names."""
    return {
        "id": str(request.pk),
        "user": request.person.external_id,
        "what": request.what,
        "status": request.status,
        "memories": [memory_json(memory) for memory in memories],
        "todos": [todo_json(todo) for todo in todos],
        "passages": [passage_json(passage) for passage in passages],
        "created_at": as_utc(request.created_at),
        "decided_at": as_utc(request.decided_at) if request.decided_at else None,
    }
