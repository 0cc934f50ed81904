"""What belongs to a person beside memories: profile and todos."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from memories.api.answers import ProfileFields, TodoFields, person_json, todo_json
from memories.api.noting import note_read
from memories.api.serializers import NewTodoInput, PersonInput, TodoFilters, TodoInput
from memories.api.speaking import find_reader_id
from memories.models import Todo
from memories.people.person_fields import update_person
from memories.selectors import DEFAULT_SLUG, get_persona_id, get_todo, list_todos
from memories.todos.store import NewTodo, check_todo, expiry_of, store_todo, update_todo
from nebo.api.etags import check_if_match, etag
from nebo.api.operations import Operation
from nebo.api.pagination import paginate
from nebo.api.serializers import parse, parse_changes, parse_query
from nebo.api.shapes import Page
from nebo.api.views import TenantView
from nebo.errors import InvalidInput
from nebo.tenants.pauses import check_collecting


class PersonDetailView(TenantView):
    """`users/{user}/`."""

    subject = "People"
    scopes = {"GET": "read", "PATCH": "write"}
    operations = {
        "GET": Operation("Read a person", ProfileFields),
        "PATCH": Operation("Change a person", ProfileFields, body=PersonInput, problems=(409,)),
    }

    def prepare(self, request: Request, **kwargs: Any) -> dict[str, Any]:
        return parse_changes(PersonInput, request)

    def get(self, request: Request, prepared: dict[str, Any], user: str) -> Response:
        person = self.get_person(user)
        note_read(self, "profile.read", "person", person.pk, shown=person.pk)
        return Response(person_json(person))

    def patch(self, request: Request, prepared: dict[str, Any], user: str) -> Response:
        person = self.get_person(user, create=True)
        updated = update_person(
            tenant=self.caller.tenant_id, person=person, changes=prepared, actor=self.actor
        )
        return Response(person_json(updated))


class TodoListView(TenantView):
    """`users/{user}/todos/`: the open ones unless `?status=` says otherwise; a new one."""

    subject = "Todos"
    scopes = {"GET": "read", "POST": "write"}
    operations = {
        "GET": Operation("List todos", Page[TodoFields], query=TodoFilters),
        "POST": Operation(
            "Add a todo", {201: TodoFields, 200: TodoFields}, body=NewTodoInput, problems=(409,)
        ),
    }

    def prepare(self, request: Request, **kwargs: Any) -> dict[str, Any]:
        if request.method == "POST":
            return parse(NewTodoInput, request.data)
        return parse_query(TodoFilters, request)

    def get(self, request: Request, prepared: dict[str, Any], user: str) -> Response:
        person = self.get_person(user)
        rows = list_todos(
            tenant=self.caller.tenant_id,
            person_id=person.pk,
            persona_id=find_reader_id(self, prepared.pop("persona")),
            **prepared,
        )
        answer = paginate(rows, request, ordering=("-created_at",), serialize=todo_json)
        note_read(self, "todo.listed", "todo", person.pk, shown=len(answer.data["results"]))
        return answer

    def post(self, request: Request, prepared: dict[str, Any], user: str) -> Response:
        person = self.get_person(user, create=True)
        check_collecting(tenant=person.tenant_id, person=person, actor=self.actor)
        check_todo(tenant=self.caller.tenant_id, person=person, text=prepared["text"])
        began = timezone.now()
        todo = store_todo(
            tenant=self.caller.tenant_id,
            person=person,
            new=NewTodo(
                text=prepared["text"],
                kind=prepared["kind"],
                persona_id=self._find_persona_id(prepared["persona"]),
                due_at=prepared["due_at"],
                expires_at=expiry_of(prepared["kind"], stated_at=began, due_at=prepared["due_at"]),
            ),
            actor=self.actor,
        )
        if todo is None:
            raise InvalidInput("A secret or an order is no todo.", field="text")
        is_new = todo.created_at >= began
        return Response(todo_json(todo), status=201 if is_new else 200, headers={"ETag": etag(todo.version)})

    def _find_persona_id(self, slug: str) -> UUID | None:
        """The persona it is for: the one named, else the key's own; none is the default one."""
        named = (
            None if slug in ("", DEFAULT_SLUG) else get_persona_id(tenant=self.caller.tenant_id, slug=slug)
        )
        if slug == DEFAULT_SLUG and self.caller.persona_id is not None:
            find_reader_id(self, slug)
        return self.bound_persona(named)


class TodoView(TenantView):
    """`users/{user}/todos/{id}/`."""

    subject = "Todos"
    scopes = {"GET": "read", "PATCH": "write"}
    operations = {
        "GET": Operation("Read a todo", TodoFields),
        "PATCH": Operation("Change a todo", TodoFields, body=TodoInput, problems=(409,), if_match=True),
    }

    def prepare(self, request: Request, **kwargs: Any) -> dict[str, Any]:
        return parse_changes(TodoInput, request)

    def get(self, request: Request, prepared: dict[str, Any], user: str, todo_id: UUID) -> Response:
        todo = self._get_todo(user, todo_id)
        note_read(self, "todo.read", "todo", todo.person_id, shown=todo.pk)
        return Response(todo_json(todo), headers={"ETag": etag(todo.version)})

    def patch(self, request: Request, prepared: dict[str, Any], user: str, todo_id: UUID) -> Response:
        todo = self._get_todo(user, todo_id)
        check_if_match(request, todo.version)
        if "text" in prepared:
            check_collecting(
                tenant=todo.tenant_id, person=todo.person, actor=self.actor, session_id=todo.session_id
            )
        updated = update_todo(tenant=self.caller.tenant_id, todo=todo, changes=prepared, actor=self.actor)
        return Response(todo_json(updated), headers={"ETag": etag(updated.version)})

    def _get_todo(self, user: str, todo_id: UUID) -> Todo:
        return get_todo(
            tenant=self.caller.tenant_id,
            person_id=self.get_person(user).pk,
            todo_id=todo_id,
            persona_id=self.caller.persona_id,
        )
