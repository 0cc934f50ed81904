"""The file of a backup: a zip of three members, none of them compressed again.

manifest.json   what the database held: rows and checksum a table, migrations, roles, heads of the audit log
nebo.dump       PostgreSQL's own custom format, as `pg_dump -Fc` writes it
secret_key      unless it was left out: passwords of roles, logins and encrypted secrets depend on it
"""

from __future__ import annotations

import json
import os
import shutil
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

FORMAT = 1
MANIFEST, DUMP, KEY = "manifest.json", "nebo.dump", "secret_key"


class BackupFailed(RuntimeError):
    """It can't be made, read or brought back; says why in a sentence."""


@dataclass(frozen=True, slots=True)
class TableCount:
    """What a table holds: its rows, and the sum of a hash over each, which doesn't depend on their order."""

    rows: int
    checksum: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup says of itself. `roles` by purpose, as `DatabaseUrls.roles` gives them."""

    made_at: str
    tables: Mapping[str, TableCount]
    migrations: tuple[str, ...]
    roles: Mapping[str, str]
    audit_heads: Mapping[str, str]
    format: int = FORMAT

    @property
    def rows(self) -> int:
        """Of all tables."""
        return sum(table.rows for table in self.tables.values())

    def to_json(self) -> str:
        return json.dumps(asdict(self), indent=1, sort_keys=True)

    @classmethod
    def from_json(cls, text: bytes) -> Manifest:
        """Raises BackupFailed for anything else."""
        try:
            head: dict[str, Any] = json.loads(text)
            if head.get("format") != FORMAT:
                raise BackupFailed(f"This backup has format {head.get('format')}; this Nebo reads {FORMAT}.")
            tables = {name: TableCount(**table) for name, table in head.pop("tables").items()}
            return cls(**head | {"tables": tables, "migrations": tuple(head["migrations"])})
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise BackupFailed("Its manifest can't be read.") from error


@contextmanager
def written_archive(path: Path) -> Iterator[Path]:
    """A new file beside `path`, for nobody else's eyes, that takes its name once the block is done."""
    scratch = path.with_name(f"{path.name}.partial")
    try:
        scratch.touch(mode=0o600)
        yield scratch
        with scratch.open("rb") as written:
            os.fsync(written.fileno())
        scratch.replace(path)
    except OSError as error:
        raise BackupFailed(f"{path} can't be written: {error.strerror}.") from error
    finally:
        scratch.unlink(missing_ok=True)


def write_archive(path: Path, *, manifest: Manifest, dump: Path, key: str) -> None:
    """Put the members together; without a `key` that member is left out."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr(MANIFEST, manifest.to_json())
        if key:
            archive.writestr(KEY, key)
        archive.write(dump, DUMP)


@dataclass(frozen=True, slots=True)
class Archive:
    """An opened backup."""

    path: Path
    manifest: Manifest
    key: str

    def extract_dump(self, folder: Path) -> Path:
        """The dump as a file of its own; raises BackupFailed where the file is damaged."""
        target = folder / DUMP
        try:
            with (
                zipfile.ZipFile(self.path) as archive,
                archive.open(DUMP) as source,
                target.open("wb") as out,
            ):
                shutil.copyfileobj(source, out)
        except (zipfile.BadZipFile, OSError) as error:
            raise BackupFailed(f"{self.path} is damaged: {error}.") from error
        return target


def read_archive(path: Path) -> Archive:
    """Open a backup; raises BackupFailed."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
            if not {MANIFEST, DUMP} <= names:
                raise BackupFailed(f"{path} is no backup of Nebo.")
            key = archive.read(KEY).decode() if KEY in names else ""
            return Archive(path, Manifest.from_json(archive.read(MANIFEST)), key)
    except (zipfile.BadZipFile, OSError, UnicodeDecodeError) as error:
        raise BackupFailed(f"{path} can't be read: {error}.") from error
