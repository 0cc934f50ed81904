"""An agent can see where its call's time went."""

from __future__ import annotations

import re

import pytest

from tests.memories.conftest import Call

pytestmark = pytest.mark.django_db

PART = re.compile(r"(\w+);dur=\d+\.\d\d")


def test_a_search_names_the_embedding_the_database_and_the_ranking(call: Call) -> None:
    call("POST", "users/alice/memories/", {"value": "Prefers tea"})

    answer = call("POST", "users/alice/search/", {"query": "What does she drink?"})

    assert set(PART.findall(answer.headers["Server-Timing"])) == {"embed", "sql", "rank"}


def test_a_refusal_tells_none(call: Call) -> None:
    answer = call("POST", "users/nobody/search/", {"query": "What does she drink?"})

    assert answer.status_code == 404
    assert "Server-Timing" not in answer.headers
