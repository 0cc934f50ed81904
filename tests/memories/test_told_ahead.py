"""A new job or a new home that is told beforehand: both stand until the day, then the older one is over."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memories.curation.upkeep import end_memories
from memories.learning.told_ahead import end_what_is_over
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


MOVE = datetime(2024, 10, 24, 10, tzinfo=UTC)
IN_NOVEMBER, IN_DECEMBER = datetime(2024, 11, 21, 10, tzinfo=UTC), datetime(2024, 12, 1, 10, tzinfo=UTC)


def test_where_a_relative_lived_is_over_once_the_month_of_their_move_is(scope: Team) -> None:
    hear(scope, "My mum lives on her own in Burnley.", at=TOLD)
    hear(scope, "My brother lives on his own in Burnley.", at=TOLD)
    hear(scope, "Mum's moving in with me in November.", at=MOVE, thorough=True)

    end(scope, IN_NOVEMBER)
    assert len(live(scope)) == 3
    end(scope, IN_DECEMBER)

    assert [value for value in live(scope) if "Burnley" in value] == [find(scope, "brother").value]
    assert any("moving in" in value for value in live(scope))


def test_ones_own_home_is_over_on_the_day_of_the_move(scope: Team) -> None:
    hear(scope, "I live in Leeds.", at=TOLD)
    hear(scope, "We're moving to Hull on 28 October.", at=MOVE, thorough=True)

    end(scope, IN_NOVEMBER)

    old = find(scope, "Leeds")
    assert (old.status, old.valid_to) == (Memory.Status.SUPERSEDED, datetime(2024, 10, 28, tzinfo=UTC))


@pytest.mark.parametrize(
    "said",
    [
        "We're moving to Postgres in November.",
        "If I get it we're moving to Hull in November.",
        "My parents are moving to Spain in November.",
        "I'm moving to the Hull office in November.",
    ],
)
def test_what_is_no_move_of_ones_own_ends_no_home(scope: Team, said: str) -> None:
    hear(scope, "I live in Leeds.", at=TOLD)
    hear(scope, said, at=MOVE, thorough=True)

    end(scope, IN_DECEMBER)

    assert find(scope, "Leeds").status == Memory.Status.ACTIVE


def test_who_retires_works_nowhere_any_more_and_others_do(scope: Team) -> None:
    hear(scope, "I'm a bus driver at the Gateshead depot.", at=TOLD)
    hear(scope, "I'm secretary of the pigeon club.", at=TOLD)
    hear(scope, "Craig's got himself a job, on the ferries at North Shields.", at=TOLD)
    hear(scope, "Well that's me retired.", at=MOVE, thorough=True)

    assert not any("driver" in value for value in live(scope))
    assert {find(scope, word).status for word in ("pigeon", "ferries")} == {Memory.Status.ACTIVE}
    assert any(value.rstrip(".").endswith("is retired") for value in live(scope))


def test_a_last_day_that_is_over_ends_no_plan_and_no_habit(scope: Team) -> None:
    hear(scope, "I'm about to open a bakery in Todmorden with my friend Zofia.", at=TOLD)
    hear(scope, "I'm up at four most days.", at=TOLD)
    hear(scope, "My last day at the accountants was Friday so it's all bread now.", at=MOVE, thorough=True)

    end(scope, IN_DECEMBER)

    assert {find(scope, word).status for word in ("Todmorden", "four")} == {Memory.Status.ACTIVE}


def test_a_move_that_has_come_true_still_says_where_to(scope: Team) -> None:
    hear(scope, "I've found a flat on Dereham Road and move on 2 March.", at=ANNOUNCED)

    hear(scope, "Moved! Boxes up to the ceiling but it's mine.", at=AFTER, thorough=True)

    assert any("Dereham Road" in value for value in live(scope))


@pytest.mark.parametrize(
    ("job", "left"),
    [
        ("I work at Tesco in Leeds.", "I've quit my job."),
        ("Ich arbeite bei Siemens in Erlangen.", "Ich habe gekündigt."),
        ("Trabajo en una panadería de Vallecas.", "He dejado el trabajo."),
        ("Je suis infirmière à l'hôpital Nord.", "J'ai démissionné hier, enfin !"),
        ("Lavoro in banca a Torino.", "Mi sono licenziata."),
    ],
)
def test_who_has_given_up_a_job_works_there_no_more(scope: Team, job: str, left: str) -> None:
    told = hear(scope, job)
    hear(scope, left)

    assert told
    assert {memory.value for memory in told}.isdisjoint(live(scope))


@pytest.mark.parametrize(
    "said",
    ["Ich habe den Handyvertrag gekündigt.", "If I've quit my job by May, we travel.", "I quit smoking."],
)
def test_who_gives_up_something_else_works_where_they_did(scope: Team, said: str) -> None:
    told = hear(scope, "Ich arbeite bei Siemens in Erlangen.")
    hear(scope, said)

    assert {memory.value for memory in told} <= set(live(scope))
