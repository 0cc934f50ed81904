"""How many statements a page takes: ten at most, whatever it shows."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from nebo.product.governance.audit_log import ask_to_verify
from nebo.product.governance.services.tenant_settings import change_settings
from nebo.tenants.actor import Actor
from nebo.tenants.pauses import Thing, set_pause
from nebo.tenants.scoping import tenant_scope
from search.embeddings.serving import get_serving_model
from tests.conftest import Team
from tests.dashboard.test_access import PAGES as TABLE
from tests.dashboard.test_access import address_of
from tests.dashboard.things import things_of
from tests.memories.conftest import caller, remember
from tests.visitors import visitor

pytestmark = pytest.mark.django_db
MOST = 10
# In a test a page's transaction is a savepoint, its scope is closed by hand, the model that serves is read anew.
OF_TESTS = (
    "SAVEPOINT",
    "RELEASE",
    "SELECT set_config('nebo.tenant_id', '', true)",
    'SELECT "search_embeddingmodel"',
)
LISTS = [name for name, (method, takes) in TABLE.items() if method == "get" and not takes]
ASKED = (
    "memories/?q=tea", "memories/?status=quarantined&layer=tacit", "memories/timeline/?on=2031-05-01",
    "todos/?status=all", "context/?q=tea&find=tea", "context/search/?q=tea", "data/activity/?kind=reads",
    "audit/?action=memory.created", "everyone/?name=alice", "jobs/?state=dead",
)  # fmt: skip
NOT_READY = "governance:download"  # its file is not made
PAGES = (*(reverse(name, args=["acme"]).removeprefix("/t/acme/") for name in LISTS), *ASKED)


def pause(team: Team) -> None:
    """Pages that say so ask once more."""
    with tenant_scope(team.tenant):
        actor, thing = Actor("user", str(team.owner.pk)), Thing(person_id=team.person.pk)
        set_pause(tenant=team.tenant, thing=thing, actor=actor)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_takes_few_statements_whatever_it_shows(acme: Team, page: str) -> None:
    with tenant_scope(acme.tenant):
        for value in ("Plays the cello", "Owns a bicycle", "Bakes bread"):
            remember(acme, value)
        ask_to_verify(tenant=acme.tenant)
    things_of(acme)
    pause(acme)
    call = caller(acme, name="Our agent")
    call("POST", "users/alice/memories/", {"value": "Likes tea"})
    owner = visitor(acme.owner)
    get_serving_model()
    led_to = owner.get(f"/t/acme/{page}", follow=True).request

    with CaptureQueriesContext(connection) as captured:
        answer = owner.get(f"{led_to['PATH_INFO']}?{led_to['QUERY_STRING']}")

    asked = [one["sql"] for one in captured if not one["sql"].startswith(OF_TESTS)]
    assert answer.status_code == 200
    assert len(asked) <= MOST, "\n".join(one[:160] for one in asked)


@pytest.mark.parametrize(
    "name", [name for name, (method, takes) in TABLE.items() if method == "get" and takes]
)
def test_a_page_of_one_row_takes_few_statements(acme: Team, name: str) -> None:
    things = things_of(acme)
    pause(acme)
    with tenant_scope(acme.tenant):
        change_settings(tenant=acme.tenant, changes={"admins_look": True}, actor=Actor("user", "1"))
    owner = visitor(acme.owner)
    get_serving_model()
    address = address_of(name, "acme", things)
    owner.get(address)

    with CaptureQueriesContext(connection) as captured:
        answer = owner.get(address)

    asked = [one["sql"] for one in captured if not one["sql"].startswith(OF_TESTS)]
    assert answer.status_code == 200 or name == NOT_READY
    assert len(asked) <= MOST, "\n".join(one[:160] for one in asked)
