"""Tenants, people and keys: what services promise under races and bad input."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from uuid import UUID

import pytest
from django.db import IntegrityError, ProgrammingError, connection, connections
from django.utils import timezone

from nebo.errors import Conflict, InvalidInput, NotFound
from nebo.tenants.keys import expand_scopes, find_key_text, make_key
from nebo.tenants.models import Membership, UserProfile
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.selectors import MembershipInfo, get_person, get_shared_person, list_memberships
from nebo.tenants.services import create_tenant, get_or_create_person, issue_key
from tests.conftest import Team


def test_a_tenant_comes_with_its_shared_profile_and_owner(committed_db: None, acme: Team) -> None:
    tenant = create_tenant(slug="initech", name="Initech", owner=acme.owner)

    assert list_memberships(acme.owner) == [
        MembershipInfo(acme.tenant.pk, "acme", "Acme", "owner"),
        MembershipInfo(tenant.pk, "initech", "Initech", "owner"),
    ]
    with tenant_scope(tenant):
        assert get_shared_person(tenant=tenant).external_id == "shared"
        assert Membership.objects.for_tenant(tenant).count() == 1


def test_a_new_tenant_is_no_way_to_the_operators_rights(committed_db: None) -> None:
    tenant = create_tenant(slug="initech", name="Initech")

    with pytest.raises(ProgrammingError, match="permission denied"):
        tenant.save()


def test_a_slug_is_taken_once(committed_db: None, acme: Team) -> None:
    with pytest.raises(Conflict):
        create_tenant(slug="acme", name="Again")


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO tenants_tenant SELECT * FROM tenants_tenant",
        "UPDATE tenants_tenant SET is_active = false",
        "UPDATE tenants_tenant SET slug = slug",
        "DELETE FROM tenants_tenant",
        "TRUNCATE tenants_tenant CASCADE",
    ],
)
def test_the_app_may_neither_make_nor_change_a_tenant(db: None, statement: str) -> None:
    with pytest.raises(ProgrammingError, match="permission denied"), connection.cursor() as cursor:
        cursor.execute(statement)


def test_many_at_once_make_one_person(committed_db: None, acme: Team) -> None:
    start = threading.Barrier(6)

    def mention(_: int) -> UUID:
        try:
            with tenant_scope(acme.tenant):
                start.wait(30)
                return get_or_create_person(tenant=acme.tenant, external_id="bob").pk
        finally:
            connections.close_all()

    with ThreadPoolExecutor(6) as pool:
        found = set(pool.map(mention, range(6)))

    assert len(found) == 1


@pytest.mark.parametrize("name", ["", " ", "\t", "a\0b", "a\nb", "a/b", ".", "..", "x" * 256, "me"])
def test_a_person_nobody_can_be_is_refused(db: None, acme: Team, name: str) -> None:
    with tenant_scope(acme.tenant):
        with pytest.raises(InvalidInput):
            get_or_create_person(tenant=acme.tenant, external_id=name)
        with pytest.raises(NotFound):
            get_person(tenant=acme.tenant, external_id=name)


@pytest.mark.parametrize("name", ["bob", "user:1", "bob@acme.example", "Zoë 🙂", "shared", "x" * 255])
def test_a_person_may_have_any_other_name(db: None, acme: Team, name: str) -> None:
    with tenant_scope(acme.tenant):
        made = get_or_create_person(tenant=acme.tenant, external_id=name)

        assert made == get_person(tenant=acme.tenant, external_id=name)
        assert made.kind == UserProfile.Kind.PERSON


def test_a_key_cannot_be_bound_to_another_tenants_person(db: None, acme: Team, rival: Team) -> None:
    with pytest.raises(IntegrityError, match="tenant_fk"), tenant_scope(acme.tenant):
        issue_key(tenant=acme.tenant, person=rival.person)


def test_a_key_that_has_expired_is_not_issued(db: None, acme: Team) -> None:
    with tenant_scope(acme.tenant), pytest.raises(InvalidInput):
        issue_key(tenant=acme.tenant, expires_at=timezone.now() - timedelta(seconds=1))


def test_a_key_reads_back_as_its_halves() -> None:
    key = make_key()

    assert find_key_text(str(key)) == key
    assert key.matches(key.digest)
    assert not make_key().matches(key.digest)
    assert key.secret not in repr(key)


@pytest.mark.parametrize(
    ("given", "allowed"),
    [
        ([], set()),
        (["read"], {"read"}),
        (["write"], {"read", "write"}),
        (["admin"], {"read", "write", "admin"}),
        (["fly"], set()),
        (["fly", "read"], {"read"}),
    ],
)
def test_scopes_imply_the_lesser_ones(given: list[str], allowed: set[str]) -> None:
    assert expand_scopes(given) == allowed
