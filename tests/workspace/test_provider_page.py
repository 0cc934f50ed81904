"""The page of providers: owners and admins set, test and remove them; the key is never shown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from nebo.outbound.guarded import guarded_transport
from nebo.tenants.models import ModelProvider
from nebo.tenants.scoping import tenant_scope
from tests.conftest import Team
from tests.jobs.inline import run_jobs
from tests.scripted_server import ScriptedServer, json_answer, scripted_server, status
from tests.visitors import count_queries, join, refetch, text_of, visitor

__all__ = ["scripted_server"]
pytestmark = pytest.mark.django_db
PAGE = "/t/acme/providers/"
KEY = "sk-canary-0123456789"
CHAT = "/v1/chat/completions"
PAGE_QUERIES = 14  # four of them are a test's own: a savepoint, a scope inside another, the model that serves


@pytest.fixture(autouse=True)
def _loopback_may_be_called(settings: Any) -> Iterator[None]:
    settings.WEBHOOK_NETWORKS = ("127.0.0.0/8",)
    yield
    guarded_transport("http://127.0.0.1/").close()


@pytest.fixture
def owner(db: None, acme: Team) -> Client:
    return visitor(acme.owner)


def post(client: Client, server: ScriptedServer, **fields: Any) -> Any:
    asked = {"kind": "openai", "model": "gpt-x", "base_url": f"{server.url}/v1", "key": KEY, **fields}
    return client.post(f"{PAGE}chat/", asked, follow=True)


def test_without_one_of_its_own_a_team_reads_what_the_server_does(owner: Client) -> None:
    page = owner.get(PAGE)

    assert page.status_code == 200
    assert "none: rules do the work" in text_of(page)
    assert "This server makes vectors itself" in text_of(page)
    assert count_queries(owner, PAGE) <= PAGE_QUERIES


def test_what_is_saved_is_tested_and_the_key_is_never_shown(
    owner: Client, acme: Team, scripted_server: ScriptedServer
) -> None:
    scripted_server.always(CHAT, json_answer({"choices": [{"message": {"content": "ready"}}]}))

    saved = post(owner, scripted_server)
    waiting = owner.get(PAGE, **refetch("test-chat"))
    run_jobs(acme.tenant)
    answered = owner.get(PAGE, **refetch("test-chat"))

    assert "Saved. It is asked from now on" in text_of(saved)
    assert 'hx-trigger="every 1s"' in waiting.content.decode()
    assert "openai/gpt-x answered in" in text_of(answered)
    assert "hx-trigger" not in answered.content.decode()
    assert not any(KEY in page.content.decode() for page in (saved, waiting, answered, owner.get(PAGE)))


def test_a_test_that_fails_says_what_to_do(
    owner: Client, acme: Team, scripted_server: ScriptedServer
) -> None:
    scripted_server.always(CHAT, status(401))
    post(owner, scripted_server)

    run_jobs(acme.tenant)

    assert "The model provider refused the key. Check the provider's API key." in text_of(owner.get(PAGE))


def test_a_wrong_address_is_told_beside_its_field_and_the_key_is_not_sent_back(
    owner: Client, acme: Team, scripted_server: ScriptedServer
) -> None:
    answer = post(owner, scripted_server, base_url="https://10.0.0.1/")

    assert answer.status_code == 422
    assert "leads into a network where Nebo sends nothing" in text_of(answer)
    assert KEY not in answer.content.decode()


def test_it_is_removed_with_its_key(owner: Client, acme: Team, scripted_server: ScriptedServer) -> None:
    post(owner, scripted_server)

    removed = owner.post(f"{PAGE}chat/remove/", follow=True)

    assert "The server’s own is asked again." in text_of(removed)
    with tenant_scope(acme.tenant):
        assert not ModelProvider.objects.for_tenant(acme.tenant).exists()


@pytest.mark.parametrize("path", ["", "chat/", "chat/remove/", "chat/test/", "nothing/", "nothing/test/"])
def test_to_members_and_strangers_it_does_not_exist(acme: Team, rival: Team, path: str) -> None:
    member = visitor(join(acme, "member@acme.example", person="ben"))
    stranger = visitor(rival.owner)
    fields = {"kind": "openai", "model": "gpt-x", "key": KEY}

    answers = [
        one.get(f"{PAGE}{path}") if not path else one.post(f"{PAGE}{path}", fields)
        for one in (member, stranger)
    ]

    assert [answer.status_code for answer in answers] == [404, 404]
    with tenant_scope(acme.tenant):
        assert not ModelProvider.objects.for_tenant(acme.tenant).exists()


def test_a_use_that_there_is_not_is_not_found(owner: Client) -> None:
    answers = [
        owner.post(f"{PAGE}nothing/"),
        owner.post(f"{PAGE}nothing/test/"),
        owner.post(f"{PAGE}nothing/remove/"),
    ]

    assert [answer.status_code for answer in answers] == [404, 404, 404]
