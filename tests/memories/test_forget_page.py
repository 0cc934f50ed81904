"""The page of what somebody asked to have forgotten."""

from __future__ import annotations

import pytest
from django.test import Client

from memories.forgetting.requests import ForgetIntent, forget
from memories.models import ForgetRequest, Memory
from memories.storing.edit import pin_memory
from nebo.tenants.scoping import tenant_scope
from tests.conftest import Team
from tests.memories.conftest import AGENT, remember
from tests.visitors import count_queries, join, text_of, visitor

pytestmark = pytest.mark.django_db
PAGE = "/t/acme/memories/forget/"
QUERIES = 13  # with those of login and transaction


@pytest.fixture
def client(acme: Team) -> Client:
    return visitor(acme.owner)


@pytest.fixture
def asked(acme: Team) -> ForgetRequest:
    with tenant_scope(acme.tenant):
        remember(acme, "Has a dog called Rex", key="dog-rex")
        ida = remember(acme, "Has a dog called Ida", key="dog-ida").memory
        pin_memory(tenant=acme.tenant, memory=ida, actor=AGENT)
        remember(acme, "Has a cat", key="cat")
        return ask(acme, "my dog")


def ask(team: Team, what: str) -> ForgetRequest:
    dogs = Memory.objects.for_tenant(team.tenant).filter(key__startswith="dog-")
    asked = ForgetIntent(what, [memory.pk for memory in dogs])
    request = forget(tenant=team.tenant, person=team.person, asked=asked, actor=AGENT)
    assert isinstance(request, ForgetRequest)
    return request


def statuses(team: Team) -> dict[str, str]:
    with tenant_scope(team.tenant):
        return dict(Memory.objects.for_tenant(team.tenant).values_list("key", "status"))


def id_of(team: Team, key: str) -> str:
    with tenant_scope(team.tenant):
        return str(Memory.objects.for_tenant(team.tenant).get(key=key).pk)


def test_the_list_leads_there_while_something_is_open(client: Client, asked: ForgetRequest) -> None:
    before = client.get("/t/acme/memories/")
    client.post(f"{PAGE}{asked.pk}/keep/")
    after = client.get("/t/acme/memories/")

    assert PAGE in before.content.decode()
    assert PAGE not in after.content.decode()


def test_the_page_names_exactly_what_it_could_mean(client: Client, asked: ForgetRequest) -> None:
    shown = text_of(client.get(PAGE))

    assert "“my dog”" in shown
    assert "Has a dog called Rex" in shown
    assert "Has a dog called Ida" in shown
    assert "Has a cat" not in shown


def test_only_what_is_ticked_is_forgotten(client: Client, asked: ForgetRequest, acme: Team) -> None:
    answer = client.post(f"{PAGE}{asked.pk}/", {"memory": [id_of(acme, "dog-rex")]}, follow=True)

    assert "Moved 1 memory to the trash." in text_of(answer)
    assert statuses(acme) == {"dog-rex": "deleted", "dog-ida": "active", "cat": "active"}
    assert "Nothing to decide" in text_of(answer)


@pytest.mark.parametrize("ticked", [[], ["nonsense"], ["0190a2b4-0000-7000-8000-000000000000"]])
def test_nothing_goes_where_nothing_of_it_is_ticked(
    client: Client, asked: ForgetRequest, acme: Team, ticked: list[str]
) -> None:
    client.post(f"{PAGE}{asked.pk}/", {"memory": ticked})

    assert "deleted" not in statuses(acme).values()


def test_what_the_request_does_not_name_can_not_be_slipped_in(
    client: Client, asked: ForgetRequest, acme: Team
) -> None:
    client.post(f"{PAGE}{asked.pk}/", {"memory": [id_of(acme, "cat"), id_of(acme, "dog-rex")]})

    assert "deleted" not in statuses(acme).values()


def test_all_of_it_can_be_kept(client: Client, asked: ForgetRequest, acme: Team) -> None:
    answer = client.post(f"{PAGE}{asked.pk}/keep/", follow=True)

    assert "Nothing was forgotten" in text_of(answer)
    assert "deleted" not in statuses(acme).values()


@pytest.mark.parametrize("way", ["", "keep/"])
def test_nobody_decides_for_somebody_else(acme: Team, rival: Team, asked: ForgetRequest, way: str) -> None:
    colleague = join(acme, "bob@acme.example", person="bob")

    answers = [visitor(user).post(f"{PAGE}{asked.pk}/{way}") for user in (colleague, rival.owner)]

    assert [answer.status_code for answer in answers] == [404, 404]
    assert "deleted" not in statuses(acme).values()


def test_the_page_takes_the_same_queries_however_much_is_asked(
    client: Client, asked: ForgetRequest, acme: Team
) -> None:
    one = count_queries(client, PAGE)
    with tenant_scope(acme.tenant):
        ask(acme, "dog called")

    assert count_queries(client, PAGE) == one <= QUERIES
