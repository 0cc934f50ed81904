"""Fixtures for every test: a real Postgres, used as the role without privileges, with two tenants in it.

The database is made once a run: roles, migrations as the owner, and the tenants `acme` and `rival` with a
person each, committed. A test that asks for `db` runs in a transaction that is rolled back; one that needs
commits, threads or another process asks for `committed_db`, which empties the tables afterwards.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils import timezone
from psycopg import sql
from psycopg.pq import TransactionStatus

from nebo.database import DatabaseUrls, database_urls, ensure_server, prepare_database
from nebo.env import env
from nebo.llm.breakers import forget_breakers
from nebo.postgres.layout import IS_DISTRIBUTED
from nebo.postgres.replica import has_replica
from nebo.tenants.models import Membership, Tenant, User, UserProfile
from nebo.tenants.scoping import operator_scope, tenant_scope
from search.embeddings.serving import forget_models
from tests.distributed import COMMITTING, join_workers, one_at_a_time
from tests.documented import take_faults
from tests.kept_database import copy_kept, keep
from tests.statistics import count_only_on_demand, forget_counts

LARGE_TABLE = 1_000_000  # bytes
# Where a database is distributed, the owner can't write what the app has written in the same transaction. A test is
# one, while in use the first call is marked in a transaction of its own.
MARKED = {"first_call_at": timezone.now()} if IS_DISTRIBUTED else {}
KEPT_VECTORS = pytest.StashKey[Any]()
LONG = ("slow", "worker", "browser")
GARBAGE = (10_000, 10, 50)  # as `gc.set_threshold` takes them
EMPTYING: list[psycopg.Connection[Any]] = []  # one, once there is any
KEPT_TABLES = {"django_migrations", "django_content_type", "auth_permission"}


def pytest_configure(config: pytest.Config) -> None:
    from tests.kept_vectors import keep_vectors  # loads onnxruntime, which a worker of the tests must not

    config.stash[KEPT_VECTORS] = keep_vectors(config.rootpath / ".pytest_cache" / "vectors.sqlite3")


def pytest_unconfigure(config: pytest.Config) -> None:
    config.stash[KEPT_VECTORS].close()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--hostile", default="", help='hostile texts for every page, `{"text": …}` a line of a file'
    )


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Behind those in a transaction, which pytest-django has put first, the long ones: one that began last would keep a
    process busy for a minute while the others have nothing left to do. All of them at the beginning took longer: they
    start processes of their own, and stood in each other's way.
    """
    items.sort(key=_turn_of)


def _turn_of(item: pytest.Item) -> int:
    if item.get_closest_marker("django_db") or "db" in getattr(item, "fixturenames", ()):
        return 0
    return 1 if any(item.get_closest_marker(name) for name in LONG) else 2


def pytest_collection_finish() -> None:
    """What is loaded now stays: it isn't looked through for garbage, and what comes after it less often than usual."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GARBAGE)


@pytest.fixture(autouse=True)
def _answers_are_as_documented() -> Iterator[None]:
    """Whatever the test asked of the API, its answers are those of the OpenAPI document."""
    take_faults()
    yield
    assert take_faults() == []


@pytest.fixture(autouse=True)
def _no_provider_rests() -> None:
    """What failed in one test is asked in the next."""
    forget_breakers()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown() -> None:
    """A session of Citus in which planning has failed plans others wrongly: there each test has its own."""
    if IS_DISTRIBUTED:
        for alias in connections:
            connections[alias].close()


@dataclass(frozen=True)
class Team:
    """A tenant of the tests: itself, its owner's login, and the person linked to it."""

    tenant: Tenant
    owner: User
    person: UserProfile
    shared: UserProfile


