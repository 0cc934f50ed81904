"""The ledger of erasures: a file beside the data, so that a database that comes back from a backup forgets again.

A line an erasure: `{"tenant": id, "person": keyed digest of the external id, "erased_at": …}`. It names nobody.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

import structlog

from nebo.env import env

FILE = "erasures.jsonl"

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Entry:
    """That somebody was erased; `person` is their digest."""

    tenant: UUID
    person: str
    erased_at: str


def default_path() -> Path:
    """Where erasures of this machine are noted."""
    return env.data_dir / FILE


def note_erasure(entry: Entry) -> None:
    """Add a line before the rows go. A folder that can't be written is logged: the database has the entry, too."""
    line = json.dumps({"tenant": str(entry.tenant), "person": entry.person, "erased_at": entry.erased_at})
    try:
        with default_path().open("a", encoding="ascii") as ledger:
            ledger.write(f"{line}\n")
            ledger.flush()
            os.fsync(ledger.fileno())
    except OSError as error:
        log.warning("erasure_not_noted", error=type(error).__name__)


def read_ledger(path: Path) -> Iterator[Entry]:
    """All entries; nothing where there is no file. Raises ValueError for a line that is none."""
    if not path.exists():
        return
    with path.open(encoding="ascii") as ledger:
        for line in filter(str.strip, ledger):
            fields = json.loads(line)
            yield Entry(UUID(fields["tenant"]), str(fields["person"]), str(fields["erased_at"]))
