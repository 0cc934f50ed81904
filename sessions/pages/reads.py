"""What the page of one conversation shows besides its messages, in one statement."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from memories.pages.finder import count_from_session
from nebo.tenants.models import Tenant
from nebo.tenants.reads import Queries, TenantReads
from sessions.compaction.journal import list_snapshots
from sessions.models import Compaction, Session, SessionSummary, Snapshot
from sessions.summaries.selectors import list_summaries

HISTORY = 20  # summaries, and compactions, shown of one conversation


@dataclass(frozen=True, slots=True)
class BesideMessages:
    """Summaries and snapshots, the newest first, these with their compaction; and how many memories rest on it all."""

    summaries: list[SessionSummary]
    snapshots: list[Snapshot]
    memory_count: int


def read_beside_messages(*, tenant: Tenant | UUID, session: Session) -> BesideMessages:
    """One statement in the open scope."""
    found = CONVERSATION_READS.read(tenant=tenant, session_id=session.pk, person_id=session.person_id)
    compactions: dict[UUID, Compaction] = {one.pk: one for one in found["compactions"]}
    for snapshot in found["snapshots"]:
        snapshot.compaction = compactions[snapshot.compaction_id]
    counted = sum(row["n"] for row in found["counted"])
    return BesideMessages(found["summaries"], found["snapshots"], counted)


def _list_beside(tenant: UUID, *, session_id: UUID, person_id: UUID) -> Queries:
    snapshots = list_snapshots(tenant=tenant, session_id=session_id).select_related(None)[:HISTORY]
    folded = Compaction.objects.for_tenant(tenant).filter(session_id=session_id)
    return {
        "summaries": list_summaries(tenant=tenant, session_id=session_id)[:HISTORY],
        "snapshots": snapshots,
        "compactions": folded.filter(pk__in=snapshots.values("compaction_id")),
        "counted": count_from_session(tenant=tenant, person_id=person_id, session_id=session_id),
    }


CONVERSATION_READS = TenantReads(_list_beside, given={"session_id": "uuid", "person_id": "uuid"})