@pytest.fixture(scope="session")
def django_db_setup(
    request: pytest.FixtureRequest, django_db_blocker: pytest.FixtureRequest
) -> Iterator[None]:
    """A fresh database, migrated by its owner; all aliases point at it."""
    ensure_server()
    urls = database_urls(env)
    keeps = request.config.getoption("reuse_db") and not IS_DISTRIBUTED
    with one_at_a_time(urls) if IS_DISTRIBUTED else nullcontext():
        make_database(urls, django_db_blocker, keeps=keeps)
    yield
    with django_db_blocker.unblock():
        for connection in (*EMPTYING, *(connections[alias] for alias in connections)):
            connection.close()


def make_database(urls: DatabaseUrls, django_db_blocker: pytest.FixtureRequest, *, keeps: bool) -> None:
    is_kept = keeps and copy_kept(urls, env.test_database)
    prepare_database(urls, database=env.test_database, fresh=not is_kept)
    lose_what_a_crash_would(urls)
    if IS_DISTRIBUTED:
        join_workers(urls, env.test_database)
    for alias in connections:
        connections[alias].close()
        connections[alias].settings_dict["NAME"] = env.test_database
    if not is_kept:
        with django_db_blocker.unblock():
            fill_database(urls)
        if keeps:
            keep(urls, env.test_database)


def fill_database(urls: DatabaseUrls) -> None:
    """Tables, and two teams."""
    call_command("migrate", database="owner", verbosity=0, skip_checks=True)
    with psycopg.connect(urls.owner, dbname=env.test_database, autocommit=True) as owner:
        count_only_on_demand(owner)
    make_teams()
    for alias in connections:
        connections[alias].close()


def lose_what_a_crash_would(urls: DatabaseUrls) -> None:
    """No commit waits for the disk: processes are killed in tests, the server never is."""
    with psycopg.connect(urls.admin, autocommit=True) as connection:
        statement = sql.SQL("ALTER DATABASE {} SET synchronous_commit = off")
        connection.execute(statement.format(sql.Identifier(env.test_database)))


def make_teams() -> None:
    """`acme` and `rival`, each with an owner, a person and the shared profile."""
    with operator_scope():
        for slug in ("acme", "rival"):
            tenant = Tenant.objects.using("operator").create(slug=slug, name=slug.title(), **MARKED)
            owner = User.objects.db_manager("operator").create_user(
                f"owner@{slug}.example", "correct horse battery"
            )
            Membership.unscoped.create(tenant=tenant, user=owner, role=Membership.Role.OWNER)
            UserProfile.unscoped.create(tenant=tenant, external_id="alice", login=owner)
            UserProfile.unscoped.create(tenant=tenant, kind=UserProfile.Kind.SHARED, external_id="shared")


def team(slug: str) -> Team:
    """Load a team's committed rows, as the app role may."""
    tenant = Tenant.objects.get(slug=slug)
    with tenant_scope(tenant):
        rows = UserProfile.objects.for_tenant(tenant).select_related("login")
        profiles = {person.kind: person for person in rows}
    person = profiles[UserProfile.Kind.PERSON]
    return Team(tenant, person.login, person, profiles[UserProfile.Kind.SHARED])


@pytest.fixture
def acme(django_db_setup: None, django_db_blocker: pytest.FixtureRequest) -> Team:
    with django_db_blocker.unblock():
        return team("acme")


@pytest.fixture
def rival(django_db_setup: None, django_db_blocker: pytest.FixtureRequest) -> Team:
    with django_db_blocker.unblock():
        return team("rival")


def commits(test: str) -> bool:
    """Whether that test's transaction isn't rolled back: what isn't committed never reaches a replica."""
    return has_replica() or (IS_DISTRIBUTED and test.startswith(tuple(COMMITTING)))


if has_replica() or IS_DISTRIBUTED:

    @pytest.fixture
    def db(request: pytest.FixtureRequest) -> None:
        """As a test asks for it that would be rolled back elsewhere."""
        request.getfixturevalue("committed_db" if commits(request.node.nodeid) else "_django_db_helper")

    @pytest.fixture(autouse=True)
    def _django_db_marker(request: pytest.FixtureRequest) -> None:
        if request.node.get_closest_marker("django_db"):
            request.getfixturevalue("db")


