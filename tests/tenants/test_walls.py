"""The three walls: explicit scope, row-level security, keys that carry the tenant."""

from __future__ import annotations

import pytest
from django.db import connection, transaction
from django.db.utils import DataError, IntegrityError, ProgrammingError

from memories.models import Memory
from nebo.tenants.models import UserProfile
from nebo.tenants.scoping import ScopeError, UnscopedQuery, WrongTenant, current_tenant_id, tenant_scope
from tests.conftest import Team

pytestmark = pytest.mark.django_db


def remember(team: Team, value: str) -> Memory:
    with tenant_scope(team.tenant):
        return Memory.objects.for_tenant(team.tenant).create(
            person=team.person, namespace="tacit", layer="tacit", key=value, value=value, source="user"
        )


def test_objects_without_a_tenant_raise(acme: Team) -> None:
    with tenant_scope(acme.tenant), pytest.raises(UnscopedQuery):
        Memory.objects.all()


def test_a_query_outside_a_scope_raises(acme: Team) -> None:
    with pytest.raises(ScopeError):
        Memory.objects.for_tenant(acme.tenant)


def test_another_tenants_scope_does_not_nest(acme: Team, rival: Team) -> None:
    with tenant_scope(acme.tenant), pytest.raises(WrongTenant), tenant_scope(rival.tenant):
        pass


def test_without_the_orm_filter_the_app_role_sees_one_tenant_only(acme: Team, rival: Team) -> None:
    remember(acme, "acme likes tea")
    remember(rival, "rival likes coffee")

    with tenant_scope(rival.tenant):
        seen = set(Memory.unscoped.values_list("value", flat=True))

    assert seen == {"rival likes coffee"}


@pytest.mark.parametrize(
    "statement", ["SELECT * FROM memories_memory", "SELECT count(*) FROM tenants_userprofile"]
)
def test_with_no_tenant_set_the_database_raises(acme: Team, statement: str) -> None:
    remember(acme, "acme likes tea")

    with pytest.raises((ProgrammingError, DataError)), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


def test_a_row_of_another_tenant_cannot_be_written(acme: Team, rival: Team) -> None:
    with pytest.raises(ProgrammingError, match="row-level security"), tenant_scope(acme.tenant):
        UserProfile.unscoped.create(tenant=rival.tenant, external_id="mallory")


def test_a_row_cannot_point_at_another_tenants_row(acme: Team, rival: Team) -> None:
    with pytest.raises(IntegrityError, match="tenant_fk"), tenant_scope(acme.tenant):
        Memory.objects.for_tenant(acme.tenant).create(
            person=rival.person, namespace="tacit", key="k", value="v", source="user"
        )


def test_another_tenants_id_is_not_found(acme: Team, rival: Team) -> None:
    memory = remember(acme, "acme likes tea")

    with tenant_scope(rival.tenant):
        assert not Memory.unscoped.filter(pk=memory.pk).exists()
        assert Memory.unscoped.filter(pk=memory.pk).update(value="stolen") == 0


def test_no_scope_opens_within_anothers_whichever_came_first(acme: Team, rival: Team, db: None) -> None:
    for outer, inner in ((acme, rival), (rival, acme)):
        with tenant_scope(outer.tenant), pytest.raises(WrongTenant), tenant_scope(inner.tenant):
            pass

    with tenant_scope(acme.tenant), tenant_scope(acme.tenant):
        assert current_tenant_id() == acme.tenant.pk
