"""Bringing a backup back into an empty database, and finding out whether everything came back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
from django.db.migrations.loader import MigrationLoader

from nebo.database import DatabaseUrls, prepare_database
from nebo.product.operations.backup.archive import Archive, BackupFailed
from nebo.product.operations.backup.fingerprints import count_tables, find_audit_heads, list_tables
from nebo.product.operations.backup.postgres_programs import start_program

JOBS = 2  # tables that are filled at a time


def check_target(archive: Archive, urls: DatabaseUrls, *, replace: bool) -> None:
    """Raise BackupFailed where the backup doesn't fit this code or this database, which nothing has touched yet."""
    unknown = set(archive.manifest.migrations) - _known_migrations()
    if unknown:
        raise BackupFailed(
            f"It was made by a newer Nebo, which knows {min(unknown)}: install that version first."
        )
    if archive.manifest.roles != urls.roles():
        wanted = archive.manifest.roles["app"].removesuffix("_app")
        raise BackupFailed(f"Its roles have other names: restore into a database called {wanted}.")
    if not replace and _has_tables(urls):
        raise BackupFailed("There are tables in this database already; --replace removes them.")


def _known_migrations() -> set[str]:
    return {".".join(name) for name in MigrationLoader(None).disk_migrations}


def _has_tables(urls: DatabaseUrls) -> bool:
    try:
        with psycopg.connect(urls.admin) as connection:
            return bool(list_tables(connection))
    except psycopg.OperationalError as error:
        if "does not exist" in str(error):
            return False
        raise


def restore(archive: Archive, urls: DatabaseUrls) -> None:
    """Make roles and an empty database anew, and fill it. Raises BackupFailed and psycopg.Error."""
    prepare_database(urls, fresh=True)
    with TemporaryDirectory(dir=archive.path.parent, prefix=".restore-") as place:
        folder = Path(place)
        dump = archive.extract_dump(folder)
        arguments = ("--exit-on-error", f"--jobs={JOBS}", str(dump))
        start_program("pg_restore", *arguments, url=urls.admin, folder=folder).wait()


def list_differences(archive: Archive, urls: DatabaseUrls) -> Iterator[str]:
    """What isn't as it was dumped, a sentence each; to be asked before anything is written."""
    manifest = archive.manifest
    with psycopg.connect(urls.owner) as connection:
        found = dict(count_tables(connection))
        heads = find_audit_heads(connection)
    for name in sorted(manifest.tables.keys() | found):
        before, after = manifest.tables.get(name), found.get(name)
        if before is None or after is None:
            yield f"The table {name} is {'missing' if after is None else 'new'}."
        elif before != after:
            yield f"{name}: {before.rows} rows were dumped, {after.rows} came back, or not the same ones."
    if heads != manifest.audit_heads:
        yield "The audit log ends elsewhere."
