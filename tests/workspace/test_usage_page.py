"""Calls are counted by day, key and operation, and shown to owners and admins as pictures and tables."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from django.test import Client

from nebo.api.models import CallsOfDay
from nebo.api.usage import BOUNDS_MS, add_counts, note_call
from nebo.product.workspace.usage.figures import quantile_ms
from nebo.tenants.models import ApiKey
from nebo.tenants.scoping import tenant_scope
from tests.conftest import Team
from tests.memories.conftest import Call, caller
from tests.visitors import count_queries, join, text_of, visitor

pytestmark = pytest.mark.django_db
PAGE = "/t/acme/usage/"
PAGE_QUERIES = 13  # three of them are a test's own: a savepoint, and a scope inside another


@pytest.fixture(autouse=True)
def _nothing_is_counted_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    """What other tests called in this process is theirs."""
    monkeypatch.setattr("nebo.api.usage._counts", {})


@pytest.fixture
def call(db: None, acme: Team) -> Call:
    return caller(acme, name="Our agent", scopes=("admin",))


def counted(team: Team) -> list[tuple[str, int, int]]:
    add_counts()
    with tenant_scope(team.tenant):
        rows = CallsOfDay.objects.for_tenant(team.tenant).order_by("what")
        return list(rows.values_list("what", "calls", "errors"))


def test_calls_are_counted_by_operation_and_added_up(call: Call, acme: Team, rival: Team) -> None:
    call("GET", "settings/")
    call("GET", "settings/")
    first = counted(acme)
    call("GET", "settings/")
    call("PATCH", "settings/", {"review_share": 7})
    caller(rival, scopes=("admin",))("GET", "settings/")

    assert first == [("Read the settings", 2, 0)]
    assert counted(acme) == [("Change settings", 1, 1), ("Read the settings", 3, 0)]
    assert counted(rival) == [("Read the settings", 1, 0)]


def test_times_of_two_additions_are_one_distribution(acme: Team) -> None:
    with tenant_scope(acme.tenant):
        key = ApiKey.objects.for_tenant(acme.tenant).create(public_id="k", digest="d")
    for seconds in (0.004, 0.004, 0.3, 60.0):
        note_call(tenant_id=acme.tenant.pk, key_id=key.pk, what="Search", status=200, seconds=seconds)
        add_counts()

    with tenant_scope(acme.tenant):
        row = CallsOfDay.objects.for_tenant(acme.tenant).get()
    assert (row.times[0], row.times[BOUNDS_MS.index(500)], row.times[-1], row.calls) == (2, 1, 1, 4)


def test_a_quantile_lies_within_its_bucket() -> None:
    times = [0] * (len(BOUNDS_MS) + 1)
    times[BOUNDS_MS.index(100)] = 10

    assert quantile_ms(times, 0.5) == 87.5
    assert quantile_ms([0] * len(times), 0.5) is None
    assert quantile_ms([*([0] * (len(times) - 1)), 3], 0.95) == BOUNDS_MS[-1]


def test_the_page_shows_pictures_and_the_same_in_tables(call: Call, acme: Team) -> None:
    call("GET", "settings/")
    call("PATCH", "settings/", {"review_share": 7})
    add_counts()
    owner = visitor(acme.owner)

    page = owner.get(PAGE)

    text = text_of(page)
    assert "Our agent 2 1" in text and "Read the settings 1 0" in text
    charts = re.findall(r"<svg class=\"chart\".*?</svg>", page.content.decode(), re.DOTALL)
    assert len(charts) == 2
    assert all(ET.fromstring(chart).get("role") == "img" for chart in charts)
    assert "style=" not in page.content.decode()
    assert count_queries(owner, PAGE) <= PAGE_QUERIES


def test_of_one_key_only_its_calls_are_shown(call: Call, acme: Team) -> None:
    call("GET", "settings/")
    caller(acme, name="Another")("GET", "key/")
    add_counts()
    with tenant_scope(acme.tenant):
        key = ApiKey.objects.for_tenant(acme.tenant).get(name="Another")
    owner = visitor(acme.owner)

    text = text_of(owner.get(f"{PAGE}?days=7&key={key.pk}"))

    assert "What Another called for" in text
    assert ("Read the key that calls" in text, "Read the settings" in text) == (True, False)


@pytest.mark.parametrize(
    "question", ["", "?days=nothing&key=nothing", "?key=0190a000-0000-7000-8000-000000000000"]
)
def test_without_calls_it_says_what_to_do(acme: Team, question: str) -> None:
    page = visitor(acme.owner).get(f"{PAGE}{question}")

    assert page.status_code == 200
    assert "No calls in these days" in text_of(page)


def test_to_members_and_strangers_it_does_not_exist(acme: Team, rival: Team) -> None:
    member: Client = visitor(join(acme, "member@acme.example", person="ben"))

    assert [one.get(PAGE).status_code for one in (member, visitor(rival.owner))] == [404, 404]


def test_another_team_s_key_shows_nothing_of_its_calls(call: Call, acme: Team, rival: Team) -> None:
    call("GET", "settings/")
    add_counts()
    with tenant_scope(acme.tenant):
        key = ApiKey.objects.for_tenant(acme.tenant).get(name="Our agent")

    page = visitor(rival.owner).get(f"/t/rival/usage/?key={key.pk}")

    assert "No calls in these days" in text_of(page)
    assert "Our agent" not in page.content.decode()
