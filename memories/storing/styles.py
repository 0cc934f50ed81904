"""An observation of style that comes, changes or goes makes the paragraph written from them due anew."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.utils import timezone

from nebo.jobs.services import enqueue
from nebo.tenants.models import Tenant

STYLE_NAMESPACE = "tacit/personality"
STYLE_PREFIX = "style/"
SPEAKING = ("status", "value", "key", "namespace", "persona_id", "reinforced_count", "last_reinforced")
WISHED = "wished"  # in the metadata of a style: said outright, so that it doesn't fade
SETTLE = timedelta(seconds=2)  # styles of one run come together; one directive for all of them


def note_style(
    *, tenant: Tenant | UUID, before: Mapping[str, Any] | None, after: Mapping[str, Any] | None
) -> None:
    """A memory was that and is this (snapshots; None where there is none): if it is or was a style, it is due."""
    was = before if before and is_style(before) else None
    now = after if after and is_style(after) else None
    if _speaking(was) == _speaking(now):
        return
    for state in filter(None, (was, now)):
        persona = state["persona_id"]
        schedule_directive(
            tenant=tenant,
            person_id=UUID(state["person_id"]),
            persona_id=UUID(persona) if persona else None,
        )


def is_style(state: Mapping[str, Any]) -> bool:
    """Whether a memory's snapshot is that of an observation of style."""
    return bool(state["namespace"] == STYLE_NAMESPACE and state["key"].startswith(STYLE_PREFIX))


def _speaking(state: Mapping[str, Any] | None) -> list[Any]:
    return [state[name] for name in SPEAKING] if state else []


def schedule_directive(*, tenant: Tenant | UUID, person_id: UUID, persona_id: UUID | None) -> None:
    """One waiting job a person and persona; None is what all personas share. A debounce: the last change counts."""
    enqueue(
        tenant=tenant,
        kind="directive",
        payload={"persona_id": str(persona_id) if persona_id else None},
        due_at=timezone.now() + SETTLE,
        dedupe_key=f"directive:{person_id}:{persona_id or ''}",
        person_id=person_id,
    )
