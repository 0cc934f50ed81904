"""Summaries that may say what was forgotten since: they aren't served, and are written anew without it.

A summary counts from the moment its messages were read. If words were withheld after that, and Nebo had them before,
the summary may say them in some form. When the forgetting is undone, it is served again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet, Subquery

from memories.models import Withheld, says_withheld
from sessions.models import Compaction, RollingSummary, Session, SessionSummary, Snapshot


def with_withheld(rows: QuerySet[Session]) -> QuerySet[Session]:
    """Each with `summary_withheld` and `task_withheld`, which `served_summary` and `served_task` ask."""
    folds = Compaction.unscoped.filter(
        tenant_id=OuterRef(OuterRef("tenant_id")), session_id=OuterRef(OuterRef("pk"))
    )
    newest = Subquery(folds.order_by("-number").values("created_at")[:1])
    since = Withheld.unscoped.filter(
        tenant_id=OuterRef("tenant_id"), session_id=OuterRef("pk"), created_at__gt=newest
    )
    return rows.annotate(summary_withheld=Exists(since), task_withheld=says_withheld("active_task"))


def without_withheld_rolling(rows: QuerySet[RollingSummary]) -> QuerySet[RollingSummary]:
    """Rolling summaries that can't say what was withheld since; each carries on what the one before it said."""
    since = Withheld.unscoped.filter(
        tenant_id=OuterRef("tenant_id"),
        person_id=OuterRef("state__person_id"),
        recorded_at__lte=OuterRef("created_at"),
        created_at__gt=OuterRef("created_at"),
    )
    return rows.filter(~Exists(since))


def without_withheld_summaries(rows: QuerySet[SessionSummary]) -> QuerySet[SessionSummary]:
    """Summaries of sessions in which nothing was withheld since."""
    since = Withheld.unscoped.filter(
        tenant_id=OuterRef("tenant_id"),
        session_id=OuterRef("session_id"),
        created_at__gt=OuterRef("created_at"),
    )
    return rows.filter(~Exists(since))


def without_withheld_snapshots(rows: QuerySet[Snapshot]) -> QuerySet[Snapshot]:
    """What stood in sessions in which nothing was withheld since."""
    return rows.filter(~Exists(_withheld_since_snapshot()))


def with_withheld_snapshots(rows: QuerySet[Snapshot]) -> QuerySet[Snapshot]:
    """Snapshots, each with `withheld`: whether words of its session were withheld since."""
    return rows.annotate(withheld=Exists(_withheld_since_snapshot()))


def _withheld_since_snapshot() -> QuerySet[Withheld]:
    return Withheld.unscoped.filter(
        tenant_id=OuterRef("tenant_id"),
        session_id=OuterRef("compaction__session_id"),
        created_at__gt=OuterRef("created_at"),
    )


def with_withheld_folds(rows: QuerySet[Compaction]) -> QuerySet[Compaction]:
    """Lines of the journal, each with `withheld`: whether its summaries may say what was withheld since."""
    since = Withheld.unscoped.filter(
        tenant_id=OuterRef("tenant_id"),
        session_id=OuterRef("session_id"),
        created_at__gt=OuterRef("created_at"),
    )
    return rows.annotate(withheld=Exists(since))


def without_lines(
    sections: Mapping[str, Mapping[str, Sequence[str]]], lines: Sequence[str]
) -> dict[str, dict[str, list[str]]]:
    """A spine's sections, by audience, without the lines that aren't served."""
    gone = set(lines)
    return {
        audience: {name: [item for item in items if item not in gone] for name, items in own.items()}
        for audience, own in sections.items()
    }


def texts_of(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """The texts of rows of `{text}`."""
    return [str(row["text"]) for row in rows]
