"""The forms to note an open loop by hand, and to correct one."""

from __future__ import annotations

from datetime import UTC
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from memories.extraction.answer import end_of_day
from memories.models import Todo
from memories.todos.store import TODO_MAX_CHARS, NewTodo, expiry_of

KINDS = {
    Todo.Kind.COMMITMENT: _("Promise"),
    Todo.Kind.HABIT: _("Habit"),
    Todo.Kind.THREAD: _("To come back to"),
    Todo.Kind.FRICTION: _("Friction"),
}


class NewTodoForm(forms.Form):
    """Wording, kind and day of something to be noted."""

    text = forms.CharField(
        label=_("What is open"),
        max_length=TODO_MAX_CHARS,
        widget=forms.Textarea(attrs={"rows": 2, "data-autofocus": ""}),
    )
    kind = forms.ChoiceField(label=_("Kind"), choices=list(KINDS.items()))
    due = forms.DateField(
        label=_("Due"), required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )

    @property
    def new(self) -> NewTodo:
        """What is to be kept; it expires as if it had been said now."""
        kind, due_at = self.cleaned_data["kind"], end_of_day(self.cleaned_data["due"])
        expires_at = expiry_of(kind, stated_at=None, due_at=due_at)
        return NewTodo(self.cleaned_data["text"], kind=kind, due_at=due_at, expires_at=expires_at)


class TodoForm(NewTodoForm):
    """To correct one. The page posts the `version` it showed: nobody writes over what they never saw."""

    def __init__(self, data: Any = None, *, todo: Todo) -> None:
        day = todo.due_at.astimezone(UTC).date() if todo.due_at else None
        shown = {"text": todo.text, "kind": todo.kind, "due": day}
        super().__init__(data, initial=shown, auto_id=f"todo-{todo.pk}-%s")
        self.todo = todo
        self.is_stale = data is not None and data.get("version", "") != str(todo.version)

    def clean(self) -> dict[str, Any]:
        """Saving once more, with what it says now before one's eyes, is a decision."""
        if self.is_stale:
            raise forms.ValidationError(
                gettext(
                    "It was changed in the meantime and now says “%(text)s”. Save again to replace that."
                ),
                params={"text": self.todo.text},
            )
        return self.cleaned_data

    @property
    def changes(self) -> dict[str, Any]:
        """What is to be another than it is; the day only where another day is meant."""
        wanted: dict[str, Any] = {name: self.cleaned_data[name] for name in ("text", "kind")}
        if self.cleaned_data["due"] != self.initial["due"]:
            wanted["due_at"] = end_of_day(self.cleaned_data["due"])
        return {name: value for name, value in wanted.items() if value != getattr(self.todo, name)}
