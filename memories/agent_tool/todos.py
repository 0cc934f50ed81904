"""What the memory tool does with todos: one more, one done, those that are open."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date
from typing import Any
from uuid import UUID

from django.utils import timezone

from memories.agent_tool.request import ToolAnswer, ToolCall, ToolContext, clip, needed
from memories.audit.log import record_audit
from memories.extraction.answer import end_of_day
from memories.models import Todo
from memories.selectors import list_open_todos
from memories.todos.store import NewTodo, check_todo, expiry_of, is_same_act, store_todo, update_todo
from nebo.reading.requests.todos import act_of
from nebo.reading.times.dates import find_due
from nebo.reading.words.naming import named_words, share_named
from nebo.tenants.ids import default_persona_id
from nebo.tenants.scoping import tenant_id_of

TODO_CHARS = 200  # characters of a line's text
LISTED = 50  # open todos


def add_todo(context: ToolContext, call: ToolCall) -> ToolAnswer:
    """Keep one; a day stands in `due_at` or among its words."""
    now = timezone.now()
    words = needed(call.value, "value")
    when = None if call.due_at else find_due(words, now.date())
    due_at = call.due_at or end_of_day(when.due if when else None)
    new = NewTodo(
        text=act_of(words, when),
        session_id=context.session_id,
        persona_id=_persona_id(context),
        due_at=due_at,
        expires_at=expiry_of(Todo.Kind.COMMITMENT, stated_at=now, due_at=due_at),
    )
    check_todo(tenant=context.tenant, person=context.person, text=new.text)
    todo = store_todo(tenant=context.tenant, person=context.person, new=new, actor=context.actor)
    if todo is None:
        return ToolAnswer(False, "Not kept: a secret or an order is no todo.")
    known = "Added" if todo.created_at >= now else "Already open"
    return ToolAnswer(True, f"{known}: {_describe(todo)}", _as_data(todo))


def finish_todo(context: ToolContext, call: ToolCall) -> ToolAnswer:
    """Close the one that is named by its id or its words; where two could be meant, neither."""
    named = needed(call.key or call.value or call.query, "value")
    found = _find_meant(named, _list_open(context))
    if not found:
        return ToolAnswer(False, f"No open todo is called “{clip(named, TODO_CHARS)}”.")
    if len(found) > 1:
        lines = "\n".join(map(_line, found))
        return ToolAnswer(False, f"More than one could be meant; name one by its id:\n{lines}")
    update_todo(
        tenant=context.tenant, todo=found[0], changes={"status": Todo.Status.DONE}, actor=context.actor
    )
    return ToolAnswer(True, f"Done: {clip(found[0].text, TODO_CHARS)}", _as_data(found[0]))


def report_todos(context: ToolContext, call: ToolCall) -> ToolAnswer:
    """What is open with this persona, what is due first."""
    todos = _list_open(context)[:LISTED]
    record_audit(
        tenant=context.tenant,
        actor=context.actor,
        action="todo.listed",
        object_type="todo",
        person_id=context.person.pk,
        detail={"count": len(todos)},
    )
    if not todos:
        return ToolAnswer(True, "Nothing is open.", {"todos": []})
    lines = [f"{len(todos)} open:", *map(_line, todos)]
    return ToolAnswer(True, "\n".join(lines), {"todos": [_as_data(todo) for todo in todos]})


def _persona_id(context: ToolContext) -> UUID | None:
    """Whose todo it is; nobody's is the default persona's, which need not have a row."""
    default = default_persona_id(tenant_id_of(context.tenant))
    return None if context.persona_id == default else context.persona_id


def _list_open(context: ToolContext) -> list[Todo]:
    return list(
        list_open_todos(tenant=context.tenant, person_id=context.person.pk, persona_id=context.persona_id)
    )


def _find_meant(named: str, todos: Sequence[Todo]) -> list[Todo]:
    """By id; else of the same text, of the same act, or, failing those, naming all that is named."""
    text = " ".join(named.split()).casefold()
    ways = (
        lambda todo: str(todo.pk) == text,
        lambda todo: todo.text.casefold() == text,
        lambda todo: is_same_act(todo.text, named),
        lambda todo: share_named(named_words(named), todo.text) == 1.0,
    )
    return next((found for way in ways if (found := [todo for todo in todos if way(todo)])), [])


def _line(todo: Todo) -> str:
    return f"- {_describe(todo)} [{todo.pk}]"


def _describe(todo: Todo) -> str:
    due = f" (due {_day(todo)})" if todo.due_at else ""
    return f"{clip(todo.text, TODO_CHARS)}{due}"


def _day(todo: Todo) -> date | None:
    return todo.due_at.astimezone(UTC).date() if todo.due_at else None


def _as_data(todo: Todo) -> dict[str, Any]:
    day = _day(todo)
    return {
        "todo_id": str(todo.pk),
        "text": todo.text,
        "kind": todo.kind,
        "due": day.isoformat() if day else None,
        "status": todo.effective_status,
    }
