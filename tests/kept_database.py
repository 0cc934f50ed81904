"""With `--reuse-db`, a test database copied from one that was made before, unless a migration has changed since.

It is a new one for each run all the same. Making it takes a second instead of many, which counts where the same few
tests run hundreds of times.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import psycopg
from psycopg import sql

from nebo.database import DatabaseUrls, role_of

ROOT = Path(__file__).resolve().parent.parent
PATTERNS = ("*/migrations/*.py", "*/sql/*.sql")
DIGITS = 12  # of the digest in the name
LONGEST = 63  # bytes of a name in Postgres


def template_of(database: str) -> str:
    """The name of the one that is kept for it: another as soon as a file differs that makes tables or functions."""
    files = sorted(path for pattern in PATTERNS for path in ROOT.rglob(pattern) if ".venv" not in path.parts)
    digest = hashlib.sha256()
    for path in files:
        digest.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    return f"{database[: LONGEST - DIGITS - 6]}_kept_{digest.hexdigest()[:DIGITS]}"


def copy_kept(urls: DatabaseUrls, database: str) -> bool:
    """Make the test database from the kept one; False where there is none."""
    template = template_of(database)
    with psycopg.connect(urls.admin, autocommit=True) as admin:
        if not admin.execute("SELECT 1 FROM pg_database WHERE datname = %s", [template]).fetchone():
            return False
        _copy(admin, template, database, role_of(urls.owner))
    return True


def keep(urls: DatabaseUrls, database: str) -> None:
    """Keep the test database as it is, to which nobody may be connected; those that were kept before go."""
    template = template_of(database)
    with psycopg.connect(urls.admin, autocommit=True) as admin:
        older = admin.execute(
            "SELECT datname FROM pg_database WHERE starts_with(datname, %s)", [template[:-DIGITS]]
        ).fetchall()
        for (name,) in older:
            admin.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
        _copy(admin, database, template, role_of(urls.owner))


def _copy(admin: psycopg.Connection, source: str, target: str, owner: str) -> None:
    admin.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(target)))
    statement = sql.SQL("CREATE DATABASE {} TEMPLATE {} OWNER {} STRATEGY file_copy")
    admin.execute(statement.format(*map(sql.Identifier, (target, source, owner))))
