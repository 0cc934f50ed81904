"""Whose memories a page shows stands in its address, where a login stands for several people."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from memories.models import Memory
from memories.new_memory import NewMemory
from memories.storing.store import store_memory
from nebo.tenants.actor import Actor
from nebo.tenants.models import UserProfile
from nebo.tenants.scoping import tenant_scope
from tests.conftest import Team
from tests.visitors import HTMX, add_person, join, text_of, visitor

pytestmark = pytest.mark.django_db
AGENT = Actor("key", "k", "r")


@pytest.fixture
def bob(acme: Team) -> UserProfile:
    return add_person(acme, "bob", login=acme.owner)


@pytest.fixture
def client(acme: Team, bob: UserProfile) -> Client:
    return visitor(acme.owner)


def remember(team: Team, person: UserProfile, value: str) -> Memory:
    with tenant_scope(team.tenant):
        new = NewMemory(value=value)
        return store_memory(tenant=team.tenant, person=person, new=new, actor=AGENT, vector=None).memory


def status_of(team: Team, memory: Memory) -> str:
    with tenant_scope(team.tenant):
        return Memory.objects.for_tenant(team.tenant).get(pk=memory.pk).status


def test_two_tabs_show_two_people_whichever_was_opened_last(
    acme: Team, bob: UserProfile, client: Client
) -> None:
    remember(acme, acme.person, "Plays the cello")
    remember(acme, bob, "Collects stamps")
    annies, bobs = "/t/acme/p/alice/memories/", "/t/acme/p/bob/memories/"

    pages = [text_of(client.get(address)) for address in (annies, bobs, annies)]

    assert ["Plays the cello" in page for page in pages] == [True, False, True]
    assert ["Collects stamps" in page for page in pages] == [False, True, False]
    assert "What agents know about bob" in pages[1]


def test_every_address_on_a_page_goes_on_with_its_person(
    acme: Team, bob: UserProfile, client: Client
) -> None:
    remember(acme, bob, "Collects stamps")

    for page in (
        "",
        "memories/",
        "people/",
        "todos/",
        "sessions/",
        "personality/",
        "data/",
        "jobs/",
        "members/",
    ):
        html = client.get(f"/t/acme/p/bob/{page}").content.decode()
        addresses = set(re.findall(r'(?:href|action|hx-get|hx-post)="(/t/[^"]*)"', html))
        of_others = {one for one in addresses if not one.startswith("/t/acme/p/bob/")}
        assert of_others == {re.sub("/bob/", "/alice/", f"/t/acme/p/bob/{page}")}, page  # the menu of people


def test_a_form_acts_on_the_person_whom_its_page_was_about(
    acme: Team, bob: UserProfile, client: Client
) -> None:
    cello = remember(acme, acme.person, "Plays the cello")
    client.get("/t/acme/p/bob/memories/")

    foreign = client.post(f"/t/acme/p/bob/memories/{cello.pk}/delete/")
    own = client.post(f"/t/acme/p/alice/memories/{cello.pk}/delete/")

    assert (foreign.status_code, own.status_code) == (404, 302)
    assert own["Location"].startswith("/t/acme/p/alice/")
    assert status_of(acme, cello) == "deleted"


def test_an_address_without_a_person_leads_to_the_first_one(client: Client) -> None:
    there = client.get("/t/acme/memories/?q=tea&page=2")

    assert there["Location"] == "/t/acme/p/alice/memories/?q=tea&page=2"


def test_nothing_is_done_where_it_is_unclear_to_whom(acme: Team, client: Client) -> None:
    cello = remember(acme, acme.person, "Plays the cello")

    press = client.post(f"/t/acme/memories/{cello.pk}/delete/")
    part = client.get("/t/acme/memories/", headers=HTMX)

    assert (press.status_code, part.status_code) == (404, 404)
    assert status_of(acme, cello) == "active"


def test_one_person_needs_no_name_in_the_address_but_may_have_it(acme: Team) -> None:
    client = visitor(acme.owner)

    plain, named = client.get("/t/acme/memories/"), client.get("/t/acme/p/alice/memories/")

    assert (plain.status_code, named.status_code) == (200, 200)
    assert b"/t/acme/p/" not in plain.content


def test_nobody_elses_person_is_found_under_any_name(
    acme: Team, rival: Team, bob: UserProfile, client: Client
) -> None:
    stranger = add_person(acme, "carol")
    names = [
        "carol",
        stranger.pk,
        rival.person.pk,
        acme.shared.pk,
        "shared",
        "nobody",
        "%00",
        "alice%2F",
        "ALICE",
    ]

    for name in names:
        for page in ("", "memories/", "members/"):
            assert client.get(f"/t/acme/p/{name}/{page}").status_code == 404, (name, page)


def test_a_name_that_is_no_plain_word_is_replaced_by_the_id(acme: Team) -> None:
    login = join(acme, "many@acme.example")
    odd = [add_person(acme, name, login=login) for name in ("a/b", "..", "\u202eevil", "x y", "Zoë")]
    someones_id = add_person(acme, str(odd[0].pk), login=login)
    client = visitor(login)

    for person in (*odd, someones_id):
        page = client.get(f"/t/acme/p/{person.pk}/memories/")
        assert page.status_code == 200
        assert page.context["shell"].person.pk == person.pk


def test_a_person_who_was_unlinked_since_is_not_found_any_more(
    acme: Team, bob: UserProfile, client: Client
) -> None:
    assert client.get("/t/acme/p/bob/memories/").status_code == 200

    with tenant_scope(acme.tenant):
        UserProfile.objects.for_tenant(acme.tenant).filter(pk=bob.pk).update(login=None)

    assert client.get("/t/acme/p/bob/memories/").status_code == 404
    assert client.get("/t/acme/memories/").status_code == 200


def test_who_stands_for_nobody_is_offered_only_what_leads_somewhere(acme: Team) -> None:
    def links(role: str) -> list[str]:
        client = visitor(join(acme, f"{role}@acme.example", role=role))
        page = client.get("/t/acme/").content.decode()
        inside = page.partition('aria-label="Main"')[2].partition("</nav>")[0]
        found = re.findall(r'href="(/t/[^"]*)"', inside)
        assert [client.get(address).status_code for address in found] == [200] * len(found)
        return found

    assert links("member") == ["/t/acme/", "/t/acme/jobs/"]
    assert links("admin") == ["/t/acme/", "/t/acme/members/", "/t/acme/keys/", "/t/acme/jobs/"]
