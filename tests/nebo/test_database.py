"""Databases made ready at once, on one server."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from nebo.database import MAINTENANCE, _make_roles, database_urls
from nebo.env import env

ROUNDS = 40


@pytest.mark.django_db
def test_roles_that_are_altered_from_two_databases_at_once_are_made() -> None:
    urls = database_urls(env)

    def make(database: str) -> int:
        with psycopg.connect(urls.admin, dbname=database, autocommit=True) as connection:
            for _ in range(ROUNDS):
                _make_roles(connection, urls)
        return ROUNDS

    with ThreadPoolExecutor() as threads:
        made = list(threads.map(make, (MAINTENANCE, MAINTENANCE, env.test_database)))

    assert made == [ROUNDS] * 3
