"""What a key may see of memories, and which of them it may change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memories.models import Memory
from nebo.api.views import TenantView
from nebo.errors import Forbidden


def check_global(view: TenantView, scope: str) -> None:
    """What everyone is told, only a key with `admin` may say or change."""
    if scope == Memory.Scope.GLOBAL and "admin" not in view.caller.scopes:
        raise Forbidden("A global memory needs a key with the scope admin.")


def sees_all(view: TenantView) -> bool:
    """Whether a key reads what is never to be mentioned: one of the team's own tools, no agent's."""
    return "admin" in view.caller.scopes


def check_mentioned(view: TenantView, memory: Memory) -> None:
    """What led to a memory that is never mentioned says it too."""
    if memory.status == Memory.Status.UNMENTIONED and not sees_all(view):
        raise Forbidden("What is never mentioned needs a key with the scope admin.")


def check_hearsay(view: TenantView, filters: Mapping[str, Any]) -> None:
    """Whoever may look for words among what is never mentioned learns them."""
    words = any(filters.get(name) for name in ("q", "entity", "memory_key", "namespace"))
    if filters.get("status") == Memory.Status.UNMENTIONED and words and not sees_all(view):
        raise Forbidden("To look for words in what is never mentioned needs a key with the scope admin.")
