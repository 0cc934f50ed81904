"""Lists: a page, a cursor, and no way to break either."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from nebo.tenants.models import UserProfile
from nebo.tenants.scoping import tenant_scope
from tests.api.conftest import Agent, assert_problem
from tests.conftest import Team


def make_people(team: Team, count: int) -> None:
    """People whose ordering column has ties and runs against their ids."""
    with tenant_scope(team.tenant):
        UserProfile.objects.for_tenant(team.tenant).bulk_create(
            UserProfile(
                tenant=team.tenant, external_id=f"p{n}", memory_version=100 - n // 4, display_name="ab"[n % 2]
            )
            for n in range(count)
        )


def forged(*document: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(document).encode()).decode().rstrip("=")


ID = "0190a000-0000-7000-8000-000000000000"


@pytest.mark.parametrize(
    ("ordering", "tie"),
    [
        ("-memory_version", "-id"),
        ("memory_version", "id"),
        ("-memory_version,display_name", "id"),
        ("display_name,-memory_version", "-id"),
        ("created_at,-id", ""),
    ],
)
def test_the_pages_hold_every_row_once_in_order(agent: Agent, acme: Team, ordering: str, tie: str) -> None:
    make_people(acme, 23)
    with tenant_scope(acme.tenant):
        rows = UserProfile.objects.for_tenant(acme.tenant)
        expected = [row.external_id for row in rows.order_by(*ordering.split(","), *([tie] if tie else []))]

    seen, cursor = [], ""
    while cursor is not None:
        page = agent.get(f"people/?limit=3&ordering={ordering}&cursor={cursor}").json()
        seen += page["results"]
        cursor = page["next"]

    assert seen == expected
    assert len(seen) == 25


def test_a_page_has_fifty_rows_unless_told_and_never_over_a_hundred(agent: Agent, acme: Team) -> None:
    make_people(acme, 150)

    assert len(agent.get("people/").json()["results"]) == 50
    assert len(agent.get("people/?limit=100").json()["results"]) == 100


def test_the_last_page_has_no_next(agent: Agent, acme: Team) -> None:
    make_people(acme, 3)

    assert agent.get("people/?limit=5").json()["next"] is None


def test_rows_that_come_between_do_not_shift_the_pages(agent: Agent, acme: Team) -> None:
    make_people(acme, 8)
    first = agent.get("people/?limit=5").json()

    with tenant_scope(acme.tenant):
        UserProfile.objects.for_tenant(acme.tenant).create(external_id="new", memory_version=999)

    second = agent.get(f"people/?limit=100&cursor={first['next']}").json()["results"]
    assert not set(second) & set(first["results"])
    assert len(second) == 5


@pytest.mark.parametrize(
    "limit", ["0", "-1", "101", "9999999999999999999", "1.5", "ten", "", "%D9%A1", "1%00"]
)
def test_a_bad_limit_is_a_400(agent: Agent, limit: str) -> None:
    document = assert_problem(agent.get(f"people/?limit={limit}"), 400, "invalid-input")

    assert [error["pointer"] for error in document["errors"]] == ["?limit"]


@pytest.mark.parametrize(
    "cursor",
    [
        "x",
        "%00",
        "é",
        "a" * 5000,
        base64.urlsafe_b64encode(b"\xff\xff").decode(),
        base64.urlsafe_b64encode(b"[" * 900).decode(),
        base64.urlsafe_b64encode(b"7").decode(),
        forged(),
        forged("-memory_version,-id"),
        forged("-memory_version,-id", 7),
        forged("-memory_version,-id", [1]),
        forged("-memory_version,-id", [None, ID]),
        forged("-memory_version,-id", ["x", ID]),
        forged("-memory_version,-id", [[1], ID]),
        forged("-memory_version,-id", [1, "x"]),
        forged("-memory_version,-id", [1, "\0"]),
        forged("-memory_version,-id", [1, "\ud800"]),
        forged("-memory_version,-id", [1e400, ID]),
        forged("memory_version,id", [1, ID]),
        forged("-password", ["x"]),
    ],
)
def test_a_bad_cursor_is_a_400(agent: Agent, cursor: str) -> None:
    document = assert_problem(agent.get(f"people/?cursor={cursor}"), 400, "invalid-input")

    assert [error["pointer"] for error in document["errors"]] == ["?cursor"]


def test_a_number_beyond_the_column_is_no_500(agent: Agent) -> None:
    response = agent.get("people/?cursor=" + forged("-memory_version,-id", [2**70, ID]))

    assert response.status_code in (200, 400)


def test_an_unknown_parameter_is_a_400(agent: Agent) -> None:
    document = assert_problem(agent.get("people/?externalid=x&limit=1"), 400, "invalid-input")

    assert [error["pointer"] for error in document["errors"]] == ["?externalid"]


def test_a_page_is_one_query_however_far_in(agent: Agent, acme: Team) -> None:
    make_people(acme, 30)
    cursor = agent.get("people/?limit=20").json()["next"]

    with CaptureQueriesContext(connection) as queries:
        agent.get(f"people/?limit=5&cursor={cursor}")

    assert len([query for query in queries if "tenants_userprofile" in query["sql"]]) == 1
