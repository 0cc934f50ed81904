"""How long a tenant keeps things: windows in days, of which 0 and nothing mean for ever."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils import timezone

LONGEST_WINDOW = 36_500  # days; a hundred years
WINDOWS = (  # fields of a tenant
    "archive_days",
    "event_days",
    "trash_days",
    "audit_days",
    "job_days",
    "candidate_days",
    "export_days",
)


def find_cutoff(days: int | None) -> datetime | None:
    """What is older than this may go; None where it is kept for ever."""
    return timezone.now() - timedelta(days=days) if days else None
