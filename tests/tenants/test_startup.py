"""The check before serving: passes on the migrated database, and names each wall that is down."""

from __future__ import annotations

import pytest
from django.conf import settings
from django.db import connection, connections

from nebo.tenants import startup
from nebo.tenants.startup import UnsafeDatabase, check_database, list_faults, list_tenant_models

pytestmark = pytest.mark.django_db(databases=["default", "owner"])


def break_wall(statement: str) -> None:
    """As the owner, who alone could; the test's transaction is rolled back."""
    with connections["owner"].cursor() as cursor:
        cursor.execute(statement.format(app=settings.DATABASE_ROLES["app"]))


def test_every_table_of_a_tenant_stands_behind_the_walls() -> None:
    assert len(list_tenant_models()) > 30

    check_database()


def test_the_check_looks_at_every_table_with_a_tenant() -> None:
    with connection.cursor() as cursor:
        cursor.execute(startup.TABLES, [startup.TENANT_TABLE])
        seen = {row[0] for row in cursor.fetchall()}

    assert {model._meta.db_table for model in list_tenant_models()} <= seen


@pytest.mark.parametrize(
    ("statement", "fault"),
    [
        ("ALTER TABLE jobs_job DISABLE ROW LEVEL SECURITY", "jobs_job: row-level security is not enabled"),
        ("ALTER TABLE jobs_job NO FORCE ROW LEVEL SECURITY", "jobs_job: row-level security is not forced"),
        ("DROP POLICY tenant_isolation ON jobs_job", "jobs_job: the policy tenant_isolation for"),
        ('CREATE POLICY hole ON jobs_job TO "{app}" USING (true)', "jobs_job: the policy hole opens"),
        (
            "ALTER POLICY tenant_isolation ON jobs_job USING (true)",
            "jobs_job: the policy tenant_isolation for",
        ),
        (
            "ALTER TABLE memories_version DROP CONSTRAINT memories_version_memory_id_tenant_fk",
            "memories_version: memory_id is not held",
        ),
        ('GRANT DELETE ON agent_sessions_session TO "{app}"', "agent_sessions_session: the app may DELETE"),
        ('GRANT INSERT ON memories_auditseal TO "{app}"', "memories_auditseal: the app may"),
        ("CREATE TABLE stray (tenant_id uuid)", "stray: row-level security is not enabled"),
        ("DROP TABLE api_idempotencyrecord", "api_idempotencyrecord: missing"),
        (
            "ALTER TABLE api_idempotencyrecord DROP CONSTRAINT api_idempotencyrecord_pkey",
            "primary key does not lead",
        ),
    ],
)
def test_a_wall_that_is_down_is_named(statement: str, fault: str) -> None:
    break_wall(statement)

    faults = list_faults(using="owner")

    assert any(fault in one for one in faults), faults


def test_a_connection_with_more_rights_than_the_app_is_refused() -> None:
    with pytest.raises(UnsafeDatabase, match="BYPASSRLS") as caught:
        check_database(using="owner")

    assert any("owns" in one for one in caught.value.faults)
