"""Two transactions that wait for each other: the database ends one, and that request is tried once more."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID

import psycopg
import pytest
from django.conf import settings
from django.db import connections
from django.test import Client

from nebo.env import env
from nebo.postgres.layout import IS_DISTRIBUTED
from nebo.tenants.models import UserProfile
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.services import issue_key
from sessions.models import Message, Session
from tests.conftest import Team
from tests.distributed import sum_over_workers

pytestmark = pytest.mark.usefixtures("committed_db")
PATIENCE_S = 20.0
HEAD_START_S = 0.3  # well within PostgreSQL's deadlock_timeout of a second
DEADLOCKS = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"
WAITS = "SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))"
WAITS_ANYWHERE = "SELECT count(*) FROM citus_lock_waits"


def count_deadlocks() -> int:
    return sum_over_workers(DEADLOCKS) if IS_DISTRIBUTED else read_number(DEADLOCKS)


def count_waits() -> int:
    """Of those who wait for this session."""
    if not IS_DISTRIBUTED:
        return read_number(WAITS)
    with psycopg.connect(settings.DATABASE_URLS.admin, dbname=env.test_database) as coordinator:
        return int(coordinator.execute(WAITS_ANYWHERE).fetchall()[0][0])


def read_number(statement: str) -> int:
    with connections["default"].cursor() as cursor:
        cursor.execute(statement)
        return int(cursor.fetchone()[0])


def send_turn(secret: str, session_id: UUID, headers: dict[str, str]) -> Any:
    try:
        body = {"messages": [{"role": "user", "content": "I moved to Ghent."}]}
        return Client().post(
            f"/api/v1/sessions/{session_id}/turns/",
            body,
            content_type="application/json",
            headers={"Authorization": f"Bearer {secret}", **headers},
        )
    finally:
        connections.close_all()


@pytest.mark.parametrize("headers", [{}, {"Idempotency-Key": "once"}])
def test_a_turn_that_the_database_ended_is_stored_all_the_same_and_once(
    acme: Team, headers: dict[str, str]
) -> None:
    with tenant_scope(acme.tenant):
        session = Session.objects.for_tenant(acme.tenant).create(person=acme.person, key="chat")
        secret = issue_key(tenant=acme.tenant).secret
    before = count_deadlocks()

    with ThreadPoolExecutor(1) as pool:
        with tenant_scope(acme.tenant):
            UserProfile.objects.for_tenant(acme.tenant).select_for_update().get(pk=acme.person.pk)
            sent = pool.submit(send_turn, secret, session.pk, headers)
            deadline = time.monotonic() + PATIENCE_S
            while not count_waits():  # the turn holds its session, and wants the person
                assert time.monotonic() < deadline, sent.result() if sent.done() else "it waits for nobody"
                time.sleep(0.02)
            time.sleep(HEAD_START_S)  # the one that has waited longer finds out first, and gives way
            Session.objects.for_tenant(acme.tenant).select_for_update().get(pk=session.pk)
        response = sent.result(PATIENCE_S)

    assert response.status_code == 201, response.content
    with tenant_scope(acme.tenant):
        said = Message.objects.for_tenant(acme.tenant).values_list("content", flat=True)
        assert list(said) == ["I moved to Ghent."]
    wait_until_counted(before)


def wait_until_counted(before: int) -> None:
    """Statistics come a moment later."""
    deadline = time.monotonic() + PATIENCE_S
    while count_deadlocks() <= before:
        assert time.monotonic() < deadline, "there was no deadlock"
        time.sleep(0.1)
