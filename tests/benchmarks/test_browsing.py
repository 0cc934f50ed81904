"""Copies of a person's memories, for the benchmark of the page that lists them."""

from __future__ import annotations

from urllib.parse import urlsplit, urlunsplit

from django.conf import settings

from benchmarks.browsing import copy_rows
from memories.models import Memory
from nebo.env import env
from nebo.tenants.scoping import tenant_scope
from search.answers.search import SearchQuery, search
from tests.conftest import Team
from tests.memories.conftest import remember
from tests.search.conftest import embed_all


def test_a_copy_is_listed_and_found_like_any_memory(committed_db: None, acme: Team) -> None:
    with tenant_scope(acme.tenant):
        remember(acme, "Keeps bees behind the garage")
        remember(acme, "Plays the oboe in a wind band")
    embed_all(acme)
    url = urlunsplit(urlsplit(settings.DATABASE_URLS.admin)._replace(path=f"/{env.test_database}"))

    copied = copy_rows(url, 6, user="alice")

    with tenant_scope(acme.tenant):
        rows = Memory.objects.for_tenant(acme.tenant).filter(person=acme.person)
        query = SearchQuery(text="oboe", person_id=acme.person.pk, limit=10)
        found = search(tenant=acme.tenant, query=query, vector=None).results
        assert copied == 6 == rows.count()
        assert len({row.key for row in rows}) == 6
        assert {hit.text for hit in found} == {"Plays the oboe in a wind band"}
        assert len(found) == 3
