"""Whom a team's memories are about: owners and admins see counts, and more only where the policy says so."""

from __future__ import annotations

import pytest
from django.test import Client

from memories.models import AuditEntry
from nebo.product.governance.services.tenant_settings import change_settings
from nebo.tenants.actor import Actor
from nebo.tenants.scoping import tenant_scope
from tests.conftest import Team
from tests.memories.conftest import remember
from tests.visitors import add_person, count_queries, join, text_of, visitor

pytestmark = pytest.mark.django_db
PAGE = "/t/acme/everyone/"
SECRET = "Plays the cello on Sundays"
PAGE_QUERIES = 15  # three of them are a test's own: a savepoint, and a scope inside another


@pytest.fixture
def owner(db: None, acme: Team) -> Client:
    with tenant_scope(acme.tenant):
        remember(acme, SECRET)
    return visitor(acme.owner)


def let_admins_look(team: Team) -> None:
    with tenant_scope(team.tenant):
        change_settings(tenant=team.tenant, changes={"admins_look": True}, actor=Actor("user", "1"))


def looks_of(team: Team) -> list[AuditEntry]:
    with tenant_scope(team.tenant):
        rows = AuditEntry.objects.for_tenant(team.tenant).filter(action="person.looked_at")
        return list(rows)


def test_counts_alone_are_shown_in_a_fixed_number_of_queries(owner: Client, acme: Team) -> None:
    for name in ("ben", "cleo", "dora"):
        add_person(acme, name)

    page = owner.get(PAGE)

    assert "alice 1 memory 0 sessions never spoke" in text_of(page)
    assert SECRET not in page.content.decode()
    assert f"{PAGE}{acme.person.pk}/" not in page.content.decode()
    assert count_queries(owner, PAGE) <= PAGE_QUERIES


def test_somebody_is_found_by_a_part_of_their_id(owner: Client, acme: Team) -> None:
    add_person(acme, "ben")

    found = text_of(owner.get(f"{PAGE}?q=BE"))

    assert ("ben 0 memories" in found, "alice 1 memory" in found) == (True, False)
    assert "Nobody of that id" in text_of(owner.get(f"{PAGE}?q=zoe\x00"))


def test_unless_the_policy_says_so_nobody_can_look(owner: Client, acme: Team) -> None:
    answer = owner.get(f"{PAGE}{acme.person.pk}/")

    assert answer.status_code == 404
    assert looks_of(acme) == []


def test_each_look_that_the_policy_allows_is_logged_where_the_person_reads_it(
    owner: Client, acme: Team
) -> None:
    ben = join(acme, "ben@acme.example", person="ben")
    let_admins_look(acme)
    with tenant_scope(acme.tenant):
        person = ben.profiles.get()

    page = owner.get(f"{PAGE}{acme.person.pk}/")
    owner.get(f"{PAGE}{person.pk}/")

    assert SECRET in text_of(page)
    assert {entry.person_id for entry in looks_of(acme)} == {acme.person.pk, person.pk}
    assert {entry.actor for entry in looks_of(acme)} == {f"user:{acme.owner.pk}"}
    activity = visitor(ben).get("/t/acme/data/activity/?kind=reads")
    assert "Looked at what is known about you" in text_of(activity)
    assert "each look stands in" in text_of(visitor(ben).get("/t/acme/data/"))


def test_of_another_team_nobody_is_there(owner: Client, acme: Team, rival: Team) -> None:
    let_admins_look(acme)

    foreign, nobody = owner.get(f"{PAGE}{rival.person.pk}/"), owner.get(f"{PAGE}{acme.owner.pk}/")

    assert (foreign.status_code, nobody.status_code) == (404, 404)
    assert looks_of(acme) == []


def test_to_members_and_strangers_it_does_not_exist(owner: Client, acme: Team, rival: Team) -> None:
    let_admins_look(acme)
    member = visitor(join(acme, "member@acme.example", person="ben"))

    answers = [
        one.get(address)
        for one in (member, visitor(rival.owner))
        for address in (PAGE, f"{PAGE}{acme.person.pk}/")
    ]

    assert [answer.status_code for answer in answers] == [404] * 4
    assert looks_of(acme) == []
