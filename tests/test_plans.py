"""Statements with one plan for all values: how they find their rows before a table was ever counted."""

from __future__ import annotations

import re
from pathlib import Path

import psycopg
import pytest
from django.apps import apps
from django.conf import settings
from django.db import connection

from memories.models import Memory
from nebo.env import env
from nebo.postgres.bulk_insert import insert_all
from nebo.postgres.prepared import Statement
from nebo.postgres.sql_files import read_statement
from nebo.tenants.models import TenantModel
from nebo.tenants.scoping import tenant_scope
from sessions.context.inputs import CONTEXT_READS, LAST_WORDS
from sessions.context.pointing import NEWEST_WORDS
from sessions.context.recall import RESULT_READS
from tests.conftest import Team
from tests.statistics import forget_counts

STATEMENTS = {
    path.stem: read_statement(config.label, path.stem)
    for config in apps.get_app_configs()
    for path in Path(config.path, "sql", "statements").glob("*.sql")
}
GATHERINGS = {
    "ground": CONTEXT_READS,
    "last words": LAST_WORDS,
    "newest words": NEWEST_WORDS,
    "beside": RESULT_READS,
}
TABLES = sorted(model._meta.db_table for model in apps.get_models() if issubclass(model, TenantModel))
ENTRY = re.compile(r"using (\w+) on (\w+).*\n\s*Index Cond: (.*)")
COLUMN = re.compile(r"\(+(\w+)\)?(?:::text)? (?:=|>=|<=) ")


@pytest.fixture(scope="module")
def never_counted(django_db_setup: None) -> None:
    """Tables as a first start finds them: without what earlier tests left in their files, and without statistics but
    those that migrations gave them.
    """
    with psycopg.connect(settings.DATABASE_URLS.owner, dbname=env.test_database, autocommit=True) as owner:
        for table in TABLES:
            owner.execute(f'VACUUM (FULL) "{table}"')
        forget_counts(owner)


@pytest.mark.usefixtures("never_counted", "db")
@pytest.mark.parametrize("rows", [0, 1_000])
@pytest.mark.parametrize("name", [*STATEMENTS, *GATHERINGS])
def test_no_index_is_entered_by_the_tenant_alone(acme: Team, name: str, rows: int) -> None:
    with tenant_scope(acme.tenant):
        insert_all([make_memory(acme, number) for number in range(rows)])
        gathering = GATHERINGS.get(name)
        query = gathering.statement(acme.tenant.pk) if gathering else STATEMENTS[name]
        plan = explain(query)

    found = ENTRY.findall(plan)
    assert found
    assert [entry for entry in found if set(COLUMN.findall(entry[2])) <= {"tenant_id"}] == []
    assert [table for table in TABLES if f"Seq Scan on {table}" in plan] == []


@pytest.mark.usefixtures("never_counted", "committed_db")
def test_memories_are_found_by_their_ids_where_many_have_come_and_gone(acme: Team) -> None:
    with tenant_scope(acme.tenant):
        insert_all([make_memory(acme, number) for number in range(6_000)])
    with psycopg.connect(settings.DATABASE_URLS.owner, dbname=env.test_database, autocommit=True) as owner:
        owner.execute("DELETE FROM memories_memory")
        owner.execute("VACUUM memories_memory")  # the table gets small, its indexes don't
        owner.execute("SELECT pg_clear_relation_stats('public', 'memories_memory')")

    with tenant_scope(acme.tenant):
        found = ENTRY.findall(explain(RESULT_READS.statement(acme.tenant.pk)))

    assert [entry for entry in found if set(COLUMN.findall(entry[2])) <= {"tenant_id"}] == []


def make_memory(team: Team, number: int) -> Memory:
    return Memory(
        tenant=team.tenant, person=team.person, layer="tacit", namespace="tacit/facts", key=f"key-{number}",
        value="Has a dog.", source="agent",
    )  # fmt: skip


def explain(query: Statement) -> str:
    """The plan as the app role has it, with row-level security."""
    with connection.cursor() as cursor:
        cursor.execute(query.pin)
        cursor.execute(f"EXPLAIN (GENERIC_PLAN) {query.sql}")
        return "\n".join(row[0] for row in cursor.fetchall())


@pytest.mark.parametrize(
    ("table", "column"), [*((table, "tenant_id") for table in TABLES), ("memories_memory", "status")]
)
def test_the_planner_takes_one_for_all(db: None, table: str, column: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT attoptions FROM pg_attribute WHERE attrelid = %s::regclass AND attname = %s",
            [table, column],
        )
        assert cursor.fetchone() == (["n_distinct=1"],)
