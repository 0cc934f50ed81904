"""Many small reads in one statement."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from memories.models import Memory
from memories.selectors import with_persona
from nebo.tenants.models import Tenant, UserProfile
from nebo.tenants.reads import Queries, TenantReads
from nebo.tenants.scoping import WrongTenant, tenant_scope
from sessions.models import Session
from tests.conftest import Team

pytestmark = pytest.mark.django_db

SAID = datetime(2023, 5, 8, 13, 56, 0, 120, tzinfo=UTC)


def queries(
    tenant: UUID, *, person_id: UUID, ids: Sequence[UUID], keys: Sequence[str], newest: UUID
) -> Queries:
    sessions = Session.objects.for_tenant(tenant).filter(person_id=person_id)
    return {
        "newest": sessions.order_by("-started_at").values_list("pk")[:1],
        "recent": sessions.order_by("-started_at")[:2],
        "last": sessions.filter(pk=newest),
        "listed": sessions.filter(pk__in=ids).order_by("key"),
        "named": sessions.filter(key__in=keys).only("key").order_by("key"),
        "percent": sessions.filter(key="100%").values(name=F("key"), who=F("person__external_id")),
        "counted": "SELECT count(*) AS rows, %(keys)s::text[] AS keys FROM recent",
        "defaults": sessions.filter(with_persona("persona_id", tenant, None)).order_by("key"),
        "person": UserProfile.objects.for_tenant(tenant).filter(pk=person_id),
        "memories": Memory.objects.for_tenant(tenant).filter(person_id=person_id, confidence__gte=0.65),
    }


@pytest.fixture
def gathering() -> TenantReads:
    given = {"person_id": "uuid", "ids": "uuid[]", "keys": "text[]"}
    return TenantReads(queries, given=given, found={"newest": "uuid"})


def add_sessions(team: Team) -> list[Session]:
    with tenant_scope(team.tenant):
        return [
            Session.objects.for_tenant(team.tenant).create(
                person=team.person, key=key, started_at=SAID + timedelta(days=day), identity={"channel": key}
            )
            for day, key in enumerate(["a", "b", "100%"])
        ]


def read(gathering: TenantReads, tenant: Tenant, person: UserProfile, **values: Any) -> dict[str, list[Any]]:
    with tenant_scope(tenant):
        return gathering.read(
            tenant=tenant, **{"person_id": person.pk, "ids": [], "keys": ["b", "100%"], **values}
        )


def test_rows_are_what_the_orm_would_have_read(gathering: TenantReads, acme: Team) -> None:
    _, b, percent = add_sessions(acme)

    found = read(gathering, acme.tenant, acme.person)

    with tenant_scope(acme.tenant):
        rows = {row.pk: row for row in Session.objects.for_tenant(acme.tenant)}
    assert [session.pk for session in found["recent"]] == [percent.pk, b.pk]
    for session in found["recent"]:
        assert session == rows[session.pk]
        assert not session._state.adding
        for field in Session._meta.concrete_fields:
            assert getattr(session, field.attname) == getattr(rows[session.pk], field.attname), field
    assert found["person"] == [acme.person]
    assert found["memories"] == []


def test_columns_that_were_not_asked_for_are_read_when_they_are_wanted(
    gathering: TenantReads, acme: Team
) -> None:
    add_sessions(acme)

    named = read(gathering, acme.tenant, acme.person)["named"]

    assert [session.key for session in named] == ["100%", "b"]
    assert named[0].get_deferred_fields() >= {"started_at", "identity"}
    with tenant_scope(acme.tenant):
        assert named[0].identity == {"channel": "100%"}


def test_lists_and_what_was_read_first_are_parameters_too(gathering: TenantReads, acme: Team) -> None:
    a, b, percent = add_sessions(acme)

    found = read(gathering, acme.tenant, acme.person, ids=[b.pk, a.pk])
    other = read(gathering, acme.tenant, acme.person, ids=[percent.pk], keys=[])

    assert "newest" not in found
    assert found["last"] == other["last"] == [percent]
    assert (found["listed"], other["listed"]) == ([a, b], [percent])
    assert other["named"] == []


def test_values_and_sql_come_as_dicts(gathering: TenantReads, acme: Team) -> None:
    add_sessions(acme)

    found = read(gathering, acme.tenant, acme.person, keys=["x"])

    assert found["percent"] == [{"name": "100%", "who": "alice"}]
    assert found["counted"] == [{"rows": 2, "keys": ["x"]}]


def test_each_reading_is_one_statement(gathering: TenantReads, acme: Team) -> None:
    add_sessions(acme)
    read(gathering, acme.tenant, acme.person)

    with tenant_scope(acme.tenant), CaptureQueriesContext(connection) as captured:
        gathering.read(tenant=acme.tenant, person_id=acme.person.pk, ids=[], keys=[])

    assert len(captured) == 1


def test_compiled_for_one_tenant_it_reads_another_ones_rows_for_that_one(
    gathering: TenantReads, acme: Team, rival: Team
) -> None:
    add_sessions(acme)
    own, foreign = add_sessions(rival), read(gathering, acme.tenant, acme.person)

    found = read(gathering, rival.tenant, rival.person)

    assert [session.pk for session in found["defaults"]] == [own[2].pk, own[0].pk, own[1].pk]
    assert found["person"] == [rival.person]
    assert not {session.pk for session in foreign["defaults"]} & {session.pk for session in own}


def test_another_tenants_rows_are_not_there_by_their_ids(
    gathering: TenantReads, acme: Team, rival: Team
) -> None:
    sessions = add_sessions(acme)

    found = read(gathering, rival.tenant, acme.person, ids=[session.pk for session in sessions])

    assert {name: rows for name, rows in found.items() if rows and name != "counted"} == {}


def test_another_tenants_scope_is_refused(gathering: TenantReads, acme: Team, rival: Team) -> None:
    with tenant_scope(rival.tenant), pytest.raises(WrongTenant):
        gathering.read(tenant=acme.tenant, person_id=acme.person.pk, ids=[], keys=[])
