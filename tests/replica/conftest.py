"""A caller, the standby, and who answered. Only `make test-replica` has a standby; nothing is collected elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import psycopg
import pytest
from django.conf import settings as django_settings
from django.test import Client

from benchmarks.standby import Standby, standby_of
from nebo.env import env
from nebo.metrics import REPLICA_READS
from nebo.postgres.replica import BREAKER, RECENT, REPLICA_ALIAS, has_replica
from nebo.tenants.positions import EVERYBODY
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.services import issue_key
from tests.conftest import Team
from tests.operations.waiting import wait_until
from tests.replicated import SETTINGS

collect_ignore_glob = [] if has_replica() else ["test_*.py"]


@dataclass
class Agent:
    """Calls the API with a key, as JSON; `read_by` counts who answered since it was made."""

    key: str
    client: Client = field(default_factory=lambda: Client(raise_request_exception=False))
    before: Counter[str] = field(default_factory=lambda: count_reads())

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """The answer's JSON, or its status where that isn't a success."""
        headers = {"Authorization": f"Bearer {self.key}"}
        send = getattr(self.client, method)
        given = {} if body is None else {"data": body, "content_type": "application/json"}
        answer = send(f"/api/v1/{path}", headers=headers, **given)
        return answer.json() if answer.status_code < 300 else answer.status_code

    def read_by(self) -> Counter[str]:
        return count_reads() - self.before


def count_reads() -> Counter[str]:
    """Readings so far in this process, by who answered."""
    samples = [sample for metric in REPLICA_READS.collect() for sample in metric.samples]
    return Counter(
        {one.labels["by"]: int(one.value) for one in samples if one.name.endswith("_total") and one.value}
    )


def key_of(team: Team) -> str:
    with tenant_scope(team.tenant):
        return issue_key(tenant=team.tenant).secret


@pytest.fixture(autouse=True)
def _as_in_use(committed_db: None, standby: Standby, settings: Any) -> Iterator[None]:
    """Nobody waits for the replica, and it may lie behind by an hour; each test begins with one that is well."""
    settings.REPLICA_STALENESS_S, settings.REPLICA_WAIT_S = 3600.0, 0.0
    RECENT.samples.clear()
    ask_primary(f"SELECT nebo_note_position('{EVERYBODY}')")
    let_catch_up(standby)
    yield
    wait_until(lambda: not BREAKER.reason)


@pytest.fixture
def agent(_as_in_use: None, acme: Team) -> Agent:
    return Agent(key_of(acme))


@pytest.fixture(scope="session")
def standby() -> Standby:
    """The one that the run has started."""
    params = django_settings.DATABASES[REPLICA_ALIAS]
    folder = env.data_dir.with_name("standby")
    return standby_of(env.data_dir, folder, int(params["PORT"]), SETTINGS)


def ask_primary(statement: str) -> Any:
    """As its superuser, in the tests' database."""
    return _ask(django_settings.DATABASE_URLS.admin, statement)


def ask_standby(standby: Standby, statement: str) -> Any:
    """The same of the standby."""
    return _ask(standby.url(django_settings.DATABASE_URLS.admin), statement)


def _ask(url: str, statement: str) -> Any:
    with psycopg.connect(url, dbname=env.test_database, autocommit=True) as connection:
        cursor = connection.execute(statement.encode())
        return cursor.fetchone() if cursor.description else None


def let_catch_up(standby: Standby) -> None:
    """Until it shows all that stands on the primary now."""
    (reached,) = ask_primary("SELECT pg_current_wal_insert_lsn()::text")
    wait_until(lambda: ask_standby(standby, f"SELECT pg_last_wal_replay_lsn() >= '{reached}'") == (True,))
