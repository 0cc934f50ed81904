"""What grows old and goes, a step a kind: how it is called, its window, how many are due, and a batch of it.

Each app says what is old and removes it; here stands the list. Every batch is a transaction of its own, so a run can
be stopped anywhere, and run again it does no more than is due.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from django.db.models import Q, QuerySet

from memories.audit.sealing import list_outlived_seals, remove_audit
from memories.curation.upkeep import expire_memories, expired, outlived_trash, purge_trash
from memories.models import AuditSeal, Memory
from nebo.api.idempotency import forget_answers, list_outlived_answers
from nebo.jobs.services import forget_jobs, list_outlived_jobs
from nebo.product.events.deliveries import forget_events, list_outlived_events
from nebo.product.governance.importing.requests import list_outlived_imports, remove_imports
from nebo.product.governance.services.exporting import list_outlived_exports, remove_exports
from nebo.product.memory_files.ageing import list_outlived_files, remove_files
from nebo.product.workspace.connect_codes import list_outlived_codes, remove_codes
from nebo.product.workspace.invitations import list_outlived_invitations, remove_invitations
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant
from nebo.tenants.pauses import list_ended, remove_ended
from nebo.tenants.scoping import tenant_scope
from personality.wishes.ageing import list_outlived_candidates, remove_candidates
from sessions.lifecycle.ageing import archive_messages, list_archivable, list_outlived, remove_messages

RUN_S = 60.0  # seconds a run takes at most; what is left follows in the next


@dataclass(frozen=True, slots=True)
class Step:
    """`count` says how many are due. `remove` removes a batch and says how many, in the tenant's scope unless it opens
    its own. `window` is the tenant's field; without one, each row has its own time.
    """

    name: str
    count: Callable[[Tenant], int]
    remove: Callable[[Tenant, Actor], int]
    window: str = ""
    opens_scope: bool = False

    def window_of(self, tenant: Tenant) -> str:
        """As the table of the command shows it."""
        if not self.window:
            return "its own time"
        days = getattr(tenant, self.window)
        return f"{days} days" if days else "for ever"


@dataclass(slots=True)
class Outcome:
    """What a run removed, by step; `more` when its time was up first."""

    counts: dict[str, int] = field(default_factory=dict)
    more: bool = False


def _memories(condition: Callable[[Tenant], Q]) -> Callable[[Tenant], int]:
    return lambda tenant: Memory.objects.for_tenant(tenant).filter(condition(tenant)).count()


def _rows(rows: Callable[..., QuerySet[AuditSeal]]) -> Callable[[Tenant], int]:
    return lambda tenant: sum(rows(tenant=tenant).values_list("entries", flat=True))


# In this order: messages are archived before they are removed, memories expire before the trash is emptied.
STEPS: Sequence[Step] = (
    Step(
        "messages archived",
        lambda tenant: list_archivable(tenant=tenant).count(),
        lambda tenant, actor: archive_messages(tenant=tenant),
        "archive_days",
    ),
    Step(
        "messages removed",
        lambda tenant: list_outlived(tenant=tenant).count(),
        lambda tenant, actor: remove_messages(tenant=tenant),
        "event_days",
    ),
    Step(
        "memories expired",
        _memories(lambda tenant: expired()),
        lambda tenant, actor: expire_memories(tenant=tenant, actor=actor),
        opens_scope=True,
    ),
    Step(
        "memories removed",
        _memories(outlived_trash),
        lambda tenant, actor: purge_trash(tenant=tenant, actor=actor),
        "trash_days",
        opens_scope=True,
    ),
    Step(
        "memory files removed",
        lambda tenant: list_outlived_files(tenant=tenant).count(),
        lambda tenant, actor: remove_files(tenant=tenant),
        "trash_days",
    ),
    Step(
        "audit entries removed",
        _rows(list_outlived_seals),
        lambda tenant, actor: remove_audit(tenant=tenant, actor=actor),
        "audit_days",
    ),
    Step(
        "jobs removed",
        lambda tenant: list_outlived_jobs(tenant=tenant).count(),
        lambda tenant, actor: forget_jobs(tenant=tenant),
        "job_days",
    ),
    Step(
        "events removed",
        lambda tenant: list_outlived_events(tenant=tenant).count(),
        lambda tenant, actor: forget_events(tenant=tenant),
        "job_days",
    ),
    Step(
        "repeated answers removed",
        lambda tenant: list_outlived_answers(tenant=tenant).count(),
        lambda tenant, actor: forget_answers(tenant=tenant),
    ),
    Step(
        "persona candidates removed",
        lambda tenant: list_outlived_candidates(tenant=tenant).count(),
        lambda tenant, actor: remove_candidates(tenant=tenant),
        "candidate_days",
    ),
    Step(
        "exports removed",
        lambda tenant: list_outlived_exports(tenant=tenant).count(),
        lambda tenant, actor: remove_exports(tenant=tenant),
        "export_days",
    ),
    Step(
        "imports removed",
        lambda tenant: list_outlived_imports(tenant=tenant).count(),
        lambda tenant, actor: remove_imports(tenant=tenant),
        "export_days",
    ),
    Step(
        "invitations removed",
        lambda tenant: list_outlived_invitations(tenant=tenant).count(),
        lambda tenant, actor: remove_invitations(tenant=tenant),
    ),
    Step(
        "connect codes removed",
        lambda tenant: list_outlived_codes(tenant=tenant).count(),
        lambda tenant, actor: remove_codes(tenant=tenant),
    ),
    Step(
        "ended pauses removed",
        lambda tenant: list_ended(tenant=tenant).count(),
        lambda tenant, actor: remove_ended(tenant=tenant),
    ),
)


def count_due(*, tenant: Tenant) -> dict[str, int]:
    """How many of what a run would take now; changes nothing. Opens its own scope."""
    with tenant_scope(tenant):
        return {step.name: step.count(tenant) for step in STEPS}


def apply_retention(*, tenant: Tenant, actor: Actor, seconds: float = RUN_S) -> Outcome:
    """Archive and remove what is due, batch by batch, for about so long. Opens its own scopes."""
    outcome = Outcome()
    deadline = time.monotonic() + seconds
    for step in STEPS:
        outcome.counts[step.name] = 0
        while taken := _take(step, tenant, actor):
            outcome.counts[step.name] += taken
            if time.monotonic() > deadline:
                outcome.more = True
                return outcome
    return outcome


def _take(step: Step, tenant: Tenant, actor: Actor) -> int:
    if step.opens_scope:
        return step.remove(tenant, actor)
    with tenant_scope(tenant):
        return step.remove(tenant, actor)
