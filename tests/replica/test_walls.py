"""The walls between tenants stand on the replica, and nothing but a replica of this database is read from."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from django.conf import settings as django_settings
from django.db import connections

from benchmarks.standby import Standby
from nebo.env import env
from nebo.postgres.replica import REPLICA_ALIAS, ReplicaGone, open_connection
from nebo.tenants.startup import check_database
from tests.conftest import Team
from tests.replica.conftest import Agent, ask_primary, key_of, let_catch_up

TABLES = """
SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id'
WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND NOT a.attisdropped
"""


@pytest.fixture
def app(standby: Standby, agent: Agent, acme: Team, rival: Team) -> Iterator[psycopg.Connection[Any]]:
    """The app's role on the replica, where both teams have a memory."""
    for one in (agent, Agent(key_of(rival))):
        one.call("post", "users/alice/memories/", {"key": "secret", "value": "Keeps a spare key."})
    let_catch_up(standby)
    with psycopg.connect(standby.url(django_settings.DATABASE_URLS.app), dbname=env.test_database) as app:
        yield app


def open_tenant(app: psycopg.Connection[Any], team: Team) -> None:
    app.execute("SELECT set_config('nebo.tenant_id', %s, true)", [str(team.tenant.pk)])


def test_all_that_the_start_looks_for_stands_on_the_replica(app: object) -> None:
    open_connection(connections[REPLICA_ALIAS])

    check_database(using=REPLICA_ALIAS)


def test_without_a_tenant_no_row_is_shown(app: psycopg.Connection[Any]) -> None:
    with pytest.raises(psycopg.errors.UndefinedObject, match=r"nebo\.tenant_id"):
        app.execute("SELECT count(*) FROM memories_memory")


def test_a_tenant_sees_its_own_rows_alone_in_every_table(
    app: psycopg.Connection[Any], acme: Team, rival: Team
) -> None:
    open_tenant(app, acme)
    names = [name for (name,) in app.execute(TABLES).fetchall()]

    seen = {
        name: {tenant for (tenant,) in app.execute(f'SELECT DISTINCT tenant_id FROM "{name}"'.encode())}
        for name in names
    }

    assert seen["memories_memory"] == {acme.tenant.pk}
    assert all(tenants <= {acme.tenant.pk} for tenants in seen.values())
    assert len(names) > 30


def test_nothing_can_be_written_there(app: psycopg.Connection[Any], acme: Team) -> None:
    open_tenant(app, acme)

    with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
        app.execute("UPDATE memories_memory SET value = 'Lost it.'")


def test_a_foreign_memory_is_as_unknown_there_as_one_that_never_was(
    app: object, agent: Agent, rival: Team, standby: Standby
) -> None:
    (foreign,) = ask_primary(f"SELECT id FROM memories_memory WHERE tenant_id = '{rival.tenant.pk}'")
    before = agent.read_by()["replica"]

    assert agent.call("get", f"memories/{foreign}/") == 404
    assert agent.call("get", "memories/01890000-0000-7000-8000-000000000000/") == 404
    assert agent.read_by()["replica"] == before + 2


@contextmanager
def leading_to(url: str) -> Iterator[Any]:
    """A connection like the replica's, to that URL."""
    wrapper: Any = connections[REPLICA_ALIAS].copy()
    info = psycopg.conninfo.conninfo_to_dict(url)
    wrapper.settings_dict = {
        **wrapper.settings_dict,
        "USER": info["user"],
        "PASSWORD": info["password"],
        "PORT": info["port"],
    }
    try:
        yield wrapper
    finally:
        wrapper.close()


def test_the_primary_is_no_replica() -> None:
    with leading_to(django_settings.DATABASE_URLS.app) as own:
        with pytest.raises(ReplicaGone, match="follows no other server"):
            open_connection(own)

        assert own.connection is None


def test_a_role_that_sees_past_the_walls_is_refused(standby: Standby) -> None:
    with leading_to(standby.url(django_settings.DATABASE_URLS.operator)) as own:
        with pytest.raises(ReplicaGone, match="past row-level security"):
            open_connection(own)

        assert own.connection is None


def test_the_app_can_neither_read_nor_set_positions_by_itself(agent: Agent) -> None:
    url = django_settings.DATABASE_URLS.app
    with psycopg.connect(url, dbname=env.test_database, autocommit=True) as app:
        for statement in ("SELECT * FROM tenants_position", "DELETE FROM tenants_position"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                app.execute(statement.encode())
