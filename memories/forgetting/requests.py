"""Forgetting what somebody asks to have forgotten: at once where it is unmistakable, else exactly what they confirm."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from memories.audit.log import record_audit
from memories.forgetting.passages import (
    CandidatePassage,
    list_passages,
    passages_of,
    show_passages_again,
    withhold_passages,
)
from memories.models import WHAT_CHARS, ForgetRequest, Memory, Todo, Withheld
from memories.screening.sanitize import cut_value
from memories.screening.sensitive import redact
from memories.selectors import with_persona
from memories.storing.audited_writes import lock_person
from memories.storing.edit import delete_memory
from memories.todos.store import NewTodo, expiry_of, store_todo, update_todo
from memories.withholding.withholding import MessageSpan, SpokenRequest
from nebo.errors import Conflict, InvalidInput, NotFound
from nebo.reading.times.day_spans import format_day
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant, UserProfile

FORGET_CANDIDATES = 100  # memories one request may name
TODO_CHARS = 80  # of a todo that is asked about
FORGOTTEN_TEXT = "Something was forgotten, as was asked."
NOUNS = {"memories": "memory", "todos": "open todo", "passages": "passage"}
R = TypeVar("R", Memory, Todo, CandidatePassage)


@dataclass(frozen=True, slots=True)
class ForgetIntent:
    """What somebody asks to have forgotten, in which message, and the memories that it can mean.

    `is_clear` says that it means these and no others. `persona_id` is the one the session names.
    """

    what: str
    memory_ids: Collection[UUID]
    todos: Sequence[Todo] = ()
    is_clear: bool = False
    quote: str = ""
    message_id: UUID | None = None
    session_id: UUID | None = None
    persona_id: UUID | None = None
    stated_at: datetime | None = None


def forget(
    *, tenant: Tenant | UUID, person: UserProfile, asked: ForgetIntent, actor: Actor
) -> list[Memory] | ForgetRequest:
    """What was clearly meant, in the trash now; or a request that names all that could be meant.

    What somebody pinned or confirmed goes only when they decide so. An empty list where nothing live is meant.
    """
    lock_person(tenant=tenant, person=person)
    meant = _list_meant(tenant, person, asked)
    if asked.is_clear and meant and not any(memory.pinned or memory.confirmed_at for memory in meant):
        request = SpokenRequest(asked.message_id, asked.quote)
        for memory in meant:
            delete_memory(tenant=tenant, memory=memory, actor=actor, request=request)
        return meant
    return _request(tenant, person, asked, meant, actor) if meant or asked.todos else []


def _list_meant(tenant: Tenant | UUID, person: UserProfile, asked: ForgetIntent) -> list[Memory]:
    """Those of them that are live, the newest first."""
    rows = Memory.objects.for_tenant(tenant).filter(
        pk__in=list(asked.memory_ids)[:FORGET_CANDIDATES], person=person, status=Memory.Status.ACTIVE
    )
    return list(rows.select_related("person", "persona").order_by("-created_at"))


def list_requests(*, tenant: Tenant | UUID, person_id: UUID, status: str = "open") -> QuerySet[ForgetRequest]:
    """A person's requests in a state, the newest first."""
    rows = ForgetRequest.objects.for_tenant(tenant).filter(person_id=person_id, status=status)
    return rows.select_related("person").order_by("-created_at")


def get_request(*, tenant: Tenant | UUID, person_id: UUID, request_id: UUID) -> ForgetRequest:
    """One request of a person; raises NotFound."""
    rows = ForgetRequest.objects.for_tenant(tenant).filter(person_id=person_id, pk=request_id)
    found = rows.select_related("person").first()
    if found is None:
        raise NotFound
    return found


def list_named(
    *, tenant: Tenant | UUID, requests: Collection[ForgetRequest], persona_id: UUID | None = None
) -> dict[UUID, list[Memory]]:
    """The memories each request names that are still live, as a persona may see them; one query."""
    ids = {memory_id for request in requests for memory_id in request.memory_ids}
    rows = Memory.objects.for_tenant(tenant).filter(pk__in=ids, status=Memory.Status.ACTIVE)
    if persona_id is not None:
        rows = rows.filter(Q(persona_id=None) | Q(persona_id=persona_id))
    live = rows.select_related("person", "persona").in_bulk() if ids else {}
    return {
        request.pk: [live[memory_id] for memory_id in request.memory_ids if memory_id in live]
        for request in requests
    }


def list_named_todos(
    *, tenant: Tenant | UUID, requests: Collection[ForgetRequest], persona_id: UUID | None = None
) -> dict[UUID, list[Todo]]:
    """The todos each request names that are still open, as a persona may see them; one query."""
    ids = {todo_id for request in requests for todo_id in request.todo_ids}
    rows = Todo.objects.for_tenant(tenant).filter(pk__in=ids, status=Todo.Status.OPEN)
    if persona_id is not None:
        rows = rows.filter(with_persona("persona_id", tenant, persona_id))
    found = rows.select_related("person", "persona", "message", "closed_message").in_bulk() if ids else {}
    return {
        request.pk: [found[todo_id] for todo_id in request.todo_ids if todo_id in found]
        for request in requests
    }


