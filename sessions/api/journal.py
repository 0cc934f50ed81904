"""The journal of a session: what its compactions folded, and what stood at each of them."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from nebo.api.pagination import paginate
from nebo.api.times import as_utc
from sessions.api.views import SessionScopedView
from sessions.journal import LISTS, list_compactions, list_snapshots, without_forgotten
from sessions.models import Compaction, Snapshot


class CompactionListView(SessionScopedView):
    """`sessions/{id}/compactions/`: every compaction with the summary before and after it, the newest first."""

    scopes = {"GET": "read"}

    def get(self, request: Request, prepared: None, session_id: UUID) -> Response:
        session = self.get_session(session_id)
        rows = list_compactions(tenant=self.caller.tenant_id, session_id=session.pk)
        return paginate(rows, request, ordering=("-number",), serialize=compaction_json)


class SnapshotListView(SessionScopedView):
    """`sessions/{id}/snapshots/`: what stood at each compaction, the newest first."""

    scopes = {"GET": "read"}

    def get(self, request: Request, prepared: None, session_id: UUID) -> Response:
        session = self.get_session(session_id)
        rows = list_snapshots(tenant=self.caller.tenant_id, session_id=session.pk)
        answer = paginate(rows, request, ordering=("-created_at", "-id"), serialize=lambda row: row)
        shown = without_forgotten(
            tenant=self.caller.tenant_id, profile_id=session.profile_id, snapshots=answer.data["results"]
        )
        answer.data["results"] = list(map(snapshot_json, shown))
        return answer


def compaction_json(compaction: Compaction) -> dict[str, Any]:
    """A line of the journal; without its summaries where they may say what was forgotten since."""
    names = ("number", "seq_from", "seq_to", "kept", "tokens_before", "tokens_after", "model", "withheld")
    fields = {name: getattr(compaction, name) for name in names}
    for name in ("summary_before", "summary_after"):
        fields[name] = "" if fields["withheld"] else getattr(compaction, name)
    return {"id": str(compaction.pk), **fields, "created_at": as_utc(compaction.created_at)}


def snapshot_json(snapshot: Snapshot) -> dict[str, Any]:
    """What stood at a compaction, named by its number."""
    lists: dict[str, Any] = {name: getattr(snapshot, name) for name in LISTS}
    return {
        "id": str(snapshot.pk),
        "compaction": snapshot.compaction.number,
        **lists,
        "created_at": as_utc(snapshot.created_at),
    }
