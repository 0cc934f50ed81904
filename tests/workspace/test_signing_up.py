"""Signing up: who may, what they get, and what nobody learns from it."""

from __future__ import annotations

import re

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.cache import cache
from django.test import Client

from nebo.product.workspace.invitations import NewInvitation, invite
from nebo.tenants.actor import Actor
from nebo.tenants.models import Membership, Tenant, User, UserProfile
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.selectors import list_memberships
from tests.conftest import Team
from tests.visitors import text_of, visitor

pytestmark = pytest.mark.django_db
PAGE = "/accounts/signup/"
ASKED = {"email": "kim@example.org", "workspace": "Café Nord", "password1": "harbour violet 93"}
CODE = re.compile(r"^[A-Z0-9]{4}-[A-Z0-9]{4}$", re.MULTILINE)


@pytest.fixture(autouse=True)
def _forget_attempts() -> None:
    cache.clear()


@pytest.fixture
def is_open(settings: object) -> None:
    settings.SIGNUP = "open"


@pytest.fixture
def verified(settings: object) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    settings.ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = True


def invited(team: Team, role: str = "admin") -> Client:
    """A browser in which the link of an invitation was opened."""
    with tenant_scope(team.tenant):
        issued = invite(
            tenant=team.tenant, new=NewInvitation(role, 7), own_role="owner", actor=Actor("job", "1")
        )
    client = Client()
    client.post("/join/", {"code": issued.token})
    return client


def test_whoever_signs_up_owns_a_team_and_stands_for_a_person_in_it(is_open: None) -> None:
    client = Client()

    page = client.post(PAGE, ASKED, follow=True)

    first = page.redirect_chain[-1][0]
    assert first.startswith("/t/cafe-nord/")
    assert re.search(r"nebo_\w{12}_\w+", text_of(page))
    assert "/api/v1/" in text_of(page)
    again = client.get(first, follow=True)  # shown once
    assert again.redirect_chain[-1][0] == "/t/cafe-nord/"
    assert not re.search(r"nebo_\w{12}_\w+", text_of(again))
    tenant = Tenant.objects.get(slug="cafe-nord")
    with tenant_scope(tenant):
        assert Membership.objects.for_tenant(tenant).get().role == "owner"
        people = UserProfile.objects.for_tenant(tenant).order_by("kind").values_list("kind", "external_id")
        assert list(people) == [("person", "kim"), ("shared", "shared")]
    assert (tenant.name, tenant.is_active, tenant.trash_days) == ("Café Nord", True, 30)


def test_an_address_and_a_password_are_enough(is_open: None) -> None:
    Client().post(PAGE, {"email": "kim@example.org", "password1": ASKED["password1"]})

    (place,) = list_memberships(User.objects.get(email="kim@example.org"))
    assert (place.slug, place.name) == ("kim-s-team", "kim's team")


@pytest.mark.parametrize("name", ["Acme", "Demo", "茶室"])
def test_an_address_that_is_taken_or_kept_free_gets_a_few_letters_more(
    is_open: None, acme: Team, name: str
) -> None:
    Client().post(PAGE, {**ASKED, "workspace": name})

    (place,) = list_memberships(User.objects.get(email="kim@example.org"))
    assert re.fullmatch(r"(acme|demo|team)-[0-9a-f]{6}", place.slug)
    assert place.name == name


@pytest.mark.parametrize("mode", ["invited", "closed"])
def test_where_it_is_not_open_nobody_signs_up_by_themselves(settings: object, mode: str) -> None:
    settings.SIGNUP = mode

    page = Client().post(PAGE, ASKED)

    assert "By invitation" in text_of(page)
    assert not User.objects.filter(email="kim@example.org").exists()


def test_whoever_was_invited_joins_by_signing_up_and_gets_no_team_of_their_own(
    acme: Team, settings: object
) -> None:
    settings.SIGNUP = "invited"
    client = invited(acme)

    page = client.post(PAGE, {**ASKED, "workspace": "ignored"}, follow=True)

    assert page.redirect_chain[-1][0] == "/t/acme/"
    (place,) = list_memberships(User.objects.get(email="kim@example.org"))
    assert (place.slug, place.role) == ("acme", "admin")
    assert Client().post(PAGE, ASKED).context.get("form") is None


def test_where_it_is_closed_an_invitation_opens_no_sign_up(acme: Team, settings: object) -> None:
    settings.SIGNUP = "closed"
    client = invited(acme)

    assert "Make a login" not in text_of(client.get("/join/"))
    client.post(PAGE, ASKED)

    assert not User.objects.filter(email="kim@example.org").exists()


