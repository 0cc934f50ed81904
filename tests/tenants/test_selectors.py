"""Who and what is found in a tenant, and that nothing of another is."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse

from nebo.errors import NotFound
from nebo.tenants.access import get_membership
from nebo.tenants.middleware import OperatorMiddleware
from nebo.tenants.models import User, UserProfile
from nebo.tenants.scoping import OPERATOR_ALIAS, OperatorRouter, tenant_scope
from nebo.tenants.selectors import (
    find_tenant,
    get_key_names,
    get_person_by_id,
    get_person_version,
    list_linked_people,
    list_memberships,
)
from nebo.tenants.services import issue_key
from tests.conftest import Team

pytestmark = pytest.mark.django_db


def test_a_person_is_found_by_id_in_its_own_tenant_alone(acme: Team, rival: Team) -> None:
    with tenant_scope(acme.tenant):
        assert get_person_by_id(tenant=acme.tenant, person_id=acme.shared.pk) == acme.shared
        assert get_person_by_id(tenant=acme.tenant, person_id=acme.person.pk) == acme.person
        for stranger in (rival.person.pk, uuid4()):
            with pytest.raises(NotFound):
                get_person_by_id(tenant=acme.tenant, person_id=stranger)


def test_how_a_person_stands_is_told_of_ones_own_alone(acme: Team, rival: Team) -> None:
    with tenant_scope(rival.tenant):
        UserProfile.objects.for_tenant(rival.tenant).create(external_id="bob")

    with tenant_scope(acme.tenant):
        for person in ("alice", acme.person.pk):
            assert get_person_version(tenant=acme.tenant, person=person).person_id == acme.person.pk
        for stranger in ("bob", "a/b", "a\0b", "shared", rival.person.pk, uuid4()):
            with pytest.raises(NotFound):
                get_person_version(tenant=acme.tenant, person=stranger)


def test_a_login_stands_for_the_people_linked_to_it_in_this_tenant(acme: Team, rival: Team) -> None:
    with tenant_scope(rival.tenant):
        UserProfile.objects.for_tenant(rival.tenant).create(external_id="spy", login=acme.owner)

    with tenant_scope(acme.tenant):
        UserProfile.objects.for_tenant(acme.tenant).create(external_id="nobodys")
        assert list(list_linked_people(tenant=acme.tenant, user=acme.owner)) == [acme.person]
        assert not list_linked_people(tenant=acme.tenant, user=rival.owner).exists()


def test_keys_are_named_by_their_names_or_else_their_public_ids(acme: Team, rival: Team) -> None:
    with tenant_scope(rival.tenant):
        theirs = issue_key(tenant=rival.tenant, name="Theirs").key
    with tenant_scope(acme.tenant):
        named, nameless = issue_key(tenant=acme.tenant, name="Reader").key, issue_key(tenant=acme.tenant).key
        issue_key(tenant=acme.tenant, name="Another")
        actors = [f"key:{key.pk}" for key in (named, nameless, theirs)]

        names = get_key_names(tenant=acme.tenant, actors=[*actors, "key:odd", f"user:{acme.owner.pk}"])

    assert names == {actors[0]: "Reader", actors[1]: nameless.public_id}


def test_a_tenant_is_found_by_its_own_slug(acme: Team, rival: Team) -> None:
    assert find_tenant(slug="acme") == acme.tenant
    assert find_tenant(slug="rival") == rival.tenant
    assert find_tenant(slug="initech") is None


def test_a_login_is_let_into_its_own_tenants_alone(acme: Team) -> None:
    memberships = list_memberships(acme.owner)

    assert get_membership(memberships=memberships, slug="acme").tenant_id == acme.tenant.pk
    for slug in ("rival", "initech", ""):
        with pytest.raises(NotFound):
            get_membership(memberships=memberships, slug=slug)


@pytest.mark.parametrize(
    "path, user, opens",
    [
        ("/admin/", User(is_staff=True), True),
        ("/admin/tenants/", User(is_staff=True), True),
        ("/admin/", User(is_staff=False), False),
        ("/admin/", AnonymousUser(), False),
        ("/t/acme/", User(is_staff=True), False),
        ("/api/v1/admin/", User(is_staff=True), False),
    ],
)
def test_only_staff_on_the_admin_site_sees_past_tenants(path: str, user: User, opens: bool) -> None:
    used = []

    def answer(request: HttpRequest) -> HttpResponse:
        used.append(OperatorRouter().db_for_read(UserProfile))
        return HttpResponse()

    request = HttpRequest()
    request.path, request.user = path, user
    OperatorMiddleware(answer)(request)

    assert used == [OPERATOR_ALIAS if opens else None]
    assert OperatorRouter().db_for_read(UserProfile) is None