@pytest.fixture
def committed_db(django_db_setup: None, django_db_blocker: pytest.FixtureRequest) -> Iterator[None]:
    """No transaction around the test; whatever it commits is emptied out afterwards, and the teams made anew."""
    with django_db_blocker.unblock(), committed():
        yield


@contextmanager
def committed() -> Iterator[None]:
    """What is committed meanwhile is gone afterwards."""
    forget_models()  # a process knows for seconds which model serves: that of the test before
    try:
        yield
    finally:
        forget_models()
        empty_tables()
        make_teams()
        for alias in connections:
            make_as_new(connections[alias])


def make_as_new(connection: BaseDatabaseWrapper) -> None:
    """What a test may have left in it is gone. A new connection would take 10 ms, and plan every statement anew."""
    raw = connection.connection
    is_idle = raw is not None and not raw.closed and raw.info.transaction_status == TransactionStatus.IDLE
    if is_idle and not connection.in_atomic_block and not (IS_DISTRIBUTED or has_replica()):
        with suppress(psycopg.Error):
            raw.execute("SELECT pg_advisory_unlock_all(); RESET ALL; UNLISTEN *; DISCARD TEMP")
            return
    connection.close()


def emptying() -> psycopg.Connection[Any]:
    """The connection that looks after the tables between tests: one for all of them, unless it was ended."""
    if EMPTYING:
        with suppress(psycopg.OperationalError):
            EMPTYING[0].execute("SELECT 1")
            return EMPTYING[0]
        EMPTYING.pop().close()
    EMPTYING.append(psycopg.connect(settings.DATABASE_URLS.admin, dbname=env.test_database, autocommit=True))
    return EMPTYING[0]


def empty_tables() -> None:
    """Delete whatever was committed; with TRUNCATE only where it must be, which takes twenty times as long."""
    urls = settings.DATABASE_URLS
    connection = emptying()
    rows = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
    names = [sql.Identifier(name) for (name,) in rows if name not in KEPT_TABLES]
    if IS_DISTRIBUTED or can_delete(connection):
        delete_rows(connection, names)
        return
    with psycopg.connect(urls.owner, dbname=env.test_database, autocommit=True) as owner:
        owner.execute(sql.SQL("TRUNCATE {} CASCADE").format(sql.SQL(", ").join(names)))
        forget_counts(owner)


def can_delete(connection: psycopg.Connection[Any]) -> bool:
    """Not where statistics or many pages would stay behind and shape the plans of the next test; and only a superuser
    may go past triggers and foreign keys.
    """
    question = """
        SELECT (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AND NOT EXISTS (
            SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
            AND relname <> ALL(%s) AND (reltuples >= 0 OR pg_relation_size(oid) > %s))
    """
    row = connection.execute(question, [list(KEPT_TABLES), LARGE_TABLE]).fetchone()
    return bool(row and row[0])


def delete_rows(connection: psycopg.Connection[Any], names: Sequence[sql.Identifier]) -> None:
    """Of the tables that have any, past their triggers."""
    asked = sql.SQL(" UNION ALL ").join(
        sql.SQL("SELECT {} WHERE EXISTS (SELECT FROM {})").format(place, name)
        for place, name in enumerate(names)
    )
    if IS_DISTRIBUTED:  # where such a question has too many parts
        single = sql.SQL("SELECT EXISTS (SELECT 1 FROM {})")
        filled = [name for name in names if connection.execute(single.format(name)).fetchone() == (True,)]
    else:
        filled = [names[place] for (place,) in connection.execute(asked).fetchall()]
    with connection.transaction():
        connection.execute("SET LOCAL session_replication_role = replica")
        if IS_DISTRIBUTED:
            connection.execute("SET LOCAL citus.multi_shard_modify_mode = sequential")
        for name in filled:
            connection.execute(sql.SQL("DELETE FROM {}").format(name))
