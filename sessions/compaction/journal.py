"""The journal of a session's compactions: what was folded when, and what stood then.

docs/sessions.md#compaction-and-its-journal
"""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from django.db.models import QuerySet, Value

from memories.models import Memory
from memories.withholding.lines import list_withheld_lines
from nebo.tenants.models import Tenant
from sessions.models import Compaction, Snapshot
from sessions.withheld import with_withheld_folds, with_withheld_snapshots

OF_MEMORIES = ("facts", "preferences", "constraints")
LISTS = ("facts", "preferences", "tasks", "open_loops", "constraints")
WITHHELD_LINE = "withheld"  # beside the states of memories
GONE = (*Memory.FORGOTTEN, Memory.Status.QUARANTINED)


def list_compactions(*, tenant: Tenant | UUID, session_id: UUID) -> QuerySet[Compaction]:
    """Every compaction of a session, the newest first, each with `withheld`: whether its summaries may say what was
    forgotten since.
    """
    rows = Compaction.objects.for_tenant(tenant).filter(session_id=session_id)
    return with_withheld_folds(rows).order_by("-number")


def list_snapshots(*, tenant: Tenant | UUID, session_id: UUID) -> QuerySet[Snapshot]:
    """What stood at each compaction of a session, the newest first; with the compaction and `withheld`, whether
    words of the session were withheld since.
    """
    rows = with_withheld_snapshots(
        Snapshot.objects.for_tenant(tenant).filter(compaction__session_id=session_id)
    )
    return rows.select_related("compaction").order_by("-created_at", "-id")


def without_forgotten(
    *, tenant: Tenant | UUID, person_id: UUID, snapshots: Iterable[Snapshot]
) -> list[Snapshot]:
    """Snapshots about a person without what was forgotten or held back since; one query for all of them."""
    shown = list(snapshots)
    items = {item for one in shown for name in LISTS for item in getattr(one, name)}
    live, gone = _sort_by_memories(tenant, person_id, items)
    for one in shown:
        for name in LISTS:
            known = live if getattr(one, "withheld", True) and name in OF_MEMORIES else items - gone
            setattr(one, name, [item for item in getattr(one, name) if item in known])
    return shown


def _sort_by_memories(tenant: Tenant | UUID, person_id: UUID, items: set[str]) -> tuple[set[str], set[str]]:
    """Of what is said, what a memory still says; and what only forgotten memories say, with lines that aren't served.

    What was corrected is said by no memory any more.
    """
    if not items:
        return set(), set()
    memories = Memory.objects.for_tenant(tenant).filter(person_id=person_id, value__in=items).order_by()
    lines = list_withheld_lines(tenant=tenant, person_id=person_id).filter(text__in=items).order_by()
    withheld = lines.annotate(status=Value(WITHHELD_LINE)).values_list("text", "status")
    statuses: dict[str, set[str]] = {}
    for value, status in memories.values_list("value", "status").union(withheld, all=True):
        statuses.setdefault(value, set()).add(status)
    gone = {value for value, found in statuses.items() if found <= set(GONE) or WITHHELD_LINE in found}
    return statuses.keys() - gone, gone
