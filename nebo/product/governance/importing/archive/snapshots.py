"""What a memory was, as its versions have it: about this person, whatever a file says."""

from __future__ import annotations

from typing import Any

from nebo.product.governance.importing.archive.strangers import NOBODYS
from nebo.tenants.models import UserProfile

Row = dict[str, Any]
LEADS = ("session_id", "superseded_by_id")


def list_own_versions(person: UserProfile, rows: list[Row]) -> list[Row]:
    """One that is no snapshot is left out."""
    found = []
    for row in rows:
        before, after = row["before"], row["after"]
        if isinstance(after, dict) and (before is None or isinstance(before, dict)):
            found.append({**row, "before": before and _own(person, before), "after": _own(person, after)})
    return found


def _own(person: UserProfile, snapshot: Row) -> Row:
    """With keys that lead nowhere where they led to somebody else."""
    led = {name: None for name in LEADS if snapshot.get(name) == NOBODYS}
    return {**snapshot, **led, "person_id": str(person.pk)}
