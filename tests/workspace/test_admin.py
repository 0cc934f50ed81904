"""Operators close a team and open it again, and the team's sealed log says so."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from memories.models import AuditEntry
from nebo.tenants.models import Tenant, User
from nebo.tenants.scoping import operator_scope, tenant_scope
from tests.conftest import Team

TENANTS = "admin:tenants_tenant_changelist"


@pytest.fixture
def staff(committed_db: None) -> Client:
    with operator_scope():
        user = User.objects.create_superuser("ops@nebo.example", "correct horse battery")
    client = Client()
    client.force_login(user)
    return client


def act(staff: Client, action: str, tenant: Tenant) -> None:
    response = staff.post(reverse(TENANTS), {"action": action, "_selected_action": [str(tenant.pk)]})
    assert response.status_code == 302


def notes(team: Team) -> list[tuple[str, str]]:
    with tenant_scope(team.tenant):
        rows = AuditEntry.objects.for_tenant(team.tenant).filter(object_type="tenant").order_by("id")
        return list(rows.values_list("action", "actor"))


def test_each_change_is_in_the_sealed_log_once(staff: Client, acme: Team, rival: Team) -> None:
    with operator_scope():
        operator = f"operator:{User.objects.get(email='ops@nebo.example').pk}"

    act(staff, "suspend", acme.tenant)
    act(staff, "suspend", acme.tenant)
    acme.tenant.refresh_from_db()
    was_active = acme.tenant.is_active
    act(staff, "resume", acme.tenant)
    acme.tenant.refresh_from_db()

    assert (was_active, acme.tenant.is_active) == (False, True)
    assert notes(acme) == [("tenant.suspended", operator), ("tenant.resumed", operator)]
    assert notes(rival) == []


def test_the_checkbox_leaves_the_same_line(staff: Client, acme: Team) -> None:
    address = reverse("admin:tenants_tenant_change", args=[acme.tenant.pk])
    fields = staff.get(address).context["adminform"].form
    posted = {name: fields.get_initial_for_field(field, name) for name, field in fields.fields.items()}
    posted = {name: value for name, value in posted.items() if value not in (None, False)}
    del posted["is_active"]

    response = staff.post(address, posted)

    assert response.status_code == 302
    assert [action for action, _ in notes(acme)] == ["tenant.suspended"]


def test_the_list_counts_who_belongs(staff: Client, acme: Team) -> None:
    page = staff.get(reverse(TENANTS), {"q": acme.tenant.slug}).content.decode()

    assert re.search(r'class="field-members">1<', page)
    assert re.search(r'class="field-people">[1-9]', page)
    assert 'class="field-keys">' in page


def test_each_box_of_a_new_key_has_a_name(staff: Client) -> None:
    page = staff.get(reverse("admin:tenants_apikey_add")).content.decode()

    for part in ("expires_at_0", "expires_at_1"):
        box = re.search(rf'<input[^>]*name="{part}"[^>]*>', page)
        assert box is not None
        assert "aria-label=" in box.group()
