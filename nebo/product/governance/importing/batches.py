"""What a file brings, cut into pieces that are stored one transaction each, and can wait as rows until then."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.dateparse import parse_datetime

from nebo.product.governance.importing.archive.reading import Rows
from nebo.product.governance.importing.brought import Brought, Note
from sessions.turns.append import NewMessage

MESSAGES_AT_ONCE = 100
NOTES_AT_ONCE = 20


@dataclass(frozen=True, slots=True)
class Talk:
    """Messages of one conversation; `begins` with its first."""

    key: str
    begins: bool
    messages: tuple[NewMessage, ...]

    def __len__(self) -> int:
        return len(self.messages)


@dataclass(frozen=True, slots=True)
class Notes:
    """Things to remember, from the one source."""

    source: str
    notes: tuple[Note, ...]

    def __len__(self) -> int:
        return len(self.notes)


@dataclass(frozen=True, slots=True)
class End:
    """After the last row of an archive; with what stood in the profile."""

    profile: Mapping[str, Any]

    def __len__(self) -> int:
        return 0


Batch = Talk | Notes | Rows | End


def cut(brought: Brought, *, source: str) -> Iterator[Batch]:
    """Conversations in their order, then notes."""
    for history in brought.histories:
        for first in range(0, len(history.messages), MESSAGES_AT_ONCE):
            yield Talk(history.key, first == 0, tuple(history.messages[first : first + MESSAGES_AT_ONCE]))
    for first in range(0, len(brought.notes), NOTES_AT_ONCE):
        yield Notes(source, tuple(brought.notes[first : first + NOTES_AT_ONCE]))


def batch_json(batch: Batch) -> dict[str, Any]:
    """A batch as a row keeps it."""
    if isinstance(batch, End):
        return {"profile": batch.profile}
    if isinstance(batch, Rows):
        return {"table": batch.table, "rows": list(batch.rows), "ours": batch.ours}
    if isinstance(batch, Talk):
        messages = [
            [one.role, one.content, one.external_id, _text_of(one.created_at)] for one in batch.messages
        ]
        return {"talk": batch.key, "begins": batch.begins, "messages": messages}
    notes = [
        [one.origin, one.text, list(one.tags), list(one.about), _text_of(one.noted_at)] for one in batch.notes
    ]
    return {"source": batch.source, "notes": notes}


def batch_of(row: Mapping[str, Any]) -> Batch:
    """The batch that a row keeps."""
    if "profile" in row:
        return End(row["profile"])
    if "table" in row:
        return Rows(row["table"], tuple(row["rows"]), row["ours"])
    if "talk" in row:
        messages = (
            NewMessage(role=role, content=content, external_id=external_id, created_at=_moment_of(at))
            for role, content, external_id, at in row["messages"]
        )
        return Talk(row["talk"], row["begins"], tuple(messages))
    notes = (
        Note(origin, text, tags=tuple(tags), about=tuple(about), noted_at=_moment_of(at))
        for origin, text, tags, about, at in row["notes"]
    )
    return Notes(row["source"], tuple(notes))


def _text_of(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None


def _moment_of(text: str | None) -> datetime | None:
    return parse_datetime(text) if text else None
