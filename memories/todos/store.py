"""What is open: promises, habits, threads and frictions, each once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from memories.audit.log import record_audit
from memories.models import Todo
from memories.screening.checks import find_reason
from memories.screening.personal import find_refusal, judge
from memories.screening.sanitize import clean_text, cut_value
from memories.screening.sensitive import redact
from memories.selectors import with_persona
from memories.storing.audited_writes import lock_person, policy_of
from nebo.errors import InvalidInput, KeptOut
from nebo.reading.words.naming import named_words, share_named
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant, UserProfile

TODO_MAX_CHARS = 500  # characters
TASK_LIFE = timedelta(days=14)  # how long a task told in passing stays; docs/design.md#memory-numbers
SAME_ACT = (
    2 / 3
)  # of the words that each of two wordings names must stand in the other, where both are of one message
LOOKED_THROUGH = 200  # of a person's open todos, the newest first
EXPIRED_A_ROUND = 500  # todos; the next round takes the others


@dataclass(frozen=True, slots=True)
class NewTodo:
    """Something open, with the words it came from."""

    text: str
    kind: str = "commitment"
    quote: str = ""
    message_id: UUID | None = None
    session_id: UUID | None = None
    persona_id: UUID | None = None
    run_id: UUID | None = None
    due_at: datetime | None = None
    expires_at: datetime | None = None


def store_todo(*, tenant: Tenant | UUID, person: UserProfile, new: NewTodo, actor: Actor) -> Todo | None:
    """Keep it unless it is known, open or closed; None for one that may not be kept (a secret, an order)."""
    text = cut_value(" ".join(clean_text(new.text).split()), TODO_MAX_CHARS)
    if not text or find_reason(text):
        return None
    lock_person(tenant=tenant, person=person)
    same = _find_known(tenant, person, new, text)
    if same is not None:
        return _date_anew(tenant, same, new, actor)
    todo: Todo = Todo.objects.for_tenant(tenant).create(
        person=person,
        persona_id=new.persona_id,
        session_id=new.session_id,
        message_id=new.message_id,
        run_id=new.run_id,
        kind=new.kind,
        text=text,
        quote=redact(new.quote),
        due_at=new.due_at,
        expires_at=new.expires_at,
    )
    _audit(tenant, todo, actor, "todo.created")
    return todo


def check_todo(*, tenant: Tenant | UUID, person: UserProfile, text: str) -> None:
    """Raise KeptOut for a todo that an agent may not add here: of what a workspace looks at first, none can wait."""
    _check_class(lock_person(tenant=tenant, person=person), text)


def _check_class(held: UserProfile, text: str) -> None:
    policy, told = policy_of(held), clean_text(text)
    if refusal := find_refusal(policy, told):
        raise KeptOut(refusal, field="text", of_class=judge(policy, told).of_class)


def expiry_of(kind: str, *, stated_at: datetime | None, due_at: datetime | None) -> datetime | None:
    """A fortnight after it was said or is due, whichever is later; habits and frictions stay until they are closed."""
    if kind in (Todo.Kind.HABIT, Todo.Kind.FRICTION):
        return None
    return max(moment for moment in (stated_at or timezone.now(), due_at) if moment) + TASK_LIFE


def update_todo(*, tenant: Tenant | UUID, todo: Todo, changes: Mapping[str, Any], actor: Actor) -> Todo:
    """Change text, kind, status or dates. Raises InvalidInput for a text that may not be kept, and KeptOut.

    One that is opened again and whose time is over has no other end. The message that closed it stays on record, so
    that reading it once more does not close it again.
    """
    held = lock_person(tenant=tenant, person=todo.person)
    todo.refresh_from_db()
    if actor.kind != "user" and changes.get("text", todo.text) != todo.text:
        _check_class(held, changes["text"])
    before = {todo.status, todo.effective_status}
    for name, value in changes.items():
        setattr(todo, name, value)
    if "due_at" in changes and "expires_at" not in changes:
        todo.expires_at = expiry_of(todo.kind, stated_at=None, due_at=todo.due_at)
    todo.text = " ".join(clean_text(todo.text).split())
    reason = find_reason(todo.text)
    if reason or not todo.text:
        raise InvalidInput(reason or _("A todo needs a text."), field="text")
    if "status" in changes and {todo.status} != before:
        _change_status(todo, actor)
    todo.version += 1
    todo.save()
    _audit(tenant, todo, actor, "todo.updated", fields=sorted(changes), status=todo.status)
    return todo


def expire_todos(*, tenant: Tenant | UUID, actor: Actor) -> int:
    """Close what is open past its time; how many. In the caller's scope."""
    rows = Todo.objects.for_tenant(tenant).filter(status=Todo.Status.OPEN, expires_at__lte=timezone.now())
    expired = list(rows.select_related("person").order_by("person_id", "created_at")[:EXPIRED_A_ROUND])
    for todo in expired:
        update_todo(tenant=tenant, todo=todo, changes={"status": Todo.Status.EXPIRED}, actor=actor)
    return len(expired)


