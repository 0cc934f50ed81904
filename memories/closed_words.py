"""What people said that no longer holds: words of facts that were replaced or ended, and of todos that are settled.

A line of a summary that says one of them is stale. The newest are enough: a summary that was written later was written
without them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from django.db.models import F, Q, QuerySet

from memories.models import Memory, Observation, Todo
from nebo.tenants.models import Tenant

NEWEST = 60  # memories that were closed, and as many todos
SETTLED = (Todo.Status.DONE, Todo.Status.DROPPED, Todo.Status.EXPIRED)


def list_closed_words(*, tenant: Tenant | UUID, person_id: UUID) -> dict[str, QuerySet[Any, Any]]:
    """Two queries, for `replacements_of_closed`: the wordings of facts that hold no longer, with what took their place,
    and of todos that are settled.
    """
    superseded = Memory.objects.for_tenant(tenant).filter(
        person_id=person_id, status=Memory.Status.SUPERSEDED
    )
    repeats = Q(superseded_by__created_at__lt=F("created_at"))  # gave way to what was known, and holds
    memories = superseded.exclude(repeats)
    newest = memories.order_by("-updated_at").values("pk")[:NEWEST]
    wordings = Observation.objects.for_tenant(tenant).filter(memory_id__in=newest)
    instead = F("memory__superseded_by__value")
    todos = Todo.objects.for_tenant(tenant).filter(person_id=person_id, status__in=SETTLED)
    return {
        "closed_facts": wordings.values("value", "quote", instead=instead),
        "closed_todos": todos.order_by("-created_at").values("text", "quote")[:NEWEST],
    }


def list_kept_words(*, tenant: Tenant | UUID, message_ids: Iterable[UUID]) -> dict[str, QuerySet[Any, Any]]:
    """The same of what was kept from these messages and still holds."""
    ids = list(message_ids)
    wordings = Observation.objects.for_tenant(tenant).filter(
        Q(memory__status=Memory.Status.ACTIVE), message_id__in=ids
    )
    todos = Todo.objects.for_tenant(tenant).filter(message_id__in=ids, status=Todo.Status.OPEN)
    return {"kept_facts": wordings.values("value", "quote"), "kept_todos": todos.values("text", "quote")}


def texts_of_closed(rows: Iterable[Mapping[str, str]]) -> list[str]:
    """The wordings in rows of either query, each once."""
    return list(replacements_of_closed(rows))


def replacements_of_closed(rows: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """The same, each with what holds in its place; empty where nothing does, as for a todo."""
    return {
        text: row.get("instead") or ""
        for row in rows
        for name, text in row.items()
        if text and name != "instead"
    }
