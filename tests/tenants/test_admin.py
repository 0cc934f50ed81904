"""The operators' admin: every page opens for staff, for nobody else, and what it writes goes through services."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib import admin
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from nebo.tenants.models import ApiKey, Membership, Tenant, User, UserProfile
from nebo.tenants.scoping import operator_scope, tenant_scope
from nebo.tenants.selectors import find_caller
from nebo.tenants.services import get_or_create_person, issue_key, revoke_key
from tests.conftest import Team

PAGES = ("tenant", "user", "membership", "userprofile", "apikey")
INLINE = re.compile(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", re.IGNORECASE)


@pytest.fixture
def staff(committed_db: None) -> Client:
    with operator_scope():
        user = User.objects.create_superuser("ops@nebo.example", "correct horse battery")
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def key(staff: Client, acme: Team) -> ApiKey:
    with tenant_scope(acme.tenant):
        return issue_key(tenant=acme.tenant, name="bot", person=acme.person).key


def change_url(row: Any) -> str:
    return reverse(f"admin:tenants_{row._meta.model_name}_change", args=[row.pk])


def assert_page(response: HttpResponse) -> None:
    """It opened, and holds nothing the content security policy would stop."""
    assert response.status_code == 200
    assert not INLINE.findall(
        re.sub(r'<script id="[^"]*" type="application/json">', "", response.content.decode())
    )
    assert "'unsafe" not in response["Content-Security-Policy"]


@pytest.mark.parametrize("model", PAGES)
def test_the_lists_and_forms_open(staff: Client, acme: Team, key: ApiKey, model: str) -> None:
    assert_page(staff.get(reverse(f"admin:tenants_{model}_changelist"), {"q": "acme"}))
    assert_page(staff.get(reverse(f"admin:tenants_{model}_add")))


def test_the_first_page_and_each_row_open(staff: Client, acme: Team, key: ApiKey) -> None:
    with tenant_scope(acme.tenant):
        membership = Membership.objects.for_tenant(acme.tenant).get()

    for row in (acme.tenant, acme.owner, membership, acme.person, key):
        assert_page(staff.get(change_url(row)))
        assert_page(staff.get(reverse(f"admin:tenants_{row._meta.model_name}_history", args=[row.pk])))
    page = staff.get(reverse("admin:index"))
    assert_page(page)
    assert "Nebo operations" in page.content.decode()


def test_the_digest_is_on_no_page(staff: Client, key: ApiKey) -> None:
    for address in (change_url(key), reverse("admin:tenants_apikey_changelist")):
        assert key.digest not in staff.get(address).content.decode()


@pytest.mark.parametrize("model", ["tenant", "userprofile", "apikey"])
def test_what_has_memories_is_not_deleted_by_hand(staff: Client, acme: Team, key: ApiKey, model: str) -> None:
    row = {"tenant": acme.tenant, "userprofile": acme.person, "apikey": key}[model]

    response = staff.post(reverse(f"admin:tenants_{model}_delete", args=[row.pk]), {"post": "yes"})

    assert response.status_code == 403


def test_an_owner_of_a_tenant_is_no_operator(committed_db: None, acme: Team) -> None:
    client = Client()
    client.force_login(acme.owner)

    assert client.get(reverse("admin:index")).status_code in (302, 403)
    assert client.get(reverse("admin:tenants_tenant_changelist")).status_code in (302, 403)


def test_the_login_is_the_one_with_second_factors(committed_db: None) -> None:
    response = Client().get(reverse("admin:login"), {"next": "/admin/"})

    assert response.status_code == 302
    assert response["Location"].startswith(reverse("account_login"))


def test_a_new_tenant_has_its_shared_profile_and_policy(staff: Client) -> None:
    form = {"slug": "initech", "name": "Initech", "is_active": "on", "auto_extract": "on"}
    policy = {"compaction_tokens": 9000, "review_share": 0.2, "trash_days": 7}

    response = staff.post(reverse("admin:tenants_tenant_add"), {**form, **policy})

    assert response.status_code == 302, response.context["errors"]
    tenant = Tenant.objects.get(slug="initech")
    assert (tenant.compaction_tokens, tenant.trash_days) == (9000, 7)
    with tenant_scope(tenant):
        assert UserProfile.objects.for_tenant(tenant).get().kind == UserProfile.Kind.SHARED


def test_what_a_tenant_may_stands_in_the_list_beside_what_it_has(
    staff: Client, acme: Team, rival: Team
) -> None:
    with tenant_scope(acme.tenant):
        get_or_create_person(tenant=acme.tenant, external_id="bob")
        revoke_key(tenant=acme.tenant, key=issue_key(tenant=acme.tenant).key)
        issue_key(tenant=acme.tenant)
    known = staff.get(change_url(acme.tenant)).context["adminform"].form.initial
    form = {name: value for name, value in known.items() if value not in (None, False)}

    changed = staff.post(change_url(acme.tenant), {**form, "plan": "Studio", "calls_per_minute": 90})
    refused = staff.post(change_url(rival.tenant), {**form, "slug": "rival", "calls_per_minute": 0})

    assert changed.status_code == 302, changed.context["adminform"].form.errors
    assert "calls_per_minute" in refused.context["adminform"].form.errors
    listed = staff.get(reverse("admin:tenants_tenant_changelist"), {"plan": "Studio"})
    (row,) = listed.context["cl"].result_list
    assert (row.slug, row.calls_per_minute, row.people_count, row.key_count) == ("acme", 90, 2, 1)


@pytest.mark.parametrize("slug", ["Initech", "in_itech", "-x", "acme"])
def test_a_slug_nobody_may_have_is_refused(staff: Client, acme: Team, slug: str) -> None:
    policy = {"compaction_tokens": 9000, "review_share": 0.2, "trash_days": 7}

    response = staff.post(reverse("admin:tenants_tenant_add"), {"slug": slug, "name": "x", **policy})

    assert response.status_code == 200
    assert "slug" in response.context["adminform"].form.errors


def test_a_new_key_is_shown_once_and_opens(staff: Client, acme: Team) -> None:
    form = {"tenant": acme.tenant.pk, "name": "bot", "scopes": ["read"], "external_id": "bob"}

    page = staff.post(reverse("admin:tenants_apikey_add"), form, follow=True).content.decode()

    (secret,) = re.findall(r"nebo_[a-z0-9]{12}_[A-Za-z0-9]{43}", page)
    caller = find_caller(secret)
    assert caller is not None
    assert (caller.tenant_id, caller.scopes) == (acme.tenant.pk, {"read"})
    with tenant_scope(acme.tenant):
        assert UserProfile.objects.for_tenant(acme.tenant).get(pk=caller.person_id).external_id == "bob"
    assert secret not in staff.get(reverse("admin:tenants_apikey_changelist")).content.decode()


def test_a_key_is_revoked(staff: Client, acme: Team) -> None:
    with tenant_scope(acme.tenant):
        issued = issue_key(tenant=acme.tenant)

    staff.post(
        reverse("admin:tenants_apikey_changelist"),
        {"action": "revoke", "_selected_action": [str(issued.key.pk)]},
    )

    assert find_caller(issued.secret) is None


def test_a_login_and_a_membership_are_made(staff: Client, acme: Team) -> None:
    password = {"usable_password": "true", "password1": "battery horse 9", "password2": "battery horse 9"}
    staff.post(reverse("admin:tenants_user_add"), {"email": "bob@acme.example", **password})
    user = User.objects.get(email="bob@acme.example")
    assert_page(staff.get(reverse("admin:auth_user_password_change", args=[user.pk])))

    staff.post(
        reverse("admin:tenants_membership_add"), {"tenant": acme.tenant.pk, "user": user.pk, "role": "admin"}
    )

    with tenant_scope(acme.tenant):
        assert Membership.objects.for_tenant(acme.tenant).get(user=user).role == "admin"


def test_a_person_is_made_and_linked(staff: Client, acme: Team) -> None:
    form = {"tenant": acme.tenant.pk, "external_id": "bob", "interests": "tea,go", "login": acme.owner.pk}

    response = staff.post(reverse("admin:tenants_userprofile_add"), form)

    assert response.status_code == 302, response.context["errors"]
    with tenant_scope(acme.tenant):
        bob = UserProfile.objects.for_tenant(acme.tenant).get(external_id="bob")
    assert (bob.kind, bob.login_id, bob.interests) == ("person", acme.owner.pk, ["tea", "go"])


def test_queues_and_second_factors_have_no_page() -> None:
    labels = {model._meta.label for model in admin.site._registry}

    assert not {label for label in labels if label.startswith(("django_q", "mfa", "account"))}


def test_operators_choose_what_is_learned_of_sensitive_matters(staff: Client, acme: Team) -> None:
    form = staff.get(change_url(acme.tenant)).context["adminform"].form
    posted = {field.html_name: field.value() for field in form if field.value() not in (None, False)}

    saved = staff.post(change_url(acme.tenant), {**posted, "sensitive_health": "never"})

    assert saved.status_code == 302
    assert Tenant.objects.get(pk=acme.tenant.pk).sensitive_classes == {"health": "never"}


def test_each_plan_to_filter_by_has_a_name(staff: Client, acme: Team, rival: Team) -> None:
    with operator_scope():
        Tenant.objects.filter(pk=rival.tenant.pk).update(plan="Gold")

    page = staff.get(reverse("admin:tenants_tenant_changelist")).content.decode()

    assert re.search(r'href="\?plan=">\s*No plan\s*</a>', page)
    assert re.search(r'href="\?plan=Gold">\s*Gold\s*</a>', page)
