"""How many statements a page takes: ten at most, whatever it shows."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from nebo.product.governance.audit_log import ask_to_verify
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
PAGES = (
    "", "memories/", "memories/team/", "memories/timeline/", "memories/timeline/?on=2031-05-01",
    "inbox/", "people/", "todos/", "sessions/", "context/", "context/search/?q=tea", "personality/",
    "personality/manner/",
    "jobs/", "data/", "data/activity/", "data/pauses/", "data/pauses/everything/", "connect/",
    "members/", "keys/", "webhooks/", "providers/", "usage/", "audit/", "everyone/", "settings/",
    "personality/personas/",
)  # fmt: skip


@pytest.mark.parametrize("page", PAGES)
def test_a_page_takes_few_statements_whatever_it_shows(acme: Team, page: str) -> None:
    with tenant_scope(acme.tenant):
        for value in ("Plays the cello", "Owns a bicycle", "Bakes bread"):
            remember(acme, value)
        ask_to_verify(tenant=acme.tenant)
    things_of(acme)
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
    owner = visitor(acme.owner)
    get_serving_model()
    address = address_of(name, "acme", things)
    owner.get(address)

    with CaptureQueriesContext(connection) as captured:
        owner.get(address)

    asked = [one["sql"] for one in captured if not one["sql"].startswith(OF_TESTS)]
    assert len(asked) <= MOST, "\n".join(one[:160] for one in asked)
