"""The page of a team's settings: owners and admins set them, nobody else finds it."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from memories.models import AuditEntry
from nebo.product.governance.settings_form import SettingsForm
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import tenant_scope
from tests.conftest import Team
from tests.visitors import count_queries, join, text_of, visitor

pytestmark = pytest.mark.django_db
PAGE = "/t/acme/settings/"
PAGE_QUERIES = 12


def posted(team: Team, **changes: Any) -> dict[str, Any]:
    """What a browser posts of the page as it was shown, with some of it changed."""
    form = SettingsForm(tenant=Tenant.objects.get(pk=team.tenant.pk))
    shown = {name: form[name].value() for name in form.fields}
    data = {**shown, "version": form.version, **changes}
    return {name: value for name, value in data.items() if value not in (None, False)}


@pytest.fixture
def owner(db: None, acme: Team) -> Client:
    return visitor(acme.owner)


def test_owners_read_what_holds_in_a_fixed_number_of_queries(owner: Client) -> None:
    page = owner.get(PAGE)

    assert page.status_code == 200
    assert "How long things are kept" in text_of(page)
    assert 'value="50"' in page.content.decode()
    assert count_queries(owner, PAGE) <= PAGE_QUERIES


def test_it_says_that_what_is_never_learned_is_still_stored(owner: Client) -> None:
    page = text_of(owner.get(PAGE))

    assert "“Never learn” means that no memory is made of such a matter" in page
    assert "still stored, word for word" in page and "can redact" in page


def test_a_page_saved_as_it_was_shown_changes_nothing(owner: Client, acme: Team) -> None:
    assert owner.post(PAGE, posted(acme)).status_code == 302

    with tenant_scope(acme.tenant):
        assert not AuditEntry.objects.for_tenant(acme.tenant).filter(action="settings.changed").exists()


def test_what_is_saved_holds_and_is_noted(owner: Client, acme: Team) -> None:
    changes = {"recall": False, "review_share": 29, "archive_days": "", "relevance_floor": 0.25}

    saved = owner.post(PAGE, posted(acme, **changes), follow=True)

    assert "Saved." in text_of(saved)
    tenant = Tenant.objects.get(pk=acme.tenant.pk)
    assert (tenant.recall, tenant.archive_days, tenant.relevance_floor) == (False, None, 0.25)
    assert tenant.review_share == pytest.approx(0.29)
    with tenant_scope(acme.tenant):
        noted = AuditEntry.objects.for_tenant(acme.tenant).get(action="settings.changed")
    assert noted.actor == f"user:{acme.owner.pk}"
    assert set(noted.detail["changes"]) == set(changes)


@pytest.mark.parametrize(
    "changes", [{"compaction_tokens": 3}, {"review_share": 101}, {"trash_days": -1}, {"audit_days": "soon"}]
)
def test_what_cannot_be_is_shown_beside_its_field(owner: Client, acme: Team, changes: dict[str, Any]) -> None:
    refused = owner.post(PAGE, posted(acme, **changes))

    assert refused.status_code == 422
    assert refused.content.decode().count('aria-invalid="true"') == 1


def test_nobody_writes_over_what_they_have_not_seen(owner: Client, acme: Team) -> None:
    stale = posted(acme, trash_days=7)
    owner.post(PAGE, posted(acme, trash_days=9))

    refused = owner.post(PAGE, stale)

    assert refused.status_code == 422
    assert "changed in the meantime" in text_of(refused)
    assert Tenant.objects.get(pk=acme.tenant.pk).trash_days == 9


def test_an_admin_may_and_to_everybody_else_there_is_no_such_page(acme: Team, rival: Team) -> None:
    admin = visitor(join(acme, "admin@acme.example", role="admin"))
    member = visitor(join(acme, "member@acme.example", person="mia"))
    stranger = visitor(rival.owner)

    assert admin.get(PAGE).status_code == 200
    for other in (member, stranger):
        assert other.get(PAGE).status_code == 404
        assert other.post(PAGE, posted(acme, trash_days=1)).status_code == 404
    assert Tenant.objects.get(pk=acme.tenant.pk).trash_days == 30
    assert PAGE not in member.get("/t/acme/").content.decode()
    assert PAGE in admin.get("/t/acme/", follow=True).content.decode()
    assert Client().get(PAGE).status_code == 302
