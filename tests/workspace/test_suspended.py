"""A team that an operator has suspended says so to its members, and to nobody else."""

from __future__ import annotations

import pytest

from nebo.product.workspace.invitations import NewInvitation, find_invitation, invite
from nebo.tenants.actor import Actor
from nebo.tenants.models import Membership, Tenant
from nebo.tenants.scoping import tenant_scope
from tests.conftest import Team
from tests.visitors import text_of, visitor


@pytest.fixture
def suspended(committed_db: None, acme: Team) -> Team:
    Tenant.objects.using("operator").filter(pk=acme.tenant.pk).update(is_active=False)
    return acme


def test_its_members_are_told(suspended: Team) -> None:
    client = visitor(suspended.owner)

    page = client.get("/", follow=True)

    assert page.status_code == 403
    assert "Acme is suspended" in text_of(page)
    assert client.post("/t/acme/keys/", {"name": "Spy", "scope": "read", "days": 0}).status_code == 403


def test_to_strangers_it_is_as_missing_as_before(suspended: Team, rival: Team) -> None:
    stranger = visitor(rival.owner)

    suspended_page, no_page = stranger.get("/t/acme/"), stranger.get("/t/nowhere/")

    assert suspended_page.status_code == 404
    assert suspended_page.content == no_page.content


def test_members_of_another_team_go_there_and_see_no_suspended_one_in_the_menu(
    suspended: Team, rival: Team
) -> None:
    with tenant_scope(rival.tenant):
        Membership.objects.for_tenant(rival.tenant).create(user=suspended.owner, role="member")

    page = visitor(suspended.owner).get("/", follow=True)

    assert page.redirect_chain[-1][0] == "/t/rival/"
    assert "/t/acme/" not in page.content.decode()


def test_it_lets_nobody_in(suspended: Team) -> None:
    with tenant_scope(suspended.tenant):
        new = NewInvitation("member", 7)
        issued = invite(tenant=suspended.tenant, new=new, own_role="owner", actor=Actor("job", "1"))

    assert find_invitation(issued.token) is None
