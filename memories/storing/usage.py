"""How often a memory was used: what recall ranks by. No change of the memory, so no version and no lock."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any
from uuid import UUID

from django.apps import apps
from django.db.models import F
from django.utils import timezone

from memories.models import Memory
from nebo.tenants.models import Tenant
from nebo.tenants.reading import write_after_reading


def count_access(*, tenant: Tenant | UUID, memory_ids: Sequence[UUID]) -> None:
    """One more access for each, in one statement; a row that somebody is writing is passed over, not waited for.
    What is read on a replica is counted after it.
    """
    write_after_reading(partial(_count_access, tenant, memory_ids))


def _count_access(tenant: Tenant | UUID, memory_ids: Sequence[UUID]) -> None:
    rows = Memory.objects.for_tenant(tenant).filter(pk__in=memory_ids)
    free = rows.select_for_update(skip_locked=True, no_key=True).values("pk")
    Memory.objects.for_tenant(tenant).filter(pk__in=free).update(
        access_count=F("access_count") + 1, accessed_at=timezone.now()
    )


def note_tool_use(*, tenant: Tenant | UUID, session_id: UUID) -> None:
    """The agent used its memory in this session: it needs no reminder for a while. To be called before anything of a
    person is locked, since a turn locks its session first.
    """
    session: Any = apps.get_model("agent_sessions", "Session")
    session.objects.for_tenant(tenant).filter(pk=session_id).update(memory_tool_at=timezone.now())
