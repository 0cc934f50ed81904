"""What the encoders answered is kept from run to run: thousands of tests read the same sentences, and most of what they
cost is that.

Kept is what onnxruntime computed, under a digest of the model, its version and what it was given. So another model,
another adapter or another way to cut words asks anew, and a process that a test starts computes for itself.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime

from nebo.encoders import loading

LARGEST_FILE = 400_000_000  # bytes; a vector takes 1,600
PATIENCE_S = 60.0  # while another process of the run writes
WRITTEN_AT_ONCE = 200
OPENS = "_open_session"
open_session = loading._open_session
CREATE = "CREATE TABLE IF NOT EXISTS kept (given BLOB PRIMARY KEY, vector BLOB) WITHOUT ROWID"


class KeptVectors:
    """A file of them; without one, nothing is kept. For all threads of the process, but no forked child."""

    def __init__(self, file: Path) -> None:
        self._lock = threading.Lock()
        self._new: dict[bytes, bytes] = {}
        self._connection: sqlite3.Connection | None = None
        with suppress(OSError, sqlite3.Error):
            if file.exists() and file.stat().st_size > LARGEST_FILE:
                file.unlink()
            self._connection = _open(file)
        os.register_at_fork(after_in_child=self._forget)

    def find(self, given: bytes) -> bytes | None:
        """What was answered to this, in this run or an earlier one."""
        with self._lock:
            if given in self._new or self._connection is None:
                return self._new.get(given)
            with suppress(sqlite3.Error):  # of a file that was cut off
                row = self._connection.execute("SELECT vector FROM kept WHERE given = ?", [given]).fetchone()
                return row[0] if row else None
            return None

    def keep(self, given: bytes, vector: bytes) -> None:
        """Written some at a time."""
        with self._lock:
            self._new[given] = vector
            if len(self._new) >= WRITTEN_AT_ONCE:
                self._write()

    def close(self) -> None:
        """Write the rest."""
        with self._lock:
            self._write()
            if self._connection is not None:
                self._connection.close()
            self._connection = None

    def _write(self) -> None:
        if self._connection is not None:
            with (
                suppress(sqlite3.OperationalError),
                self._connection,
            ):  # of a full disk, or a lock for a minute
                self._connection.executemany("INSERT OR IGNORE INTO kept VALUES (?, ?)", self._new.items())
        self._new.clear()

    def _forget(self) -> None:
        """A connection isn't taken along by a fork."""
        self._lock, self._connection, self._new = threading.Lock(), None, {}


def _open(file: Path) -> sqlite3.Connection:
    file.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(file, timeout=PATIENCE_S, check_same_thread=False)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute(CREATE)
    connection.commit()
    return connection


class KeepingSession:
    """onnxruntime's session of one model, which computes what isn't kept."""

    def __init__(self, session: Any, model: bytes, kept: KeptVectors) -> None:
        self._session, self._kept = session, kept
        exact = bytes([loading._adds_up_exactly()])
        self._model = blake2b(model + onnxruntime.__version__.encode() + exact, digest_size=16).digest()

    def run(self, names: Sequence[str], given: Mapping[str, np.ndarray]) -> list[np.ndarray]:
        """The only output that our models have."""
        (value,) = given.values()
        asked = blake2b(
            value.tobytes() + repr(value.shape).encode(), key=self._model, digest_size=16
        ).digest()
        found = self._kept.find(asked)
        if found is not None:
            return [np.frombuffer(found, np.float32)[None].copy()]
        vectors: list[np.ndarray] = self._session.run(names, given)
        self._kept.keep(asked, vectors[0].tobytes())
        return vectors


def keep_vectors(file: Path) -> KeptVectors:
    """From now on, for every model that this process loads."""
    kept = KeptVectors(file)

    def open_keeping(model: bytes) -> Any:
        return KeepingSession(open_session(model), model, kept)

    setattr(loading, OPENS, open_keeping)
    return kept


@contextmanager
def computing() -> Iterator[None]:
    """What is loaded meanwhile computes each vector."""
    keeping = getattr(loading, OPENS)
    setattr(loading, OPENS, open_session)
    try:
        yield
    finally:
        setattr(loading, OPENS, keeping)
