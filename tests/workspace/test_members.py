"""Who belongs to a team: roles, the last owner, whom a login stands for, and the way out."""

from __future__ import annotations

import pytest
from django.test import Client

from memories.models import AuditEntry
from nebo.product.workspace.invitations import NewInvitation, find_invitation, invite
from nebo.tenants.actor import Actor
from nebo.tenants.models import Membership, User, UserProfile
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.services import issue_key
from tests.conftest import Team
from tests.visitors import add_person, count_queries, join, text_of, visitor

pytestmark = pytest.mark.django_db
PAGE = "/t/acme/members/"
MOST_QUERIES = 14  # with those of login and transaction


@pytest.fixture
def owner(acme: Team) -> Client:
    return visitor(acme.owner)


def place(team: Team, user: User) -> Membership | None:
    with tenant_scope(team.tenant):
        return Membership.objects.for_tenant(team.tenant).filter(user_id=user.pk).first()


def address(team: Team, user: User, what: str) -> str:
    found = place(team, user)
    assert found is not None
    return f"{PAGE}{found.pk}/{what}/"


def role_of(team: Team, user: User) -> str:
    found = place(team, user)
    return found.role if found else ""


def actions(team: Team) -> list[str]:
    with tenant_scope(team.tenant):
        rows = AuditEntry.objects.for_tenant(team.tenant).order_by("at", "id")
        return list(rows.values_list("action", flat=True))


def test_an_owner_makes_a_member_an_admin(owner: Client, acme: Team) -> None:
    bob = join(acme, "bob@acme.example", person="bob")

    owner.post(address(acme, bob, "role"), {"role": "admin"})

    assert role_of(acme, bob) == "admin"
    assert actions(acme) == ["member.role_changed"]


def test_the_last_owner_stays_one(owner: Client, acme: Team) -> None:
    changed = owner.post(address(acme, acme.owner, "role"), {"role": "member"})
    removed = owner.post(address(acme, acme.owner, "remove"), follow=True)

    assert changed.status_code == 422
    assert "A team needs an owner" in text_of(changed)
    assert "A team needs an owner" in text_of(removed)
    assert role_of(acme, acme.owner) == "owner"
    assert actions(acme) == []


def test_one_of_two_owners_may_go(owner: Client, acme: Team) -> None:
    second = join(acme, "second@acme.example", role="owner")

    left = owner.post(address(acme, acme.owner, "remove"))

    assert left["Location"] == "/"
    assert role_of(acme, acme.owner) == ""
    assert visitor(second).get(PAGE).status_code == 200
    assert owner.get("/t/acme/").status_code == 404


def test_an_admin_neither_makes_nor_unmakes_an_owner(acme: Team) -> None:
    admin = join(acme, "admin@acme.example", role="admin")
    join(acme, "second@acme.example", role="owner")
    bob = join(acme, "bob@acme.example")
    client = visitor(admin)

    answers = [
        client.post(address(acme, bob, "role"), {"role": "owner"}),
        client.post(address(acme, admin, "role"), {"role": "owner"}),
        client.post(address(acme, acme.owner, "role"), {"role": "member"}),
        client.post(PAGE, {"label": "A friend", "role": "owner", "days": "7"}),
    ]
    client.post(address(acme, acme.owner, "remove"))

    assert [answer.status_code for answer in answers] == [422] * 4
    assert (role_of(acme, bob), role_of(acme, admin), role_of(acme, acme.owner)) == (
        "member",
        "admin",
        "owner",
    )
    assert actions(acme) == []


def test_whoever_is_removed_sees_nothing_and_invites_nobody(owner: Client, acme: Team) -> None:
    admin = join(acme, "admin@acme.example", role="admin", person="ada")
    with tenant_scope(acme.tenant):
        issue_key(tenant=acme.tenant, created_by=admin)
        issued = invite(
            tenant=acme.tenant,
            new=NewInvitation("admin", 7),
            own_role="admin",
            actor=Actor("user", str(admin.pk)),
            created_by=admin,
        )
    assert find_invitation(issued.token) is not None

    answer = owner.post(address(acme, admin, "remove"), follow=True)

    assert "Keys they made that still work: 1" in text_of(answer)
    assert visitor(admin).get("/t/acme/").status_code == 404
    assert find_invitation(issued.token) is None
    with tenant_scope(acme.tenant):
        assert UserProfile.objects.for_tenant(acme.tenant).get(external_id="ada").login_id is None


def test_an_admin_who_becomes_a_member_invites_nobody_any_more(owner: Client, acme: Team) -> None:
    admin = join(acme, "admin@acme.example", role="admin")
    with tenant_scope(acme.tenant):
        actor = Actor("user", str(admin.pk))
        issued = invite(
            tenant=acme.tenant, new=NewInvitation("admin", 7), own_role="admin", actor=actor, created_by=admin
        )

    owner.post(address(acme, admin, "role"), {"role": "member"})

    assert find_invitation(issued.token) is None


def test_a_member_without_a_person_is_linked_to_one(owner: Client, acme: Team) -> None:
    bob = join(acme, "bob@acme.example")
    known = add_person(acme, "bobby")

    owner.post(address(acme, bob, "person"), {"person": "bobby"})

    assert "What agents know about bobby" in text_of(visitor(bob).get("/t/acme/memories/"))
    with tenant_scope(acme.tenant):
        entry = AuditEntry.objects.for_tenant(acme.tenant).get(action="person.linked")
    assert entry.person_id == known.pk


def test_nobody_is_linked_to_a_person_who_has_a_login(owner: Client, acme: Team) -> None:
    bob = join(acme, "bob@acme.example")

    answer = owner.post(address(acme, bob, "person"), {"person": "alice"})

    assert answer.status_code == 422
    assert "Another login stands for this person already." in text_of(answer)
    assert "No person is linked" in text_of(visitor(bob).get("/t/acme/"))


def test_an_owner_without_a_person_links_one_from_home(acme: Team) -> None:
    second = join(acme, "second@acme.example", role="owner")

    page = visitor(second).get("/t/acme/").content.decode()

    assert f'action="{address(acme, second, "person")}"' in page


def test_the_list_costs_the_same_however_many_there_are(owner: Client, acme: Team) -> None:
    few = count_queries(owner, PAGE)
    for number in range(5):
        join(acme, f"member-{number}@acme.example", person=f"person-{number}")

    assert count_queries(owner, PAGE) == few <= MOST_QUERIES
