"""People who look at the pages: logins, memberships, linked people, and a browser that is signed in."""

from __future__ import annotations

import html
import re
from typing import Any

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from nebo.tenants.models import Membership, User, UserProfile
from nebo.tenants.scoping import tenant_scope
from tests.conftest import Team

HTMX = {"HX-Request": "true"}


def visitor(user: User, **settings: Any) -> Client:
    """A browser in which this login is signed in."""
    client = Client(**settings)
    client.force_login(user)
    return client


def confirm(client: Client) -> None:
    """As allauth's page has it: that it is really they, with the password."""
    answer = client.post("/accounts/reauthenticate/", {"password": "correct horse battery"})
    assert answer.status_code == 302


def join(team: Team, email: str, *, role: str = "member", person: str = "") -> User:
    """A new login in a team, standing for `person` there if named."""
    user = User.objects.create_user(email, "correct horse battery")
    with tenant_scope(team.tenant):
        Membership.objects.for_tenant(team.tenant).create(user=user, role=role)
        if person:
            UserProfile.objects.for_tenant(team.tenant).create(external_id=person, login=user)
    return user


def add_person(team: Team, external_id: str, *, login: User | None = None) -> UserProfile:
    """Somebody whom memories are about."""
    with tenant_scope(team.tenant):
        return UserProfile.objects.for_tenant(team.tenant).create(external_id=external_id, login=login)


def refetch(target: str = "", **headers: str) -> dict[str, dict[str, str]]:
    """`client.get(..., **refetch("results"))`: as htmx asks for a part of a page."""
    aimed = {"HX-Target": target} if target else {}
    return {"headers": {**HTMX, **aimed, **headers}}


def count_queries(client: Client, address: str, **extra: Any) -> int:
    """Statements one page needs, with those of login and transaction."""
    with CaptureQueriesContext(connection) as asked:
        assert client.get(address, **extra).status_code == 200
    return len(asked)


def text_of(response: Any) -> str:
    """What a person reads: the page without markup, each run of space as one."""
    joined = re.sub(r"</?bdi[^>]*>", "", response.content.decode())
    bare = re.sub(r"<[^>]+>", " ", joined)
    return " ".join(html.unescape(bare).split())