def confirm_forgetting(
    *,
    tenant: Tenant | UUID,
    request: ForgetRequest,
    actor: Actor,
    memory_ids: Collection[UUID] | None = None,
    todo_ids: Collection[UUID] | None = None,
    passage_ids: Collection[UUID] | None = None,
    persona_id: UUID | None = None,
) -> list[Memory]:
    """Into the trash with those of the request's memories, drop those of its todos and withhold those of its passages
    that are named, or all of it where none are; returns the memories.

    Raises InvalidInput for one the request does not name, and Conflict when it was decided already.
    """
    held = _hold(tenant, request)
    named = list_named(tenant=tenant, requests=[held], persona_id=persona_id)[held.pk]
    todos = list_named_todos(tenant=tenant, requests=[held], persona_id=persona_id)[held.pk]
    passages = list_passages(tenant=tenant, requests=[held], persona_id=persona_id)[held.pk]
    if any(ids is not None for ids in (memory_ids, todo_ids, passage_ids)):
        named = _chosen(named, memory_ids or (), "memories")
        todos = _chosen(todos, todo_ids or (), "todos")
        passages = _chosen(passages, passage_ids or (), "passages")
    chosen = named
    withhold_passages(tenant=tenant, passages=passages)
    for todo in todos:
        update_todo(tenant=tenant, todo=todo, changes={"status": Todo.Status.DROPPED}, actor=actor)
    spoken = SpokenRequest(held.message_id, held.todo.quote if held.todo else held.what)
    for memory in chosen:
        delete_memory(tenant=tenant, memory=memory, actor=actor, request=spoken)
    held.forgotten_ids = [memory.pk for memory in chosen]
    _decide(tenant, held, ForgetRequest.Status.FORGOTTEN, actor)
    return chosen


def _chosen(named: list[R], ids: Collection[UUID], field: str) -> list[R]:
    chosen = [one for one in named if one.pk in ids]
    if len(chosen) < len(set(ids)):
        raise InvalidInput(f"The request names no such {NOUNS[field]}.", field=field)
    return chosen


def keep_all(*, tenant: Tenant | UUID, request: ForgetRequest, actor: Actor) -> None:
    """Nothing of it is forgotten. Raises Conflict when it was decided already."""
    _decide(tenant, _hold(tenant, request), ForgetRequest.Status.KEPT, actor)


def _hold(tenant: Tenant | UUID, request: ForgetRequest) -> ForgetRequest:
    lock_person(tenant=tenant, person=request.person)
    request.refresh_from_db()
    if request.status != ForgetRequest.Status.OPEN:
        raise Conflict(_("This request was decided already."))
    return request


def _decide(tenant: Tenant | UUID, request: ForgetRequest, status: str, actor: Actor) -> None:
    """Note it, and close the open thread that reminded of it."""
    request.status, request.decided_at, request.decided_by = status, timezone.now(), str(actor)[:120]
    request.save(update_fields=["status", "forgotten_ids", "decided_at", "decided_by"])
    if request.todo is not None and request.todo.status == Todo.Status.OPEN:
        changes: dict[str, str] = {"status": Todo.Status.DONE}
        if status == ForgetRequest.Status.FORGOTTEN:  # it names what was to be forgotten
            changes["text"] = FORGOTTEN_TEXT
        update_todo(tenant=tenant, todo=request.todo, changes=changes, actor=actor)
    _audit(tenant, request, f"forget.{status}", request.forgotten_ids, actor)


def _request(
    tenant: Tenant | UUID,
    person: UserProfile,
    asked: ForgetIntent,
    meant: list[Memory],
    actor: Actor,
    passages: Sequence[dict[str, Any]] = (),
) -> ForgetRequest:
    """Kept once a message, with an open thread, so that the agent asks which are meant."""
    what = cut_value(redact(asked.what), WHAT_CHARS)
    if asked.message_id is not None and not passages:
        known = ForgetRequest.objects.for_tenant(tenant).filter(person=person, message_id=asked.message_id)
        if same := known.filter(what=what).first():
            return same
    new = NewTodo(
        text=_reminder(what, meant, asked.todos, passages, asked.stated_at),
        kind=Todo.Kind.THREAD,
        quote=asked.quote,
        message_id=asked.message_id,
        session_id=asked.session_id,
        persona_id=asked.persona_id,
        expires_at=expiry_of(Todo.Kind.THREAD, stated_at=asked.stated_at, due_at=None),
    )
    request: ForgetRequest = ForgetRequest.objects.for_tenant(tenant).create(
        person=person,
        session_id=asked.session_id,
        message_id=asked.message_id,
        todo=store_todo(tenant=tenant, person=person, new=new, actor=actor),
        what=what,
        memory_ids=[memory.pk for memory in meant],
        todo_ids=[todo.pk for todo in asked.todos],
        passages=list(passages),
    )
    _audit(tenant, request, "memory.forget_proposed", request.memory_ids, actor)
    return request


