"""`extract/preview/`: what would be learned from messages of nobody's session; nothing is stored, nobody is made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypedDict
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from memories.api.answers import Quote
from memories.models import Memory, Todo, Version
from nebo.api.operations import Operation
from nebo.api.pausing import PausedFields, paused_json
from nebo.api.serializers import parse
from nebo.api.shapes import like, one_of
from nebo.api.views import TenantView
from nebo.tenants.models import Tenant, UserProfile
from nebo.tenants.providers import has_chat_model_of
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.services import ME
from search.embeddings.serving import get_models
from sessions.api.dry_run import (
    ChangeFields,
    DecidedFields,
    KeptOutFields,
    change_json,
    decided_json,
    kept_out_json,
)
from sessions.api.serializers import PreviewInput
from sessions.turns.append import NewMessage
from sessions.turns.dry_run import DryRun
from sessions.turns.preview import ReadAhead, preview, read_ahead

Gate = Literal["learn", "review", "change"]
WITH_MODEL = "Read by the rules alone. A chat model is configured and was not asked: it may find more."
BY_RULES = "Read by the rules, which are all that reads here."


class LearnedFields(ChangeFields):
    """What would be learned, and what the gate would do with it."""

    kind: Annotated[str, one_of(Memory.FactType)]
    gate: Annotated[
        str,
        one_of(
            ("learn", "review", "change"),
            about="It would be known at once, wait for a person's decision, or change or end what is known.",
        ),
    ]


class ToDoFields(TypedDict):
    """What would be left to do."""

    message: Annotated[int | None, like(0, "Which of the messages sent; the first is 0.")]
    kind: Annotated[str, one_of(Todo.Kind)]
    text: Annotated[str, like("Send Ana the invoice")]
    quote: Quote


class ReadByFields(TypedDict):
    """Who read the messages."""

    by: Annotated[str, like("rules")]
    model_configured: Annotated[bool, like(False, "A chat model would read them too, in a session.")]
    auto_extract: Annotated[bool, like(True, "Whether new sessions of this workspace are learned from.")]
    note: Annotated[str, like(BY_RULES)]


class PreviewFields(TypedDict):
    """What would be learned from some messages."""

    learned: list[LearnedFields]
    paused: Annotated[PausedFields | None, like(None, "Why nothing would be collected.")]
    todos: list[ToDoFields]
    kept_out: list[KeptOutFields]
    decisions: list[DecidedFields]
    asks_to_forget: Annotated[list[str], like([], "What would wait for a decision.")]
    unread: Annotated[
        list[int], like([], "Which messages of people were too much to read at once; the first is 0.")
    ]
    extraction: ReadByFields


@dataclass(frozen=True, slots=True)
class Prepared:
    """Whom the messages are about, if anybody is known by that name, and how they were understood."""

    user: str
    read: ReadAhead


class PreviewView(TenantView):
    """The messages are read and told as in a session of their own, and then taken back."""

    subject = "Sessions"
    scopes = {"POST": "write"}
    keeps_words = False
    operations = {
        "POST": Operation(
            "Try learning without storing anything", PreviewFields, body=PreviewInput, problems=(404, 409)
        )
    }

    def prepare(self, request: Request, **kwargs: Any) -> Prepared:
        get_models()  # kept for the transaction, which could not keep what it read itself
        given = parse(PreviewInput, request.data)
        user = given["user"] or (ME if self.caller.person_id else "")
        with tenant_scope(self.caller.tenant_id):
            person = self._find(user)
        read = read_ahead(
            tenant=self.caller.tenant_id,
            person_id=person.pk if person else None,
            persona_id=self.caller.persona_id,
            messages=[NewMessage(**message) for message in given["messages"]],
        )
        return Prepared(user, read)

    def post(self, request: Request, prepared: Prepared) -> Response:
        found = preview(
            tenant=self.tenant,
            person=self._find(prepared.user),
            persona_id=self.caller.persona_id,
            read=prepared.read,
            actor=self.actor,
        )
        return Response(preview_json(found, prepared.read, self.tenant))

    def _find(self, user: str) -> UserProfile | None:
        return self.find_person(user) if user else None


def preview_json(found: DryRun, read: ReadAhead, tenant: Tenant) -> PreviewFields:
    """As the API shows it; messages are counted as they were sent."""
    places: dict[UUID | None, int] = {
        message.pk: place for place, message in enumerate(found.turn.messages, start=read.first)
    }
    asks_model = has_chat_model_of(tenant)
    return {
        "learned": [_learned_json(found, change, read.first) for change in found.changes],
        "paused": paused_json(found.turn.pause),
        "kept_out": kept_out_json(found, read.first),
        "todos": [_todo_json(todo, places.get(todo.message_id)) for todo in found.todos],
        "decisions": [decided_json(decision) for decision in found.turn.decisions],
        "asks_to_forget": [request.what for request in found.turn.forget_requests],
        "unread": read.unread,
        "extraction": {
            "by": "rules",
            "model_configured": asks_model,
            "auto_extract": tenant.auto_extract,
            "note": WITH_MODEL if asks_model else BY_RULES,
        },
    }


def _learned_json(found: DryRun, change: Version, first: int) -> LearnedFields:
    shown = change_json(found, change)
    for words in shown["words"]:
        words["message"] = None if words["message"] is None else words["message"] + first
    return {**shown, "kind": change.memory.fact_type, "gate": _gate_of(shown)}


def _gate_of(shown: ChangeFields) -> Gate:
    if shown["status"] == Memory.Status.QUARANTINED:
        return "review"
    return "learn" if shown["memory_id"] is None else "change"


def _todo_json(todo: Todo, place: int | None) -> ToDoFields:
    return {"message": place, "kind": todo.kind, "text": todo.text, "quote": todo.quote}
