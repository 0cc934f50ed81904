"""postgres.json: what a data directory remembers of its server. And the lock for those who change it."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from nebo.embedded.errors import EmbeddedPostgresError


@dataclass(frozen=True, slots=True)
class State:
    """`run_as` names the server's account; `outside` is the cluster's path where it lies elsewhere."""

    port: int
    password: str
    run_as: str
    outside: str = ""

    def cluster(self, data_dir: Path) -> Path:
        """PostgreSQL's own data folder."""
        return Path(self.outside) if self.outside else data_dir / "postgres"


def state_file(data_dir: Path) -> Path:
    return data_dir / "postgres.json"


def find_state(data_dir: Path) -> State | None:
    """Return what is remembered, None for a data directory without a server. Raises EmbeddedPostgresError."""
    path = state_file(data_dir)
    try:
        return State(**json.loads(path.read_text()))
    except FileNotFoundError:
        return None
    except PermissionError as error:
        raise EmbeddedPostgresError(
            f"{path} belongs to another user: run as that one, or as root."
        ) from error
    except (ValueError, TypeError) as error:
        raise EmbeddedPostgresError(f"{path} is damaged: {error}.") from error


def save_state(data_dir: Path, state: State) -> None:
    """Write postgres.json whole or not at all, readable by the owner of the data directory alone."""
    scratch = data_dir / "postgres.json.new"
    scratch.unlink(missing_ok=True)
    scratch.touch(mode=0o600)
    scratch.write_text(json.dumps(asdict(state), indent=1))
    if os.geteuid() == 0:
        owner = data_dir.stat()
        os.chown(scratch, owner.st_uid, owner.st_gid)
    sync(scratch)
    scratch.replace(state_file(data_dir))
    sync(data_dir)


def sync(path: Path) -> None:
    """Bring a file, or the names in a folder, to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def locked(data_dir: Path) -> Iterator[None]:
    """Let one process at a time change the server. The folder itself is locked: no file to leave behind."""
    descriptor = os.open(data_dir, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
