"""The page of open loops: what was promised, is meant to be kept up, was put off, or keeps bothering."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.db.models import Case, F, IntegerField, QuerySet, Value, When
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, resolve_url
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from memories.models import Todo
from memories.pages.todo_form import NewTodoForm, TodoForm
from memories.selectors import get_seen_todo, list_todos
from memories.todos.store import store_todo, update_todo
from nebo.errors import InvalidInput
from nebo.tenants.pages import PageRequest, TenantPage, get_page, is_refetch, way_back

PAGE_SIZE = 50  # todos
STATUSES = (*Todo.Status.values, "all")


@dataclass(frozen=True, slots=True)
class TodoFilters:
    """What one looks for; without a status what is open."""

    kind: str = ""
    status: str = ""

    @property
    def any(self) -> bool:
        """Whether anything is left out by choice."""
        return bool(self.kind or self.status)


def read_filters(given: dict[str, str]) -> TodoFilters:
    """Filters from an address; what makes no sense there is left out."""
    kind, status = given.get("kind", ""), given.get("status", "")
    return TodoFilters(
        kind=kind if kind in Todo.Kind.values else "",
        status=status if status in STATUSES and status != Todo.Status.OPEN else "",
    )


def in_order(rows: QuerySet[Todo]) -> QuerySet[Todo]:
    """By kind, then what is due first, then the newest."""
    places = [When(kind=kind, then=Value(place)) for place, kind in enumerate(Todo.Kind.values)]
    rows = rows.annotate(place=Case(*places, output_field=IntegerField()))
    return rows.order_by("place", F("due_at").asc(nulls_last=True), "-created_at", "-id")


class TodoListPage(TenantPage):
    """The list, and the part of it that is fetched again by the filters."""

    def get(self, request: PageRequest) -> HttpResponse:
        filters = read_filters(request.GET.dict())
        rows = list_todos(
            tenant=self.access.tenant, person_id=self.person.pk, status=filters.status, kind=filters.kind
        )
        template = "todos/_results.html" if is_refetch(request, "results") else "todos/list.html"
        shown = {"page": get_page(in_order(rows), request, size=PAGE_SIZE), "filters": filters}
        return TemplateResponse(request, template, shown)


class TodoAddPage(TenantPage):
    """Something open, noted by hand."""

    def get(self, request: PageRequest) -> HttpResponse:
        return TemplateResponse(request, "todos/add.html", {"form": NewTodoForm(label_suffix="")})

    def post(self, request: PageRequest) -> HttpResponseBase:
        form = NewTodoForm(request.POST, label_suffix="")
        began = timezone.now()
        todo = self.store(form) if form.is_valid() else None
        if todo is None:
            return TemplateResponse(request, "todos/add.html", {"form": form}, status=422)
        told = _("Noted.") if todo.created_at >= began else _("This was noted already.")
        messages.success(request, told)
        return redirect("todos:list", self.access.place)

    def store(self, form: NewTodoForm) -> Todo | None:
        """None where it can't be kept; the form says why."""
        todo = store_todo(
            tenant=self.access.tenant, person=self.person, new=form.new, actor=self.access.actor
        )
        if todo is None:
            form.add_error("text", _("A secret or an order to an agent is not kept."))
        return todo


class TodoPage(TenantPage):
    """A page of one todo, which must be within the login's view."""

    def get_todo(self, todo_id: UUID) -> Todo:
        """The todo; NotFound for any other."""
        return get_seen_todo(tenant=self.access.tenant, person_ids=[self.person.pk], todo_id=todo_id)

    def row(self, request: PageRequest, todo: Todo) -> HttpResponse:
        """The todo as it now stands in the list, with what there is to say."""
        return TemplateResponse(request, "todos/_row.html", {"todo": todo, "toasts": True})

    def back(self, request: PageRequest) -> HttpResponseBase:
        """To the list it was on."""
        return redirect(way_back(request, default=resolve_url("todos:list", self.access.place)))


class TodoEditPage(TodoPage):
    """Wording, kind and day, in its row or on a page of its own."""

    def get(self, request: PageRequest, todo_id: UUID) -> HttpResponse:
        todo = self.get_todo(todo_id)
        if request.GET.get("view") == "row-back" and is_refetch(request):
            return self.row(request, todo)
        return self.form(request, todo, TodoForm(todo=todo))

    def post(self, request: PageRequest, todo_id: UUID) -> HttpResponseBase:
        todo = self.get_todo(todo_id)
        form = TodoForm(request.POST, todo=todo)
        if not (form.is_valid() and self.save(form)):
            return self.form(request, todo, form, status=422)
        messages.success(request, _("Saved."))
        if is_refetch(request):
            return self.row(request, self.get_todo(todo_id))
        return redirect(resolve_url("todos:list", self.access.place))

    def save(self, form: TodoForm) -> bool:
        """Whether it could be kept; the form says why not."""
        try:
            with transaction.atomic():
                update_todo(
                    tenant=self.access.tenant, todo=form.todo, changes=form.changes, actor=self.access.actor
                )
        except InvalidInput as error:
            form.add_error(error.field if error.field in form.fields else None, error.detail)
        return form.is_valid()

    def form(self, request: PageRequest, todo: Todo, form: TodoForm, *, status: int = 200) -> HttpResponse:
        """The form as a row or as a page."""
        template = "todos/_edit_row.html" if is_refetch(request) else "todos/edit.html"
        return TemplateResponse(request, template, {"todo": todo, "form": form}, status=status)


class TodoActionPage(TodoPage):
    """A button: closes a todo or opens it again, then shows its row."""

    http_method_names = ["post"]
    status = ""

    def post(self, request: PageRequest, todo_id: UUID) -> HttpResponseBase:
        todo = self.get_todo(todo_id)
        if todo.effective_status != self.status:
            changes = {"status": self.status}
            update_todo(tenant=self.access.tenant, todo=todo, changes=changes, actor=self.access.actor)
        if is_refetch(request):
            return self.row(request, self.get_todo(todo_id))
        return self.back(request)


class DonePage(TodoActionPage):
    status = Todo.Status.DONE


class DismissPage(TodoActionPage):
    status = Todo.Status.DROPPED


class ReopenPage(TodoActionPage):
    status = Todo.Status.OPEN
