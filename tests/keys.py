"""A key for whoever calls in a test, and nothing left in the cache from the test before."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.cache import cache

from nebo.tenants.scoping import tenant_scope
from nebo.tenants.services import get_or_create_person, issue_key
from tests.conftest import Team


@pytest.fixture(autouse=True)
def _empty_cache() -> None:
    cache.clear()


def key_of(team: Team, person: str = "", **key: Any) -> str:
    """A new key of that team, bound to a person where one is named."""
    with tenant_scope(team.tenant):
        bound = get_or_create_person(tenant=team.tenant, external_id=person) if person else None
        return issue_key(tenant=team.tenant, person=bound, **key).secret