@pytest.mark.parametrize("field, value", [("email", "kim"), ("password1", "password")])
def test_what_is_wrong_is_said_beside_its_field_and_nothing_is_made(
    is_open: None, field: str, value: str
) -> None:
    page = Client().post(PAGE, {**ASKED, field: value})

    assert set(page.context["form"].errors) == {field}
    assert (
        Tenant.objects.filter(slug="cafe-nord").count()
        == User.objects.filter(email="kim@example.org").count()
        == 0
    )


def test_the_address_is_verified_by_the_code_that_was_mailed(is_open: None, verified: None) -> None:
    client = Client()
    client.post(PAGE, ASKED)
    assert client.get("/t/cafe-nord/").status_code == 302, "not signed in yet"
    (code,) = CODE.findall(mail.outbox[0].body)

    page = client.post("/accounts/confirm-email/", {"code": code}, follow=True)

    assert page.redirect_chain[-1][0] == "/t/cafe-nord/first-key/"
    assert EmailAddress.objects.get(email="kim@example.org").verified


def test_nobody_learns_who_has_a_login(is_open: None, verified: None, acme: Team) -> None:
    pages = {}
    for email in ("owner@acme.example", "new@acme.example"):
        page = Client().post(PAGE, {**ASKED, "email": email}, follow=True)
        text = page.content.decode().replace(email, "…")
        pages[email] = (page.status_code, page.redirect_chain, re.sub(r'value="\w{64}"', "", text))
    resets = {
        email: Client().post("/accounts/password/reset/", {"email": email})["Location"]
        for email in ("owner@acme.example", "nobody@acme.example")
    }

    assert len({str(page) for page in pages.values()}) == 1
    assert len(set(resets.values())) == 1
    assert [place.slug for place in list_memberships(acme.owner)] == ["acme"]


def test_a_forgotten_password_is_set_anew_by_the_link_that_was_mailed(acme: Team) -> None:
    client = Client()
    client.post("/accounts/password/reset/", {"email": "owner@acme.example"})
    (link,) = re.findall(r"http://testserver(/\S+)", mail.outbox[0].body)

    form = client.get(link, follow=True)
    client.post(
        form.request["PATH_INFO"], {"password1": "harbour violet 94", "password2": "harbour violet 94"}
    )

    login = {"login": "owner@acme.example", "password": "harbour violet 94"}
    assert client.post("/accounts/login/", login)["Location"] == "/"


def test_signing_up_again_and_again_is_slowed_down(is_open: None) -> None:
    statuses = [
        Client().post(PAGE, {**ASKED, "email": f"kim{number}@example.org"}).status_code for number in range(7)
    ]

    assert statuses[:5] == [302] * 5
    assert statuses[5:] == [429] * 2


@pytest.mark.parametrize(
    "page",
    [
        "password/change/",
        "email/",
        "2fa/",
        "2fa/webauthn/",
        "sessions/",
        "password/reset/",
        "reauthenticate/",
    ],
)
def test_every_page_of_an_account_has_our_look_and_nothing_inline(acme: Team, page: str) -> None:
    answer = visitor(acme.owner).get(f"/accounts/{page}", follow=True)

    text = answer.content.decode()
    assert answer.status_code == 200
    assert "nebo/css/nebo.css" in text
    assert re.search(r"<script(?![^>]*(src=|type=\"application/json\"))", text) is None
    assert re.search(r"<style|\sstyle=|\son\w+=", text) is None


def test_other_places_are_signed_out(acme: Team) -> None:
    here, there = Client(), Client()
    for client in (here, there):
        client.post("/accounts/login/", {"login": "owner@acme.example", "password": "correct horse battery"})
    assert "Sign out everywhere else" in text_of(here.get("/accounts/sessions/"))
    for client in (here, there):
        first = client.get("/accounts/sessions/").content.split(b'<ul class="places">')[1].split(b"</li>")[0]
        assert b">Here<" in first

    here.post("/accounts/sessions/")

    assert here.get("/t/acme/").status_code == 200
    assert there.get("/t/acme/").status_code == 302


def test_forms_may_lead_to_the_sign_in_server_alone(settings: object) -> None:
    without = Client().get("/accounts/login/")["Content-Security-Policy"]
    settings.SSO_ORIGIN = "https://id.example.org"

    with_one = Client().get("/accounts/login/")["Content-Security-Policy"]

    assert "form-action 'self';" in without
    assert with_one == without.replace("form-action 'self';", "form-action 'self' https://id.example.org;")
