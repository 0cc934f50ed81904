"""Copies of a person's index, which a growth benchmark fills the tables with."""

from __future__ import annotations

from contextlib import closing
from urllib.parse import urlsplit, urlunsplit

import pytest
from django.conf import settings

from benchmarks.crowd import Crowd
from nebo.env import env
from nebo.tenants.models import Tenant, UserProfile
from nebo.tenants.scoping import operator_scope, tenant_scope
from search.answers.search import SearchQuery, search
from tests.conftest import Team
from tests.search.conftest import embed_all, tell


@pytest.fixture
def crowd(committed_db: None, acme: Team) -> Crowd:
    tell(acme, "My dog Biscuit chased a squirrel.", "We should book the train to Bergen.")
    embed_all(acme)
    url = urlunsplit(urlsplit(settings.DATABASE_URLS.admin)._replace(path=f"/{env.test_database}"))
    return Crowd(url, template="alice")


def found_by(tenant: Tenant, external_id: str, text: str) -> list[str]:
    with tenant_scope(tenant):
        person = UserProfile.objects.for_tenant(tenant).get(external_id=external_id)
        query = SearchQuery(text=text, person_id=person.pk, limit=1)
        return [hit.text for hit in search(tenant=tenant, query=query, vector=None).results]


def test_everyone_in_the_crowd_has_an_index_that_answers(crowd: Crowd, acme: Team) -> None:
    with closing(crowd):
        before = crowd.weigh()
        crowd.grow(2)
        crowd.grow(1)
        after = crowd.weigh()

    assert (before.chunks, after.chunks) == (2, 8)
    assert after.content_bytes == 4 * before.content_bytes
    assert found_by(acme.tenant, "crowd-3", "squirrel") == ["My dog Biscuit chased a squirrel."]
    assert found_by(acme.tenant, "alice", "Bergen") == ["We should book the train to Bergen."]


def test_a_crowd_can_have_a_tenant_each(crowd: Crowd) -> None:
    with closing(crowd):
        crowd.grow(2, own_tenants=True)

    with operator_scope():
        tenants = {row.slug: row for row in Tenant.objects.filter(slug__startswith="crowd-")}
    assert sorted(tenants) == ["crowd-1", "crowd-2"]
    assert found_by(tenants["crowd-2"], "crowd-2", "train") == ["We should book the train to Bergen."]
