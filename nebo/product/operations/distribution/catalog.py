"""What the database itself says: its extension, its nodes, which table stands where, and its rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import psycopg

from nebo.product.operations.distribution.plan import TablePlan, list_plan

HAS_CITUS = "SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')"
PLACES = """
SELECT c.relname, CASE WHEN p.partmethod = 'h' THEN 'distributed'
                       WHEN p.partmethod = 'n' AND p.repmodel = 't' THEN 'reference'
                       WHEN p.partmethod = 'n' THEN 'known' ELSE 'local' END
FROM pg_class c LEFT JOIN pg_dist_partition p ON p.logicalrelid = c.oid
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
  AND NOT EXISTS (SELECT FROM pg_dist_shard s WHERE c.relname LIKE '%%\\_' || s.shardid)
"""
FOREIGN_KEYS = """
SELECT c.conrelid::regclass::text, c.conname, pg_get_constraintdef(c.oid), c.confrelid::regclass::text
FROM pg_constraint c WHERE c.contype = 'f' AND c.connamespace = 'public'::regnamespace
  AND c.conrelid::regclass::text = ANY(%s)
ORDER BY 1, 2
"""
UNIQUE_WITHOUT_TENANT = """
SELECT c.conrelid::regclass::text, c.conname, pg_get_constraintdef(c.oid)
FROM pg_constraint c
WHERE c.contype = 'u' AND c.connamespace = 'public'::regnamespace AND c.conrelid::regclass::text = ANY(%s)
  AND NOT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.conrelid AND a.attnum = ANY(c.conkey)
                  AND a.attname = 'tenant_id')
ORDER BY 1, 2
"""
TRIGGERS = """
SELECT t.tgrelid::regclass::text, t.tgname, pg_get_triggerdef(t.oid)
FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
WHERE NOT t.tgisinternal AND c.relnamespace = 'public'::regnamespace AND t.tgrelid::regclass::text = ANY(%s)
  AND t.tgname NOT LIKE 'citus%%' AND t.tgname NOT LIKE 'truncate_trigger_%%'
ORDER BY 1, 2
"""
NODES = "SELECT nodename || ':' || nodeport FROM pg_dist_node WHERE isactive AND shouldhaveshards ORDER BY 1"


@dataclass(frozen=True, slots=True)
class Rule:
    """A foreign key, a unique constraint or a trigger, with the SQL that makes it."""

    table: str
    name: str
    definition: str
    target: str = ""


def has_citus(connection: psycopg.Connection[Any]) -> bool:
    """Whether the extension is in this database."""
    return bool(_values(connection, HAS_CITUS)[0])


def list_nodes(connection: psycopg.Connection[Any]) -> list[str]:
    """Host and port of each node that takes shards."""
    return [str(node) for node in _values(connection, NODES)]


def read_places(connection: psycopg.Connection[Any]) -> dict[str, str]:
    """Where each table stands now. A database without Citus has them all in one place."""
    if not has_citus(connection):
        return {}
    return dict(connection.execute(PLACES).fetchall())


def list_misplaced(connection: psycopg.Connection[Any]) -> list[TablePlan]:
    """Tables that don't stand yet where the plan has them."""
    places = read_places(connection)
    return [one for one in list_plan() if places.get(one.table, "local") != one.place]


def list_rules(connection: psycopg.Connection[Any], question: str, tables: list[str]) -> Iterator[Rule]:
    """The rules that one of the questions above finds on these tables."""
    for row in connection.execute(question, [tables]).fetchall():
        yield Rule(*row)


def _values(connection: psycopg.Connection[Any], question: str) -> list[Any]:
    return [value for (value,) in connection.execute(question).fetchall()]
