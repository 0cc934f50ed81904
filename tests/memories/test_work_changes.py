"""A new job that is told beforehand: both stand until the day, then the older one is over."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memories.curation.upkeep import end_memories
from memories.learning.work_changes import end_what_is_over
from memories.models import Memory
from memories.storing.edit import delete_memory, pin_memory
from nebo.tenants.scoping import tenant_scope
from tests.conftest import Team
from tests.memories.conftest import AGENT, hear

pytestmark = pytest.mark.django_db

TOLD = datetime(2024, 1, 13, 10, tzinfo=UTC)
ANNOUNCED = datetime(2024, 2, 24, 10, tzinfo=UTC)
BEFORE, AFTER = datetime(2024, 3, 31, 10, tzinfo=UTC), datetime(2024, 4, 1, 10, tzinfo=UTC)


def live(team: Team) -> list[str]:
    rows = Memory.objects.for_tenant(team.tenant).filter(status=Memory.Status.ACTIVE)
    return sorted(rows.values_list("value", flat=True))


def find(team: Team, word: str) -> Memory:
    return (
        Memory.objects.for_tenant(team.tenant).select_related("person", "persona").get(value__contains=word)
    )


def tell(team: Team) -> None:
    hear(team, "I'm a physio at the Kingsdown clinic in Bristol", at=TOLD)
    hear(team, "From 1 April I'm at the Children's Hospital, paediatric physio", at=ANNOUNCED, thorough=True)


def end(team: Team, at: datetime) -> None:
    end_what_is_over(tenant=team.tenant, person=team.person, at=at, actor=AGENT)


def test_both_stand_until_the_day(scope: Team) -> None:
    tell(scope)

    end(scope, BEFORE)

    assert len(live(scope)) == 2
    assert find(scope, "Kingsdown").valid_to == datetime(2024, 4, 1, tzinfo=UTC)


def test_on_the_day_the_older_one_is_over_and_says_what_took_its_place(scope: Team) -> None:
    tell(scope)

    end(scope, AFTER)

    old, new = find(scope, "Kingsdown"), find(scope, "Children")
    assert (old.status, old.superseded_by_id) == (Memory.Status.SUPERSEDED, new.pk)
    assert live(scope) == [new.value]


def test_the_daily_upkeep_ends_it_too(acme: Team) -> None:
    with tenant_scope(acme.tenant):
        tell(acme)

    assert end_memories(tenant=acme.tenant) == 1

    with tenant_scope(acme.tenant):
        assert find(acme, "Kingsdown").status == Memory.Status.SUPERSEDED


def test_what_was_to_take_its_place_and_is_gone_ends_nothing(scope: Team) -> None:
    tell(scope)
    delete_memory(tenant=scope.tenant, memory=find(scope, "Children"), actor=AGENT)

    end(scope, AFTER)

    assert live(scope) == [find(scope, "Kingsdown").value]


def test_what_a_person_pinned_stays(scope: Team) -> None:
    tell(scope)
    pin_memory(tenant=scope.tenant, memory=find(scope, "Kingsdown"), actor=AGENT)

    end(scope, AFTER)

    assert len(live(scope)) == 2


def test_told_when_it_has_begun_the_older_one_is_over_at_once(scope: Team) -> None:
    hear(scope, "I'm a physio at the Kingsdown clinic in Bristol", at=TOLD)

    hear(scope, "From today I'm at the Children's Hospital, paediatric physio", at=AFTER, thorough=True)

    assert "Kingsdown" not in " ".join(live(scope))


def test_somebody_elses_work_goes_on(scope: Team) -> None:
    hear(scope, "My sister Ana works at Siemens", at=TOLD)
    hear(scope, "I've been hired by the museum from 1 April", at=ANNOUNCED, thorough=True)

    end(scope, AFTER)

    assert any("Siemens" in value for value in live(scope))