def _reminder(
    what: str,
    memories: Sequence[Memory],
    todos: Sequence[Todo],
    passages: Sequence[dict[str, Any]],
    stated_at: datetime | None,
) -> str:
    """What the agent is to ask."""
    if passages:
        return (
            f"Something was forgotten as they asked{_on(stated_at)}. {_things(passages)} may belong to it: "
            "tell them that they can decide on their page, in the inbox."
        )
    return f"Asked: “{what}” This could mean {_count(memories, todos)}. {_question(memories, todos)}"


def open_again(
    *, tenant: Tenant | UUID, request_id: UUID, passage_ids: Collection[str], actor: Actor
) -> ForgetRequest:
    """Nobody has decided about a request after all. Its memories and todos are the caller's to bring back; passages
    that were withheld for it are shown again.
    """
    rows = ForgetRequest.objects.for_tenant(tenant).select_related("person", "todo__person", "message")
    request: ForgetRequest = rows.get(pk=request_id)
    show_passages_again(tenant=tenant, request=request, ids=passage_ids)
    request.status, request.decided_at, request.decided_by = ForgetRequest.Status.OPEN, None, ""
    request.forgotten_ids = []
    request.save(update_fields=["status", "forgotten_ids", "decided_at", "decided_by"])
    if request.todo is not None and request.todo.text == FORGOTTEN_TEXT:
        named = list_named(tenant=tenant, requests=[request])[request.pk]
        todos = list_named_todos(tenant=tenant, requests=[request])[request.pk]
        stated_at = request.message.created_at if request.message else None
        text = _reminder(request.what, named, todos, request.passages, stated_at)
        update_todo(tenant=tenant, todo=request.todo, changes={"text": text}, actor=actor)
    _audit(tenant, request, "forget.reopened", request.memory_ids, actor)
    return request


def ask_about_passages(
    *, tenant: Tenant | UUID, memory: Memory, stretches: Sequence[MessageSpan], actor: Actor
) -> ForgetRequest | None:
    """Ask about what may be told of a forgotten memory too, once; None where nothing may, or nobody asked in words.
    The person's row is held.
    """
    rows = Withheld.objects.for_tenant(tenant).filter(memory=memory, found=Withheld.Found.REQUEST)
    spoken = rows.select_related("message", "session").order_by("created_at").first()
    known = ForgetRequest.objects.for_tenant(tenant).filter(
        person_id=memory.person_id, passages__contains=[{"memory": str(memory.pk)}]
    )
    if spoken is None or not stretches or known.exists():
        return None
    quote = spoken.message.content[spoken.start : spoken.end]
    asked = ForgetIntent(
        what=quote,
        memory_ids=(),
        quote=quote,
        message_id=spoken.message_id,
        session_id=spoken.session_id,
        persona_id=spoken.session.persona_id,
        stated_at=spoken.message.created_at,
    )
    return _request(tenant, memory.person, asked, [], actor, passages_of(memory, stretches))


def close_questions(*, tenant: Tenant | UUID, memory_id: str, actor: Actor) -> None:
    """What was asked about a memory that stands again needs no answer."""
    rows = ForgetRequest.objects.for_tenant(tenant).filter(
        passages__contains=[{"memory": memory_id}], status=ForgetRequest.Status.OPEN
    )
    for request in rows.select_related("person"):
        keep_all(tenant=tenant, request=request, actor=actor)


def _count(memories: Sequence[Memory], todos: Sequence[Todo]) -> str:
    """`2 memories and the open “Call the dentist”`."""
    count = "1 memory" if len(memories) == 1 else f"{len(memories)} memories"
    opened = [f"the open “{cut_value(todo.text, TODO_CHARS)}”" for todo in todos]
    return " and ".join([*([count] if memories else []), *opened])


def _question(memories: Sequence[Memory], todos: Sequence[Todo]) -> str:
    """What to ask: of one thing there is no which."""
    return "Ask which." if len(memories) + len(todos) > 1 else "Ask whether it is to be forgotten."


def _on(stated_at: datetime | None) -> str:
    return f" on {format_day(stated_at.date())}" if stated_at else ""


def _things(passages: Sequence[dict[str, Any]]) -> str:
    return (
        "One thing more that was said"
        if len(passages) == 1
        else f"{len(passages)} things more that were said"
    )


def _audit(
    tenant: Tenant | UUID, request: ForgetRequest, action: str, memory_ids: list[UUID], actor: Actor
) -> None:
    record_audit(
        tenant=tenant,
        actor=actor,
        action=action,
        object_type="forget_request",
        object_id=request.pk,
        person_id=request.person_id,
        detail={"message": str(request.message_id or ""), "memories": [str(id) for id in memory_ids]},
    )
