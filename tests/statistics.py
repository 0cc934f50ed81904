"""What the planner knows of the tests' tables: what migrations told it, unless a test has them counted."""

from __future__ import annotations

from typing import Any

import psycopg
from psycopg import sql

from nebo.tenants.isolation import planner_sql

TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1"
CLEAR = """
DO $$ BEGIN
    IF current_setting('server_version_num')::int >= 180000 THEN
        PERFORM pg_clear_relation_stats('public', tablename) FROM pg_tables WHERE schemaname = 'public';
        PERFORM pg_clear_attribute_stats('public', tablename, attname, false)
        FROM pg_stats WHERE schemaname = 'public';
    END IF;
END $$"""
TOLD = """
SELECT attrelid::regclass::text, attname FROM pg_attribute
WHERE attoptions = '{n_distinct=1}' AND attrelid IN (
    SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r')
"""


def count_only_on_demand(owner: psycopg.Connection[Any]) -> None:
    """When autovacuum comes by is chance, and a plan that follows from it is, too."""
    for (table,) in owner.execute(TABLES).fetchall():
        owner.execute(
            sql.SQL("ALTER TABLE {} SET (autovacuum_enabled = false)").format(sql.Identifier(table))
        )


def forget_counts(owner: psycopg.Connection[Any]) -> None:
    """As before the first ANALYZE."""
    owner.execute(CLEAR)
    for table, column in owner.execute(TOLD).fetchall():
        owner.execute(planner_sql(table.strip('"'), column))
