"""What a key keeps of how it was issued, and that using or ending one touches no other."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.utils import timezone
from structlog.contextvars import clear_contextvars, get_contextvars

from nebo.api.authentication import let_in
from nebo.errors import InvalidInput
from nebo.tenants.models import ApiKey, Tenant
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.selectors import find_caller, find_newest_key
from nebo.tenants.services import Speaks, check_slug, issue_key, mark_use, revoke_key
from personality.models import Persona
from tests.conftest import Team

pytestmark = pytest.mark.django_db


def uses(team: Team) -> dict[str, datetime | None]:
    with tenant_scope(team.tenant):
        return dict(ApiKey.objects.for_tenant(team.tenant).values_list("name", "last_used_at"))


def test_a_key_keeps_all_that_was_said_when_it_was_issued(acme: Team) -> None:
    until = timezone.now() + timedelta(days=1)
    with tenant_scope(acme.tenant):
        persona = Persona.objects.for_tenant(acme.tenant).create(slug="guide").pk
        issued = issue_key(
            tenant=acme.tenant,
            name="Reader",
            scopes=["read"],
            person=acme.person,
            speaks=Speaks(persona, "web"),
            expires_at=until,
            created_by=acme.owner,
        )
        key = ApiKey.objects.for_tenant(acme.tenant).get()
    caller = find_caller(issued.secret)

    assert (key.name, key.expires_at, key.created_by_id) == ("Reader", until, acme.owner.pk)
    assert caller is not None
    assert (caller.tenant_id, caller.key_id) == (acme.tenant.pk, key.pk)
    assert (caller.person_id, caller.persona_id, caller.trust) == (acme.person.pk, persona, "web")
    assert caller.scopes == {"read"}


@pytest.mark.parametrize(
    "said, field",
    [
        ({"scopes": []}, "scopes"),
        ({"scopes": ["read", "fly"]}, "scopes"),
        ({"speaks": Speaks(trust="god")}, "trust"),
    ],
)
def test_a_key_of_no_known_kind_is_not_issued(acme: Team, said: dict[str, object], field: str) -> None:
    with tenant_scope(acme.tenant):
        with pytest.raises(InvalidInput) as refused:
            issue_key(tenant=acme.tenant, **said)  # type: ignore[arg-type]
        assert not ApiKey.objects.for_tenant(acme.tenant).exists()

    assert refused.value.field == field


def test_ending_a_key_ends_no_other_and_keeps_its_first_time(acme: Team) -> None:
    with tenant_scope(acme.tenant):
        ended, kept = issue_key(tenant=acme.tenant), issue_key(tenant=acme.tenant)
        assert revoke_key(tenant=acme.tenant, key=ended.key).revoked_at is not None
        long_ago = timezone.now() - timedelta(days=1)
        ApiKey.objects.for_tenant(acme.tenant).filter(pk=ended.key.pk).update(revoked_at=long_ago)
        again = revoke_key(tenant=acme.tenant, key=ended.key)

    assert again.revoked_at == long_ago
    assert find_caller(ended.secret) is None
    assert find_caller(kept.secret) is not None


def test_a_use_is_noted_for_the_key_that_was_used_and_for_its_team(acme: Team, rival: Team) -> None:
    with tenant_scope(acme.tenant):
        used = issue_key(tenant=acme.tenant, name="used")
        issue_key(tenant=acme.tenant, name="other")
    caller = find_caller(used.secret)
    assert caller is not None
    assert caller.is_unmarked

    with tenant_scope(acme.tenant):
        mark_use(caller=caller)

    first = uses(acme)
    assert first["used"] is not None
    assert first["other"] is None
    assert Tenant.objects.get(pk=acme.tenant.pk).first_call_at is not None
    assert Tenant.objects.get(pk=rival.tenant.pk).first_call_at is None
    soon = timezone.now() + timedelta(seconds=30)  # later than any use within this test, and no minute off
    with tenant_scope(acme.tenant):
        ApiKey.objects.for_tenant(acme.tenant).filter(name="used").update(last_used_at=soon)
        mark_use(caller=caller)
    assert uses(acme)["used"] == soon


def test_whose_key_it_is_stands_in_every_line_of_the_log(acme: Team) -> None:
    with tenant_scope(acme.tenant):
        issued = issue_key(tenant=acme.tenant)
    clear_contextvars()

    assert let_in("nebo_nonsense") is None
    assert get_contextvars() == {}
    caller = let_in(issued.secret)
    noted = get_contextvars()
    clear_contextvars()

    assert caller is not None
    assert noted == {"tenant_id": str(acme.tenant.pk), "key_id": str(issued.key.pk)}


def test_the_newest_key_is_one_that_still_opens_the_door(acme: Team, rival: Team) -> None:
    with tenant_scope(acme.tenant):
        assert find_newest_key(tenant=acme.tenant) is None
        older, newer, revoked, expired = (issue_key(tenant=acme.tenant).key for _ in range(4))
        for number, key in enumerate((older, newer, revoked, expired)):
            made = timezone.now() - timedelta(hours=9 - number)
            ApiKey.objects.for_tenant(acme.tenant).filter(pk=key.pk).update(created_at=made)
        revoke_key(tenant=acme.tenant, key=revoked)
        past = timezone.now() - timedelta(hours=1)
        ApiKey.objects.for_tenant(acme.tenant).filter(pk=expired.pk).update(expires_at=past)
    with tenant_scope(rival.tenant):
        issue_key(tenant=rival.tenant)

    with tenant_scope(acme.tenant):
        assert find_newest_key(tenant=acme.tenant) == newer


@pytest.mark.parametrize("slug", ["a", "a1-b2", "x" * 63])
def test_a_slug_may_be_as_long_as_a_dns_label(slug: str) -> None:
    check_slug(slug)


@pytest.mark.parametrize("slug", ["", "A", "a--b", "-a", "a b", "x" * 64, "ä"])
def test_any_other_slug_is_refused(slug: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        check_slug(slug)

    assert refused.value.field == "slug"
