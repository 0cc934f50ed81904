"""Making a backup while Nebo runs: the dump, and what is told about it, are of one moment."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psycopg
from psycopg import IsolationLevel

from nebo.database import DatabaseUrls
from nebo.product.operations.backup.archive import Manifest, write_archive, written_archive
from nebo.product.operations.backup.fingerprints import (
    count_tables,
    find_audit_heads,
    list_migrations,
    list_tables,
)
from nebo.product.operations.backup.postgres_programs import start_program

Progress = Callable[[int, int], None]  # tables done, tables in all


def make_backup(path: Path, *, urls: DatabaseUrls, key: str, progress: Progress) -> Manifest:
    """Write a backup; the secret key is left out where `key` is empty. Raises BackupFailed and psycopg.Error."""
    path = path.resolve()
    with written_archive(path) as scratch, TemporaryDirectory(dir=path.parent, prefix=".backup-") as place:
        folder = Path(place)
        with _one_moment(urls.owner) as (connection, snapshot):
            dump = start_program(
                *("pg_dump", "--format=custom", f"--snapshot={snapshot}", f"--file={folder / 'dump'}"),
                url=urls.owner,
                folder=folder,
            )
            manifest = _describe(connection, urls, progress)
            dump.wait()
        write_archive(scratch, manifest=manifest, dump=folder / "dump", key=key)
    return manifest


@contextmanager
def _one_moment(url: str) -> Iterator[tuple[psycopg.Connection[Any], str]]:
    """A connection that sees the database as it is now, and the name by which others see the same."""
    with psycopg.connect(url) as connection:
        connection.isolation_level = IsolationLevel.REPEATABLE_READ
        connection.read_only = True
        row = connection.execute("SELECT pg_export_snapshot()").fetchone()
        yield connection, row[0] if row else ""


def _describe(connection: psycopg.Connection[Any], urls: DatabaseUrls, progress: Progress) -> Manifest:
    total = len(list_tables(connection))
    tables = {}
    for name, count in count_tables(connection):
        tables[name] = count
        progress(len(tables), total)
    made_at = connection.execute("SELECT now()::text").fetchone()
    return Manifest(
        made_at=made_at[0] if made_at else "",
        tables=tables,
        migrations=list_migrations(connection),
        roles=urls.roles(),
        audit_heads=find_audit_heads(connection),
    )
