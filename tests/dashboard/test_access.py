"""Who gets to see which page: the table every page of a tenant stands in."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, reverse

from memories.models import Memory
from nebo.jobs.models import Job
from nebo.product.dashboard.urls import urlpatterns
from nebo.tenants.ids import uuid7
from nebo.tenants.scoping import tenant_scope
from tests.conftest import Team
from tests.dashboard.things import Things, things_of
from tests.visitors import HTMX, join, visitor

pytestmark = pytest.mark.django_db

# Every page below /t/<tenant>/: its method, and what it takes.
PAGES = {
    "dashboard:home": ("get", ""),
    "dashboard:first_call": ("get", ""),
    "dashboard:live": ("get", ""),
    "dashboard:first_key": ("post", ""),
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
    "memories:share": ("post", "memory"),
    "memories:take_back": ("post", "memory"),
    "memories:team": ("get", ""),
    "memories:add": ("get", ""),
    "memories:bulk": ("post", ""),
    "memories:undo": ("post", ""),
    "memories:timeline": ("get", ""),
    "memories:trash": ("get", ""),
    "memories:empty_trash": ("get", ""),
    "memories:forget_words": ("get", "memory"),
    "memories:bring_back": ("post", "version"),
    "memories:forget": ("get", ""),
    "inbox:list": ("get", ""),
    "inbox:memory": ("post", "held_back"),
    "inbox:pair": ("post", "pair"),
    "inbox:forget": ("post", "forget"),
    "inbox:wish": ("post", "wish"),
    "inbox:run": ("post", "run"),
    "inbox:revert": ("post", "applied_run"),
    "inbox:undo": ("post", "decision"),
    "people:list": ("get", ""),
    "people:tidy": ("post", ""),
    "people:detail": ("get", "entity"),
    "people:merge": ("post", "entity"),
    "people:split": ("post", "entity"),
    "people:undo_fold": ("post", "fold"),
    "todos:list": ("get", ""),
    "todos:add": ("get", ""),
    "todos:edit": ("get", "todo"),
    "todos:done": ("post", "todo"),
    "todos:dismiss": ("post", "todo"),
    "todos:reopen": ("post", "todo"),
    "files:list": ("get", ""),
    "files:detail": ("get", "memory_file"),
    "files:delete": ("post", "memory_file"),
    "files:restore": ("post", "memory_file"),
    "files:purge": ("post", "memory_file"),
    "files:allow": ("post", "memory_file"),
    "sessions:list": ("get", ""),
    "sessions:long_term": ("get", ""),
    "sessions:detail": ("get", "session"),
    "sessions:redact": ("post", "session"),
    "context:page": ("get", ""),
    "context:search": ("get", ""),
    "personality:page": ("get", ""),
    "personality:manner": ("get", ""),
    "manner:own": ("post", ""),
    "manner:persona": ("post", "persona"),
    "personality:own_rollback": ("post", ""),
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
    "governance:import": ("get", ""),
    "governance:stop_import": ("post", "incoming"),
    "governance:activity": ("get", ""),
    "governance:pauses": ("get", ""),
    "governance:pause": ("get", ""),
    "governance:pause_session": ("get", "session"),
    "governance:pause_key": ("get", "own_key"),
    "governance:pause_key_for_all": ("get", "key"),
    "governance:erase": ("get", ""),
    "governance:receipt": ("get", "erasure"),
    "members:list": ("get", ""),
    "members:detail": ("get", "membership"),
    "members:role": ("post", "membership"),
    "members:stand_for": ("post", "membership"),
    "members:remove": ("post", "membership"),
    "members:take_back": ("post", "invitation"),
    "connect:page": ("get", ""),
    "connect:end": ("post", "own_key"),
    "keys:list": ("get", ""),
    "keys:detail": ("get", "key"),
    "keys:rotate": ("post", "key"),
    "keys:revoke": ("post", "key"),
    "webhooks:list": ("get", ""),
    "webhooks:detail": ("get", "webhook"),
    "webhooks:edit": ("post", "webhook"),
    "webhooks:test": ("post", "webhook"),
    "webhooks:pause": ("post", "webhook"),
    "webhooks:resume": ("post", "webhook"),
    "webhooks:rotate": ("post", "webhook"),
    "webhooks:delete": ("post", "webhook"),
    "webhooks:redeliver": ("post", "delivery"),
    "providers:list": ("get", ""),
    "providers:set": ("post", "use"),
    "providers:remove": ("post", "use"),
    "providers:test": ("post", "use"),
    "usage:page": ("get", ""),
    "audit:log": ("get", ""),
    "audit:verify": ("post", ""),
    "everyone:list": ("get", ""),
    "everyone:look": ("get", "profile"),
    "everyone:pause": ("get", "profile"),
    "jobs:list": ("get", ""),
    "jobs:detail": ("get", "job"),
    "jobs:retry": ("post", "job"),
}
EVERYBODYS = ("", "use")  # what a page takes that is no row of one team
OF_ONE_ROW = [name for name, (_, takes) in PAGES.items() if takes not in EVERYBODYS]
OF_THE_TEAM = {"persona", "file", "job", "membership", "invitation", "key", "webhook", "delivery", "erasure"}
OF_ONE_PERSON = [name for name in OF_ONE_ROW if PAGES[name][1] not in OF_THE_TEAM]
CHANGING = [name for name, (method, _) in PAGES.items() if method == "post"]


def address_of(name: str, slug: str, things: Things) -> str:
    takes = PAGES[name][1]
    thing = things[takes] if takes else ()
    return reverse(name, args=[slug, *(thing if isinstance(thing, tuple) else (thing,))])


def ask(client: Client, name: str, slug: str, things: Things, **extra: object):
    return getattr(client, PAGES[name][0])(address_of(name, slug, things), **extra)


def seen(response: HttpResponse) -> tuple[int, bytes]:
    return response.status_code, response.content


def list_pages(patterns: list[URLPattern | URLResolver], below: str = "", app: str = "") -> Iterator[str]:
    for pattern in patterns:
        route = below + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from list_pages(pattern.url_patterns, route, pattern.app_name or app)
        elif route.startswith("t/<place:tenant>/"):
            yield f"{app}:{pattern.name}"


def test_every_page_of_a_tenant_stands_in_the_table() -> None:
    assert sorted(list_pages(urlpatterns)) == sorted(PAGES)


def test_who_is_not_signed_in_is_led_to_the_login(acme: Team) -> None:
    things = things_of(acme)

    answers = {name: ask(Client(), name, "acme", things) for name in PAGES}

    assert {name: answer.status_code for name, answer in answers.items()} == dict.fromkeys(PAGES, 302)
    assert all(answer["Location"].startswith("/accounts/login/") for answer in answers.values())


def test_another_teams_page_is_as_missing_as_one_that_never_was(acme: Team, rival: Team) -> None:
    stranger, things = visitor(rival.owner), things_of(acme)

    foreign, unknown = (
        {name: seen(ask(stranger, name, slug, things)) for name in PAGES} for slug in ("acme", "nowhere")
    )

    assert {name: status for name, (status, _) in foreign.items()} == dict.fromkeys(PAGES, 404)
    assert foreign == unknown


def test_another_teams_id_is_as_missing_as_one_that_never_was(acme: Team, rival: Team) -> None:
    client, theirs = visitor(acme.owner), things_of(rival)
    never = {
        name: (uuid7(), *thing[1:]) if isinstance(thing, tuple) else uuid7() for name, thing in theirs.items()
    }

    foreign, unknown = (
        {name: seen(ask(client, name, "acme", things)) for name in OF_ONE_ROW} for things in (theirs, never)
    )

    assert {name: status for name, (status, _) in foreign.items()} == dict.fromkeys(OF_ONE_ROW, 404)
    assert foreign == unknown


@pytest.mark.parametrize("role", ["owner", "admin", "member"])
def test_nobody_sees_or_changes_what_belongs_to_another_person_of_the_team(acme: Team, role: str) -> None:
    colleague = visitor(join(acme, "colleague@acme.example", role=role, person="bob"))
    things = things_of(acme)

    statuses = {name: ask(colleague, name, "acme", things).status_code for name in OF_ONE_PERSON}

    assert statuses == dict.fromkeys(OF_ONE_PERSON, 404)
    with tenant_scope(acme.tenant):
        assert Memory.objects.for_tenant(acme.tenant).get(pk=things["memory"]).version == 1


@pytest.mark.parametrize("role, status", [("owner", 200), ("admin", 200), ("member", 404)])
def test_jobs_of_others_are_for_owners_and_admins(acme: Team, role: str, status: int) -> None:
    colleague = join(acme, "colleague@acme.example", role=role, person="bob")

    assert ask(visitor(colleague), "jobs:detail", "acme", things_of(acme)).status_code == status


def test_a_post_from_elsewhere_is_refused(acme: Team) -> None:
    client, things = visitor(acme.owner, enforce_csrf_checks=True), things_of(acme)

    statuses = {name: ask(client, name, "acme", things).status_code for name in CHANGING}

    assert statuses == dict.fromkeys(CHANGING, 403)


def test_an_address_that_changes_something_answers_no_get(acme: Team) -> None:
    client, things = visitor(acme.owner), things_of(acme)

    statuses = {name: client.get(address_of(name, "acme", things)).status_code for name in CHANGING}

    first_key = {"dashboard:first_key": 302}  # shows a key to nobody but whoever has just made the team
    assert statuses == dict.fromkeys(CHANGING, 405) | first_key


def test_a_login_that_ended_leads_the_whole_page_to_the_login(acme: Team) -> None:
    headers = {**HTMX, "HX-Current-URL": "http://testserver/t/acme/memories/?q=bicycle"}
    things = things_of(acme)

    answers = {name: ask(Client(), name, "acme", things, headers=headers) for name in PAGES}

    assert {name: seen(answer) for name, answer in answers.items()} == dict.fromkeys(PAGES, (200, b""))
    back = {answer["HX-Redirect"] for answer in answers.values()}
    assert back == {"/accounts/login/?next=%2Ft%2Facme%2Fmemories%2F%3Fq%3Dbicycle"}


def test_no_cache_keeps_a_page(acme: Team) -> None:
    client, things = visitor(acme.owner), things_of(acme) | {"person": acme.person.pk}

    answers = {name: ask_for_nothing(client, name, things) for name in PAGES}

    there = [answer for answer in answers.values() if answer.status_code != 404]
    assert len(there) > len(PAGES) / 2
    assert all("HX-Request" in answer["Vary"] for answer in there)
    assert {answer["Cache-Control"] for answer in there} == {"private, no-store"}


def ask_for_nothing(client: Client, name: str, things: Things):
    """What a page changes is as it was before the next is asked for."""
    with transaction.atomic():
        answer = ask(client, name, "acme", things)
        transaction.set_rollback(True)
    return answer


def test_the_way_back_after_the_login_is_never_another_site() -> None:
    headers = {**HTMX, "HX-Current-URL": "https://elsewhere.example/t/acme/"}

    response = Client().get("/t/acme/", headers={**headers, "Referer": "https://elsewhere.example/"})

    assert response["HX-Redirect"] == "/accounts/login/"


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
