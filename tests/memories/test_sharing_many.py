"""Sharing many memories of the list with the team at once: exactly what was shown, and taken back as a whole."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from memories.models import Memory
from memories.storing.edit import update_memory
from nebo.tenants.scoping import tenant_scope
from tests.conftest import Team
from tests.memories.conftest import AGENT, caller, remember
from tests.memories.test_pages import LIST, now
from tests.visitors import join, refetch, text_of, visitor

pytestmark = pytest.mark.django_db
DECISIONS = ("Billing runs on Postgres 16.", "Invoices go out on Mondays.", "The API is versioned by date.")


def let_share(team: Team, shares: bool = True) -> None:
    changed = caller(team, scopes=["admin"])("PATCH", "settings/", {"team_memory": shares})
    assert changed.status_code == 200


@pytest.fixture
def client(acme: Team) -> Client:
    let_share(acme)
    return visitor(acme.owner)


@pytest.fixture
def decisions(acme: Team) -> list[Memory]:
    with tenant_scope(acme.tenant):
        return [remember(acme, value, type="project").memory for value in DECISIONS]


def share(client: Client, *memories: Memory, page: str | None = None, **more: Any) -> Any:
    """These ticked on the list as it is shown, or was."""
    shown = client.get(LIST).content.decode() if page is None else page
    seen = re.findall(r'name="seen" value="([^"]+)"', shown)
    body = {"act": "share", "memory": [str(one.pk) for one in memories], "seen": seen, **more}
    return client.post(f"{LIST}bulk/", body, **refetch())


def shared(*memories: Memory) -> list[bool]:
    return [now(one).is_shared for one in memories]


def test_what_is_ticked_is_shared_and_taken_back_as_a_whole(client: Client, decisions: list[Memory]) -> None:
    done = share(client, *decisions[:2])
    after = shared(*decisions)
    (undo,) = re.findall(rf'hx-post="({LIST}undo/[^"]*)"', done.content.decode())

    taken = client.post(unescape(undo), **refetch())

    assert "Shared 2 memories with the team, under your name." in text_of(done)
    assert done["HX-Trigger"] == "memories-changed"
    assert after == [True, True, False]
    assert "Taken back for 2 memories." in text_of(taken)
    assert shared(*decisions) == [False, False, False]


def test_the_button_stands_where_the_team_shares_alone(
    acme: Team, client: Client, decisions: list[Memory]
) -> None:
    with_it = client.get(LIST).content.decode()
    review = client.get(LIST, {"status": "archived"}).content.decode()
    let_share(acme, False)

    without = client.get(LIST).content.decode()
    pressed = share(client, *decisions)

    assert 'value="share"' in with_it
    assert 'value="share"' not in review
    assert 'value="share"' not in without
    assert "Team memory is switched off in this workspace." in text_of(pressed)
    assert shared(*decisions) == [False] * 3


def test_what_changed_since_it_was_shown_is_left_out_and_said(
    acme: Team, client: Client, decisions: list[Memory]
) -> None:
    page = client.get(LIST).content.decode()
    with tenant_scope(acme.tenant):
        changes = {"value": "Billing runs on Postgres 17."}
        update_memory(tenant=acme.tenant, memory=decisions[0], changes=changes, actor=AGENT)

    done = share(client, *decisions, page=page)

    assert "Shared 2 memories with the team" in text_of(done)
    assert "Not shared: 1 memory. The memory has changed since it was read" in text_of(done)
    assert shared(*decisions) == [False, True, True]
    assert shared(decisions[0]) == [False]


@pytest.mark.parametrize("page", ["", 'name="seen" value="x"', 'name="seen" value="{id}.²"'])
def test_nothing_is_shared_without_having_been_shown(
    client: Client, decisions: list[Memory], page: str
) -> None:
    share(client, *decisions, page=page.replace("{id}", str(decisions[0].pk)))

    assert shared(*decisions) == [False] * 3


def test_all_that_match_are_not_shared_since_nobody_has_them_before_them(
    client: Client, decisions: list[Memory]
) -> None:
    done = share(client, *decisions, all="true", filters="")

    assert "tick the memories on this page" in text_of(done)
    assert shared(*decisions) == [False] * 3


def test_what_nobody_may_share_stays_and_the_reason_is_said(
    acme: Team, client: Client, decisions: list[Memory]
) -> None:
    with tenant_scope(acme.tenant):
        ill = remember(acme, "Ana has diabetes and needs insulin.").memory

    done = share(client, ill, decisions[0])

    assert "Not shared: 1 memory. It reads like something about health" in text_of(done)
    assert shared(ill, decisions[0]) == [False, True]


def test_nobody_shares_what_is_anothers(acme: Team, rival: Team, decisions: list[Memory]) -> None:
    let_share(acme)
    let_share(rival)
    pages = {LIST: visitor(join(acme, "bob@acme.example", person="bob"))}
    pages["/t/rival/memories/"] = visitor(rival.owner)
    seen = [f"{one.pk}.{one.version}" for one in decisions]
    body = {"act": "share", "memory": [str(one.pk) for one in decisions], "seen": seen}

    answers = [client.post(f"{page}bulk/", body, **refetch()) for page, client in pages.items()]

    assert all("Tick the memories that are meant." in text_of(one) for one in answers)
    assert shared(*decisions) == [False] * 3
