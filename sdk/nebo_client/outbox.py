"""Turns that Nebo couldn't be given yet, kept on disk until it can be reached again.

A turn is a file of its own, written whole or not at all, in a folder that several processes may share. Each message has
an `external_id` from the start, so that a turn which did arrive before the connection broke isn't stored twice.
"""

from __future__ import annotations

import json
import os
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from nebo_client.shapes import NewMessage

LOCK = "sending"
LOCK_OLD_S = 120.0  # after which whoever held the lock is taken for dead


@dataclass(frozen=True, slots=True)
class KeptTurn:
    """A turn, and the session that it belongs to."""

    user: str
    session: str
    persona: str | None
    messages: Sequence[NewMessage]


class Outbox:
    """A folder of turns in the order in which they were given."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder).expanduser()

    def __len__(self) -> int:
        return len(self._files())

    def keep(self, turn: KeptTurn) -> None:
        """Return only when it is on disk."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        name = f"{time.time_ns():020d}-{uuid.uuid4().hex}"
        part = self.folder / f"{name}.part"
        with part.open("w", encoding="utf-8") as file:
            json.dump(asdict(turn), file, ensure_ascii=False)
            file.flush()
            os.fsync(file.fileno())
        part.rename(self.folder / f"{name}.json")

    def list_turns(self) -> Iterator[tuple[Path, KeptTurn]]:
        """Oldest first."""
        for path in self._files():
            with suppress(FileNotFoundError):  # another process was quicker
                yield path, KeptTurn(**json.loads(path.read_text(encoding="utf-8")))

    def drop(self, path: Path) -> None:
        """It was stored. Whoever sends is still alive, too."""
        path.unlink(missing_ok=True)
        (self.folder / LOCK).touch()

    def put_aside(self, path: Path, reason: str) -> None:
        """It was refused for good. It stays in `refused/` beside the reason, and the others go on."""
        aside = self.folder / "refused"
        aside.mkdir(exist_ok=True)
        (aside / f"{path.stem}.txt").write_text(reason, encoding="utf-8")
        path.rename(aside / path.name)

    @contextmanager
    def sending(self) -> Iterator[bool]:
        """Whether it is this process's turn to send: two at once would mix the order up."""
        lock = self.folder / LOCK
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with suppress(FileNotFoundError):
            if time.time() - lock.stat().st_mtime > LOCK_OLD_S:
                lock.unlink()
        try:
            lock.touch(exist_ok=False)
        except FileExistsError:
            yield False
            return
        try:
            yield True
        finally:
            lock.unlink(missing_ok=True)

    def _files(self) -> list[Path]:
        return sorted(self.folder.glob("*.json"))


def stamp(messages: Sequence[NewMessage]) -> list[NewMessage]:
    """The same messages with a name and a time of their own, where they have none."""
    now = datetime.now(UTC).isoformat()
    return [{"external_id": str(uuid.uuid4()), "created_at": now, **message} for message in messages]
