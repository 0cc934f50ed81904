"""A connection is held between requests, and found out when the server has closed it."""

from __future__ import annotations

import psycopg
import pytest
from django.conf import settings
from django.db import connection

pytestmark = pytest.mark.usefixtures("committed_db")


def ask_own_pid() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


def begin_request() -> None:
    """What Django does with `request_started`."""
    connection.close_if_unusable_or_obsolete()


def test_one_that_stands_is_used_again_and_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    before = ask_own_pid()
    asked: list[bool] = []
    monkeypatch.setattr(connection, "is_usable", lambda: asked.append(True) or True)

    begin_request()

    assert ask_own_pid() == before
    assert asked == []


def test_one_that_the_server_has_closed_is_replaced() -> None:
    before = ask_own_pid()
    with psycopg.connect(settings.DATABASE_URLS.admin, autocommit=True) as admin:
        admin.execute("SELECT pg_terminate_backend(%s, 5000)", [before])

    begin_request()

    assert ask_own_pid() != before


def test_one_that_was_closed_here_is_replaced() -> None:
    before = ask_own_pid()
    connection.connection.close()

    begin_request()

    assert ask_own_pid() != before
