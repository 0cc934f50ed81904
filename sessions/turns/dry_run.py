"""What a turn would leave behind: it is told in a savepoint, looked at, and taken back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from memories.learning.kept_out import ACTION as KEPT_OUT
from memories.models import AuditEntry, Observation, Todo, Version
from nebo.errors import Conflict
from nebo.postgres.rehearsal import Busy, rehearsal
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant
from sessions.models import Session
from sessions.turns.append import NewMessage, TurnResult, append_turn


@dataclass(frozen=True, slots=True)
class DryRun:
    """A turn as it would be, each change of a memory with it, the words that led to them, what it leaves to do, and
    what the workspace never keeps of it.
    """

    turn: TurnResult
    changes: list[Version]
    kept_out: list[AuditEntry]
    observations: list[Observation]
    todos: list[Todo]


def dry_run_turn(
    *,
    tenant: Tenant | UUID,
    session_id: UUID,
    messages: Sequence[NewMessage],
    actor: Actor,
    check: Callable[[Session], None],
) -> DryRun:
    """The same as `append_turn`, of which nothing stays: no message, no memory, no job, no entry of the log."""

    def tell() -> TurnResult:
        return append_turn(tenant=tenant, session_id=session_id, messages=messages, actor=actor, check=check)

    return take_back(tenant, tell)


def take_back(tenant: Tenant | UUID, tell: Callable[[], TurnResult]) -> DryRun:
    """What a turn leaves behind that is told in a savepoint, of which nothing stays. Raises Conflict."""
    began = timezone.now()
    try:
        with rehearsal():
            outcome = _look_at(tenant, tell(), began)
    except Busy as error:
        raise Conflict("Somebody is writing about this person just now. Try again in a second.") from error
    return outcome


def _look_at(tenant: Tenant | UUID, turn: TurnResult, began: datetime) -> DryRun:
    """Every change since it began of the memories that the turn is about, or that its messages told."""
    ids = [message.pk for message in turn.messages]
    about = Q(memory__in=turn.learned) | Q(message_id__in=ids)
    changes = Version.objects.for_tenant(tenant).filter(about, created_at__gte=began)
    seen = Observation.objects.for_tenant(tenant).filter(message_id__in=ids, created_at__gte=began)
    todos = Todo.objects.for_tenant(tenant).filter(message_id__in=ids, created_at__gte=began)
    refused = AuditEntry.objects.for_tenant(tenant).filter(
        action=KEPT_OUT, object_type="message", object_id__in=list(map(str, ids)), at__gte=began
    )
    return DryRun(
        turn,
        list(changes.select_related("memory__person", "memory__persona").order_by("created_at", "number")),
        list(refused.order_by("at", "id")),
        list(seen.order_by("created_at", "id")),
        list(todos.order_by("created_at", "id")),
    )
