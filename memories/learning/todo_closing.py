"""Open loops that a conversation settles: each closed with the words that say so, and only where one alone is meant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from uuid import UUID

from memories.extraction.answer import FoundTodo
from memories.extraction.evidence import USER
from memories.models import Todo
from memories.screening.personal import is_told_freely
from memories.screening.sensitive import redact
from memories.selectors import list_todos
from memories.storing.audited_writes import lock_person, policy_of
from memories.todos.store import is_same_act, update_todo
from nebo.tenants.actor import Actor
from nebo.tenants.ids import default_persona_id
from nebo.tenants.models import Tenant, UserProfile
from nebo.tenants.scoping import tenant_id_of


def close_found(
    *,
    tenant: Tenant | UUID,
    person: UserProfile,
    persona_id: UUID | None,
    found: Iterable[FoundTodo],
    actor: Actor,
) -> list[Todo]:
    """Close what an extraction says is settled, where the person's own words prove it and one alone is meant."""
    closed = []
    for settled in found:
        message_id = settled.evidence.message_id
        if message_id is None or not settled.evidence.is_verified or settled.evidence.trust != USER:
            continue
        rows = list_closable(tenant, person, persona_id, message_id)
        named = [todo for todo in rows if todo.pk == settled.known]
        meant = named or _matching([todo for todo in rows if todo.kind == settled.kind], settled.text)
        if len(meant) == 1:
            quote = settled.evidence.quote
            closed.append(close_todo(tenant, meant[0], Todo.Status.DONE, message_id, quote, actor))
    return closed


def _matching(todos: Sequence[Todo], text: str) -> list[Todo]:
    """Those of the very same text, else those that say the same act."""
    wanted = " ".join(text.casefold().split())
    same = [todo for todo in todos if todo.text.casefold() == wanted]
    return same or [todo for todo in todos if is_same_act(todo.text, text)]


def list_closable(
    tenant: Tenant | UUID, person: UserProfile, persona_id: UUID | None, message_id: UUID
) -> list[Todo]:
    """What is open with this persona; not what this very message opened, nor what it closed once already."""
    own = persona_id or default_persona_id(tenant_id_of(tenant))
    rows = list_todos(tenant=tenant, person_id=person.pk, persona_id=own)
    return [todo for todo in rows if message_id not in (todo.message_id, todo.closed_message_id)]


def close_todo(
    tenant: Tenant | UUID, todo: Todo, status: str, message_id: UUID, quote: str, actor: Actor
) -> Todo:
    """With the words that say so; the message stays on record, so that it doesn't close it again."""
    policy = policy_of(lock_person(tenant=tenant, person=todo.person))
    kept = redact(quote) if is_told_freely(policy, quote) else ""
    changes = {"status": status, "closed_message_id": message_id, "closed_quote": kept}
    return update_todo(tenant=tenant, todo=todo, changes=changes, actor=actor)
