"""A write asks the database little: what only few of them need costs the others next to nothing."""

from __future__ import annotations

from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.conftest import Team
from tests.memories.conftest import remember

MOST_JOINED = 2  # to plan a statement takes twice as long with each further table


def test_no_statement_of_a_plain_write_joins_many_tables(scope: Team) -> None:
    remember(scope, "Has a dog called Rex", key="dog")

    with CaptureQueriesContext(connection) as asked:
        remember(scope, "Owns a boat", key="boat")
        remember(scope, "Has a dog called Ida", key="dog")

    statements = [query["sql"] or "" for query in asked.captured_queries]
    assert [one for one in statements if one.count(" JOIN ") > MOST_JOINED] == []
