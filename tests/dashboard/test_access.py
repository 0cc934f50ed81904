"""Who gets to see which page: the table every page of a tenant stands in."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, reverse

from memories.models import Memory
from nebo.jobs.models import Job
from nebo.product.dashboard.urls import urlpatterns
from nebo.tenants.ids import uuid7
from nebo.tenants.models import UserProfile
from nebo.tenants.scoping import tenant_scope
from tests.conftest import Team
from tests.dashboard.things import Things, things_of
from tests.visitors import HTMX, add_person, join, visitor

pytestmark = pytest.mark.django_db

# Every page below /t/<tenant>/: its method, and what it takes.
PAGES = {
    "dashboard:home": ("get", ""),
    "dashboard:first_call": ("get", ""),
    "dashboard:choose_person": ("post", ""),
    "memories:list": ("get", ""),
    "memories:detail": ("get", "memory"),
    "memories:edit": ("get", "memory"),
    "memories:pin": ("post", "memory"),
    "memories:unpin": ("post", "memory"),
    "memories:confirm": ("post", "memory"),
    "memories:delete": ("post", "memory"),
    "memories:restore": ("post", "memory"),
    "memories:wrong": ("post", "memory"),
    "memories:never_mention": ("post", "memory"),
    "memories:forget": ("get", ""),
    "memories:forget_these": ("post", "forget"),
    "memories:keep_all": ("post", "forget"),
    "people:list": ("get", ""),
    "people:tidy": ("post", ""),
    "people:detail": ("get", "entity"),
    "people:merge": ("post", "entity"),
    "people:split": ("post", "entity"),
    "people:merge_pair": ("post", "pair"),
    "people:dismiss_pair": ("post", "pair"),
    "people:undo_fold": ("post", "fold"),
    "todos:list": ("get", ""),
    "todos:edit": ("get", "todo"),
    "todos:done": ("post", "todo"),
    "todos:dismiss": ("post", "todo"),
    "todos:reopen": ("post", "todo"),
    "sessions:list": ("get", ""),
    "sessions:long_term": ("get", ""),
    "sessions:detail": ("get", "session"),
    "sessions:redact": ("post", "session"),
    "personality:page": ("get", ""),
    "personality:own_rollback": ("post", ""),
    "personality:accept": ("post", "wish"),
    "personality:reject": ("post", "wish"),
    "personality:undo": ("post", "wish"),
    "personality:personas": ("get", ""),
    "personality:persona": ("get", "persona"),
    "personality:file": ("get", "file"),
    "personality:rollback": ("post", "persona"),
    "workspace:settings": ("get", ""),
    "personality:archive": ("post", "persona"),
    "personality:restore": ("post", "persona"),
    "governance:data": ("get", ""),
    "governance:export": ("post", ""),
    "governance:download": ("get", "export"),
    "governance:activity": ("get", ""),
    "governance:erase": ("get", ""),
    "jobs:list": ("get", ""),
    "jobs:detail": ("get", "job"),
    "jobs:retry": ("post", "job"),
}
OF_ONE_ROW = [name for name, (_, takes) in PAGES.items() if takes]
every_page = pytest.mark.parametrize("name", PAGES)


def ask(client: Client, name: str, slug: str, things: Things, **extra: object):
    method, takes = PAGES[name]
    thing = things[takes] if takes else ()
    return getattr(client, method)(
        reverse(name, args=[slug, *(thing if isinstance(thing, tuple) else (thing,))]), **extra
    )


def list_pages(patterns: list[URLPattern | URLResolver], below: str = "", app: str = "") -> Iterator[str]:
    for pattern in patterns:
        route = below + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from list_pages(pattern.url_patterns, route, pattern.app_name or app)
        elif route.startswith("t/<slug:tenant>/"):
            yield f"{app}:{pattern.name}"


def test_every_page_of_a_tenant_stands_in_the_table() -> None:
    assert sorted(list_pages(urlpatterns)) == sorted(PAGES)


@every_page
def test_who_is_not_signed_in_is_led_to_the_login(acme: Team, name: str) -> None:
    response = ask(Client(), name, "acme", things_of(acme))

    assert response.status_code == 302
    assert response["Location"].startswith("/accounts/login/")


@every_page
def test_another_teams_page_is_as_missing_as_one_that_never_was(acme: Team, rival: Team, name: str) -> None:
    stranger, things = visitor(rival.owner), things_of(acme)

    foreign, unknown = (ask(stranger, name, slug, things) for slug in ("acme", "nowhere"))

    assert foreign.status_code == unknown.status_code == 404
    assert foreign.content == unknown.content


@pytest.mark.parametrize("name", OF_ONE_ROW)
def test_another_teams_id_is_as_missing_as_one_that_never_was(acme: Team, rival: Team, name: str) -> None:
    client, theirs = visitor(acme.owner), things_of(rival)
    never = {
        name: (uuid7(), *thing[1:]) if isinstance(thing, tuple) else uuid7() for name, thing in theirs.items()
    }

    foreign, unknown = (ask(client, name, "acme", things) for things in (theirs, never))

    assert foreign.status_code == unknown.status_code == 404
    assert foreign.content == unknown.content


@pytest.mark.parametrize(
    "name",
    [name for name in OF_ONE_ROW if not (name.startswith("jobs:") or PAGES[name][1] in ("persona", "file"))],
)
@pytest.mark.parametrize("role", ["owner", "admin", "member"])
def test_nobody_sees_or_changes_what_belongs_to_another_person_of_the_team(
    acme: Team, name: str, role: str
) -> None:
    colleague = join(acme, "colleague@acme.example", role=role, person="bob")
    things = things_of(acme)

    assert ask(visitor(colleague), name, "acme", things).status_code == 404
    with tenant_scope(acme.tenant):
        assert Memory.objects.for_tenant(acme.tenant).get(pk=things["memory"]).version == 1


@pytest.mark.parametrize("role, status", [("owner", 200), ("admin", 200), ("member", 404)])
def test_jobs_of_others_are_for_owners_and_admins(acme: Team, role: str, status: int) -> None:
    colleague = join(acme, "colleague@acme.example", role=role, person="bob")

    assert ask(visitor(colleague), "jobs:detail", "acme", things_of(acme)).status_code == status


@pytest.mark.parametrize("name", [name for name, (method, _) in PAGES.items() if method == "post"])
def test_a_post_from_elsewhere_is_refused(acme: Team, name: str) -> None:
    client = visitor(acme.owner, enforce_csrf_checks=True)

    assert ask(client, name, "acme", things_of(acme)).status_code == 403


@pytest.mark.parametrize("name", [name for name, (method, _) in PAGES.items() if method == "post"])
def test_an_address_that_changes_something_answers_no_get(acme: Team, name: str) -> None:
    _, takes = PAGES[name]
    things = things_of(acme)
    address = reverse(name, args=["acme", *([things[takes]] if takes else [])])

    assert visitor(acme.owner).get(address).status_code == 405


@every_page
def test_a_login_that_ended_leads_the_whole_page_to_the_login(acme: Team, name: str) -> None:
    headers = {**HTMX, "HX-Current-URL": "http://testserver/t/acme/memories/?q=bicycle"}

    response = ask(Client(), name, "acme", things_of(acme), headers=headers)

    assert response.status_code == 200
    assert response["HX-Redirect"] == "/accounts/login/?next=%2Ft%2Facme%2Fmemories%2F%3Fq%3Dbicycle"
    assert not response.content


@every_page
def test_no_cache_keeps_a_page(acme: Team, name: str) -> None:
    response = ask(visitor(acme.owner), name, "acme", things_of(acme) | {"person": acme.person.pk})

    if response.status_code != 404:
        assert "HX-Request" in response["Vary"]
        assert response["Cache-Control"] == "private, no-store"


def test_the_way_back_after_the_login_is_never_another_site() -> None:
    headers = {**HTMX, "HX-Current-URL": "https://elsewhere.example/t/acme/"}

    response = Client().get("/t/acme/", headers={**headers, "Referer": "https://elsewhere.example/"})

    assert response["HX-Redirect"] == "/accounts/login/"


def test_a_person_unlinked_is_not_shown_any_more_though_it_was_chosen(acme: Team) -> None:
    bob = add_person(acme, "bob", login=acme.owner)
    client = visitor(acme.owner)
    client.post("/t/acme/person/", {"person": str(bob.pk), "next": "/t/acme/memories/"})
    assert "What agents know about bob" in client.get("/t/acme/memories/").content.decode()

    with tenant_scope(acme.tenant):
        UserProfile.objects.for_tenant(acme.tenant).filter(pk=bob.pk).update(login=None)

    assert "What agents know about alice" in client.get("/t/acme/memories/").content.decode()


def test_nobody_elses_person_can_be_chosen(acme: Team, rival: Team) -> None:
    stranger = add_person(acme, "bob")
    client = visitor(acme.owner)

    answers = [
        client.post("/t/acme/person/", {"person": wanted})
        for wanted in (str(stranger.pk), str(rival.person.pk), str(acme.shared.pk), "", "x\0y")
    ]

    assert [answer.status_code for answer in answers] == [404] * 5


def test_the_choice_of_a_person_leads_back_to_a_page_of_ours_only(acme: Team) -> None:
    client, wanted = visitor(acme.owner), {"person": str(acme.person.pk)}

    inside = client.post("/t/acme/person/", {**wanted, "next": "/t/acme/sessions/"})
    outside = client.post("/t/acme/person/", {**wanted, "next": "https://elsewhere.example/"})

    assert inside["Location"] == "/t/acme/sessions/"
    assert outside["Location"] == "/t/acme/"


@pytest.mark.parametrize("page", ["memories/", "sessions/"])
def test_a_login_that_stands_for_nobody_is_led_home(acme: Team, page: str) -> None:
    client = visitor(join(acme, "new@acme.example"))

    assert client.get(f"/t/acme/{page}")["Location"] == "/t/acme/"
    assert client.get(f"/t/acme/{page}", headers=HTMX)["HX-Redirect"] == "/t/acme/"


def test_a_member_who_stands_for_nobody_sees_no_job(acme: Team) -> None:
    things_of(acme)

    page = visitor(join(acme, "new@acme.example")).get("/t/acme/jobs/")

    assert page.status_code == 200
    assert page.context["page"].paginator.count == 0
    with tenant_scope(acme.tenant):
        assert Job.objects.for_tenant(acme.tenant).count() > 0
