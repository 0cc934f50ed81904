"""Times on pages are told in the person's zone, or the browser's, and the zone is named."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client

from memories.models import Memory
from nebo.tenants.models import UserProfile
from nebo.tenants.scoping import tenant_scope
from nebo.time_zones import COOKIE, find_zone
from tests.conftest import Team
from tests.memories.conftest import caller, remember
from tests.visitors import text_of, visitor

pytestmark = pytest.mark.django_db
AT = datetime(2026, 1, 5, 23, 30, tzinfo=UTC)  # the sixth already in Tokyo


@pytest.fixture
def owner(db: None, acme: Team) -> Client:
    with tenant_scope(acme.tenant):
        remember(acme, "Plays the cello on Sundays")
        Memory.objects.for_tenant(acme.tenant).update(updated_at=AT)
    return visitor(acme.owner)


def set_zone(team: Team, name: str) -> None:
    with tenant_scope(team.tenant):
        UserProfile.objects.for_tenant(team.tenant).filter(pk=team.person.pk).update(timezone=name)


def test_without_a_zone_it_is_utc_and_said_so(owner: Client) -> None:
    page = owner.get("/t/acme/memories/")

    assert "5 January 2026, 23:30:00 UTC" in page.content.decode()
    assert "Times on this page are those of UTC." in text_of(page)


def test_the_browser_s_zone_is_taken_from_its_cookie(owner: Client) -> None:
    owner.cookies[COOKIE] = "Asia/Tokyo"

    page = owner.get("/t/acme/memories/")

    assert "6 January 2026, 08:30:00 Asia/Tokyo" in page.content.decode()
    assert "Times on this page are those of Asia/Tokyo." in text_of(page)


def test_the_person_s_own_zone_goes_before_the_browser_s(owner: Client, acme: Team) -> None:
    owner.cookies[COOKIE] = "Asia/Tokyo"
    set_zone(acme, "Europe/Berlin")

    page = owner.get("/t/acme/memories/")

    assert "6 January 2026, 00:30:00 Europe/Berlin" in page.content.decode()


@pytest.mark.parametrize(
    "name", ["", "Nowhere/Atall", "../../etc/passwd", "/etc/localtime", "<script>", "x" * 4_000]
)
def test_what_is_no_zone_is_left_out(owner: Client, acme: Team, name: str) -> None:
    owner.cookies[COOKIE] = name
    set_zone(acme, name[:64])

    page = owner.get("/t/acme/memories/")

    assert find_zone(name) is None
    assert (page.status_code, "those of UTC." in text_of(page)) == (200, True)


def test_a_zone_holds_for_one_request_alone(owner: Client, acme: Team) -> None:
    owner.cookies[COOKIE] = "Asia/Tokyo"
    owner.get("/t/acme/memories/")

    answer: Any = caller(acme)("GET", "users/alice/memories/", Cookie=f"{COOKIE}=Asia/Tokyo")

    assert answer.json()["results"][0]["updated_at"].endswith("Z")
    assert "those of UTC." in text_of(visitor(acme.owner).get("/t/acme/memories/"))
