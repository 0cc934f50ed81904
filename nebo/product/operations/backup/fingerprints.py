"""What the tables of a database hold, in a form that can be compared: rows, and a checksum that no order changes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
from psycopg import sql

from nebo.product.operations.backup.archive import TableCount

# Rows are hashed as text, which depends on these.
AS_TEXT = "SET LOCAL timezone = 'UTC'; SET LOCAL datestyle = 'ISO'; SET LOCAL intervalstyle = 'iso_8601'"
TABLES = """
SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1
"""
COUNT = "SELECT count(*), coalesce(sum(hashtextextended(t::text, 0)::numeric), 0)::text FROM {} t"
MIGRATIONS = "SELECT app || '.' || name FROM django_migrations ORDER BY 1"
AUDIT_HEADS = """
SELECT DISTINCT ON (tenant_id) tenant_id::text, digest FROM memories_auditseal ORDER BY tenant_id, number DESC
"""


def list_tables(connection: psycopg.Connection[Any]) -> list[str]:
    """Names of all tables, in order."""
    return [name for (name,) in connection.execute(TABLES)]


def count_tables(connection: psycopg.Connection[Any]) -> Iterator[tuple[str, TableCount]]:
    """Each table with what it holds, inside the connection's open transaction."""
    connection.execute(AS_TEXT)
    for name in list_tables(connection):
        row = connection.execute(sql.SQL(COUNT).format(sql.Identifier(name))).fetchone()
        if row is not None:
            yield name, TableCount(*row)


def list_migrations(connection: psycopg.Connection[Any]) -> tuple[str, ...]:
    """Those that the database has seen, as `app.name`."""
    return tuple(name for (name,) in connection.execute(MIGRATIONS))


def find_audit_heads(connection: psycopg.Connection[Any]) -> dict[str, str]:
    """The newest seal of each tenant's audit log."""
    return dict(connection.execute(AUDIT_HEADS).fetchall())
