"""Invitations: made by those who may, shown once, opened once, and nothing to guess."""

from __future__ import annotations

import html
import logging
import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from memories.models import AuditEntry
from nebo.product.governance.retention import apply_retention, count_due
from nebo.product.workspace.invitations import NewInvitation, find_invitation, invite
from nebo.product.workspace.models import Invitation
from nebo.tenants.actor import Actor
from nebo.tenants.models import Membership, User, UserProfile
from nebo.tenants.scoping import tenant_scope
from tests.conftest import Team
from tests.visitors import add_person, join, text_of, visitor

pytestmark = pytest.mark.django_db
PAGE = "/t/acme/members/"
ASKED = {"label": "Kim", "role": "member", "days": "7", "person": ""}
JOB = Actor("job", "1")
GONE = "This invitation opens nothing."


def invited(team: Team, role: str = "member", person: str = "") -> str:
    """What the link of a new invitation ends with."""
    with tenant_scope(team.tenant):
        new = NewInvitation(role, 7, person=person)
        return invite(tenant=team.tenant, new=new, own_role="owner", actor=JOB).token


def loner(email: str = "kim@example.org") -> User:
    return User.objects.create_user(email, "correct horse battery")


def change(team: Team, **fields: object) -> None:
    with tenant_scope(team.tenant):
        Invitation.objects.for_tenant(team.tenant).update(**fields)


def accept(client: Client, token: str):
    client.post("/join/", {"code": token})
    return client.post("/join/", follow=True)


def test_the_link_is_shown_once_and_only_a_digest_is_kept(acme: Team) -> None:
    client = visitor(acme.owner)

    page = client.post(PAGE, ASKED).content.decode()

    (link,) = set(re.findall(r"http://testserver/join/#([\w.]+)", html.unescape(page)))
    assert find_invitation(link) is not None
    with tenant_scope(acme.tenant):
        row = Invitation.objects.for_tenant(acme.tenant).values().get()
    secret = link.partition(".")[2]
    assert secret not in str(row)
    assert secret not in client.get(PAGE).content.decode()


def test_who_accepts_becomes_a_member_with_a_person_of_their_own(acme: Team) -> None:
    add_person(acme, "kim")  # of whom something may be known: not everybody called kim may see it
    kim, token = loner(), invited(acme, "admin")

    answer = accept(visitor(kim), token)

    assert answer.redirect_chain[-1][0] == "/t/acme/"
    with tenant_scope(acme.tenant):
        assert Membership.objects.for_tenant(acme.tenant).get(user=kim).role == "admin"
        person = UserProfile.objects.for_tenant(acme.tenant).get(login=kim)
        entry = AuditEntry.objects.for_tenant(acme.tenant).get(action="member.joined")
    assert re.fullmatch(r"kim-[0-9a-f]{6}", person.external_id)
    assert entry.actor == f"user:{kim.pk}"


def test_an_invitation_can_be_for_somebody_agents_know(acme: Team) -> None:
    known = add_person(acme, "maya")
    token = invited(acme, person="maya")

    answer = accept(visitor(loner()), token)

    assert answer.context["shell"].person == known


def test_an_invitation_opens_once(acme: Team) -> None:
    token, second = invited(acme), visitor(loner("second@example.org"))
    second.post("/join/", {"code": token})
    accept(visitor(loner()), token)

    late = second.post("/join/")

    assert GONE in text_of(late)
    with tenant_scope(acme.tenant):
        assert Membership.objects.for_tenant(acme.tenant).count() == 2


def test_a_member_keeps_the_role_and_the_invitation_stays_open(acme: Team) -> None:
    token = invited(acme, "owner")
    bob = join(acme, "bob@acme.example", person="bob")

    answer = accept(visitor(bob), token)

    assert "You belong to this team already." in text_of(answer)
    assert find_invitation(token) is not None
    with tenant_scope(acme.tenant):
        assert Membership.objects.for_tenant(acme.tenant).get(user=bob).role == "member"


def test_wrong_used_expired_and_withdrawn_links_look_the_same(acme: Team) -> None:
    token = invited(acme)
    public_id, secret = token.split(".")
    past = timezone.now() - timedelta(minutes=1)
    pages = [Client().post("/join/", {"code": code}) for code in ("nonsense", f"{public_id}.{secret[::-1]}")]
    for fields in ({"expires_at": past}, {"revoked_at": past}, {"accepted_at": past}):
        change(acme, expires_at=timezone.now() + timedelta(days=1), revoked_at=None, accepted_at=None)
        change(acme, **fields)
        pages.append(Client().post("/join/", {"code": token}))

    assert {page.status_code for page in pages} == {422}
    assert len({re.sub(r'value="\w{64}"', "", page.content.decode()) for page in pages}) == 1
    assert GONE in text_of(pages[0])


def test_an_invitation_held_in_the_session_gives_nothing_once_withdrawn(acme: Team) -> None:
    client, token = visitor(loner()), invited(acme)
    client.post("/join/", {"code": token})
    assert "Join Acme" in text_of(client.get("/join/"))

    change(acme, revoked_at=timezone.now())

    assert "Acme" not in text_of(client.get("/join/"))
    assert GONE in text_of(client.post("/join/"))


def test_an_owners_invitation_is_taken_back_by_owners_alone(acme: Team) -> None:
    token = invited(acme, "owner")
    admin = visitor(join(acme, "admin@acme.example", role="admin"))
    with tenant_scope(acme.tenant):
        address = f"{PAGE}invitations/{Invitation.objects.for_tenant(acme.tenant).get().pk}/take-back/"

    admin.post(address)
    assert find_invitation(token) is not None
    visitor(acme.owner).post(address)

    assert find_invitation(token) is None


def test_the_secret_stands_in_no_log(acme: Team, caplog: pytest.LogCaptureFixture) -> None:
    client = visitor(acme.owner)
    with caplog.at_level(logging.DEBUG):
        page = html.unescape(client.post(PAGE, ASKED).content.decode())
        secret = re.findall(r"/join/#[a-z0-9]+\.(\w+)", page)[0]
        Client().post("/join/", {"code": f"aaaaaaaaaaaa.{secret}"})

    with tenant_scope(acme.tenant):
        log = str(list(AuditEntry.objects.for_tenant(acme.tenant).values()))
    sent = [record.getMessage() for record in caplog.records if record.name != "django.db.backends"]
    assert secret not in log + str(sent)


def test_invitations_go_a_month_after_they_ended(acme: Team) -> None:
    invited(acme)
    change(acme, expires_at=timezone.now() - timedelta(days=31))

    due = count_due(tenant=acme.tenant)["invitations removed"]
    outcome = apply_retention(tenant=acme.tenant, actor=JOB)

    assert due == outcome.counts["invitations removed"] == 1
    assert count_due(tenant=acme.tenant)["invitations removed"] == 0