def _change_status(todo: Todo, actor: Actor) -> None:
    now = timezone.now()
    if todo.status != Todo.Status.OPEN:
        todo.closed_at, todo.closed_by = now, str(actor)[:120]
        return
    todo.closed_at, todo.closed_by = None, ""
    if todo.expires_at and todo.expires_at <= now:
        todo.expires_at = None


def is_same_act(one: str, other: str, *, share: float = 1.0) -> bool:
    """Whether two wordings name the same things, or at least this share of them, both ways."""
    ours, theirs = named_words(one), named_words(other)
    if not ours or not theirs:
        return one.casefold() == other.casefold()
    return min(share_named(ours, other), share_named(theirs, one)) >= share


def _date_anew(tenant: Tenant | UUID, todo: Todo, new: NewTodo, actor: Actor) -> Todo:
    """Told again with another day it is due then; a model's day counts only where none was known nor decided on."""
    is_open = todo.status == Todo.Status.OPEN
    is_repeated = new.run_id is None and (new.message_id is None or new.message_id != todo.message_id)
    unknown = todo.due_at is None and todo.version == 1
    if not is_open or new.due_at in (None, todo.due_at) or not (is_repeated or unknown):
        return todo
    changes = {"due_at": new.due_at, "expires_at": new.expires_at}
    return update_todo(tenant=tenant, todo=todo, changes=changes, actor=actor)


def _find_known(tenant: Tenant | UUID, person: UserProfile, new: NewTodo, text: str) -> Todo | None:
    """The same one that is open, or was read from the same message; one made anew after it was closed is new."""
    own = with_persona("persona_id", tenant, new.persona_id)
    known = Todo.objects.for_tenant(tenant).filter(own, person=person, kind=new.kind)
    still = Q(status=Todo.Status.OPEN)
    same_message = Q(message_id=new.message_id) if new.message_id else Q(pk=None)
    found = known.filter(still | same_message, text__iexact=text).first()
    return found or _find_reworded(known.filter(still | same_message), new, text)


def _find_reworded(known: QuerySet[Todo], new: NewTodo, text: str) -> Todo | None:
    """The same act in other words: most of them where one message says it, all of them where two do."""
    for todo in known.order_by("-created_at")[:LOOKED_THROUGH]:
        own = new.message_id is not None and todo.message_id == new.message_id
        if (own or todo.status == Todo.Status.OPEN) and is_same_act(
            text, todo.text, share=SAME_ACT if own else 1.0
        ):
            return todo
    return None


def _audit(tenant: Tenant | UUID, todo: Todo, actor: Actor, action: str, **detail: Any) -> None:
    record_audit(
        tenant=tenant,
        actor=actor,
        action=action,
        object_type="todo",
        object_id=todo.pk,
        person_id=todo.person_id,
        detail=detail,
    )
