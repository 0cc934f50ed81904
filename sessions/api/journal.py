"""The journal of a session: what its compactions folded, and what stood at each of them."""

from __future__ import annotations

from typing import Annotated, TypedDict
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from nebo.api.operations import Operation
from nebo.api.pagination import paginate
from nebo.api.shapes import Id, Moment, Page, like
from nebo.api.times import as_utc
from sessions.api.views import SessionScopedView
from sessions.compaction.journal import list_compactions, list_snapshots, without_forgotten
from sessions.models import Compaction, Snapshot


class CompactionFields(TypedDict):
    """A compaction: what it folded, and the summary before and after it."""

    id: Id
    number: int
    seq_from: int
    seq_to: Annotated[int, like(40)]
    kept: Annotated[int, like(12, "Messages that still stand.")]
    tokens_before: Annotated[int, like(9_000)]
    tokens_after: Annotated[int, like(2_000)]
    model: Annotated[str, like("rules/en")]
    withheld: Annotated[
        bool, like(False, "Whether the summaries are left out, since they may say what was forgotten.")
    ]
    summary_before: Annotated[str, like("")]
    summary_after: Annotated[str, like("They plan a move to Lisbon.")]
    created_at: Moment


class SnapshotFields(TypedDict):
    """What stood at a compaction."""

    id: Id
    compaction: Annotated[int, like(1, "Its number.")]
    facts: Annotated[list[str], like(["Lives in Lisbon."])]
    preferences: Annotated[list[str], like([])]
    tasks: Annotated[list[str], like(["Plan the move"])]
    open_loops: Annotated[list[str], like([])]
    constraints: Annotated[list[str], like([])]
    created_at: Moment


class CompactionListView(SessionScopedView):
    """`sessions/{id}/compactions/`: every compaction with the summary before and after it, the newest first."""

    scopes = {"GET": "read"}
    operations = {"GET": Operation("List compactions", Page[CompactionFields])}

    def get(self, request: Request, prepared: None, session_id: UUID) -> Response:
        session = self.get_session(session_id)
        rows = list_compactions(tenant=self.caller.tenant_id, session_id=session.pk)
        return paginate(rows, request, ordering=("-number",), serialize=compaction_json)


class SnapshotListView(SessionScopedView):
    """`sessions/{id}/snapshots/`: what stood at each compaction, the newest first."""

    scopes = {"GET": "read"}
    operations = {"GET": Operation("List snapshots", Page[SnapshotFields])}

    def get(self, request: Request, prepared: None, session_id: UUID) -> Response:
        session = self.get_session(session_id)
        rows = list_snapshots(tenant=self.caller.tenant_id, session_id=session.pk)
        answer = paginate(rows, request, ordering=("-created_at", "-id"), serialize=lambda row: row)
        shown = without_forgotten(
            tenant=self.caller.tenant_id, person_id=session.person_id, snapshots=answer.data["results"]
        )
        answer.data["results"] = list(map(snapshot_json, shown))
        return answer


def compaction_json(compaction: Compaction) -> CompactionFields:
    """A line of the journal; without its summaries where they may say what was forgotten since."""
    withheld: bool = compaction.withheld  # type: ignore[attr-defined]  # annotated by list_compactions
    return {
        "id": str(compaction.pk),
        "number": compaction.number,
        "seq_from": compaction.seq_from,
        "seq_to": compaction.seq_to,
        "kept": compaction.kept,
        "tokens_before": compaction.tokens_before,
        "tokens_after": compaction.tokens_after,
        "model": compaction.model,
        "withheld": withheld,
        "summary_before": "" if withheld else compaction.summary_before,
        "summary_after": "" if withheld else compaction.summary_after,
        "created_at": as_utc(compaction.created_at),
    }


def snapshot_json(snapshot: Snapshot) -> SnapshotFields:
    """What stood at a compaction, named by its number."""
    return {
        "id": str(snapshot.pk),
        "compaction": snapshot.compaction.number,
        "facts": snapshot.facts,
        "preferences": snapshot.preferences,
        "tasks": snapshot.tasks,
        "open_loops": snapshot.open_loops,
        "constraints": snapshot.constraints,
        "created_at": as_utc(snapshot.created_at),
    }
