"""One answer a question, whichever way it comes: API, tool, or a model's proposal."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from memories.learning.run import store_all
from memories.models import Memory
from memories.new_memory import NewMemory, NewObservation
from memories.storing.comparing import compare_batch
from memories.storing.edit import pin_memory, restore_memory
from nebo.tenants.scoping import tenant_scope
from tests.conftest import Team
from tests.memories.conftest import AGENT, JOB, Call, live, say
from tests.memories.test_memory_api import store

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


def values(call: Call, status: str = "active") -> set[str]:
    rows = call("GET", f"users/alice/memories/?status={status}").json()["results"]
    return {row["value"] for row in rows}


def proposed(value: str, *, at: datetime = NOON, **fields: object) -> NewMemory:
    seen = NewObservation(
        extractor="model", value=value, confidence=0.9, trust="user", observed_at=at, quote=value
    )
    return replace(
        NewMemory(value=value, source="extraction", layer="entity", observations=(seen,)), **fields
    )


def read(team: Team, *news: NewMemory) -> dict[str, int]:
    """What a model proposes, weighed and stored as a run does it."""
    compared = compare_batch(tenant=team.tenant, person_id=team.person.pk, news=news)
    with tenant_scope(team.tenant):
        return store_all(
            tenant=team.tenant, person=team.person, facts=news, vectors={}, actor=JOB, compared=compared
        )


def answers(team: Team) -> set[str]:
    with tenant_scope(team.tenant):
        return {memory.value for memory in live(team)}


def test_a_new_home_closes_the_old_one_with_a_link(call: Call) -> None:
    old = store(call, "Lives in Malmö")

    new = call("POST", "users/alice/memories/", {"value": "Lives in Aarhus"})

    assert (new.status_code, new.json()["deduplicated"]) == (201, False)
    closed = call("GET", f"memories/{old['id']}/").json()
    assert (closed["status"], closed["superseded_by"]) == ("superseded", new.json()["id"])
    assert closed["valid_to"] is not None
    assert values(call) == {"Lives in Aarhus"}


def test_somebody_new_answers_their_first_question_anew(call: Call) -> None:
    for value in ("Lives in Malmö", "Lives in Aarhus"):
        call("POST", "users/newcomer/memories/", {"value": value})

    rows = call("GET", "users/newcomer/memories/").json()["results"]
    assert [row["value"] for row in rows] == ["Lives in Aarhus"]


def test_the_old_answer_can_be_brought_back(call: Call) -> None:
    old = store(call, "Lives in Malmö")
    store(call, "Lives in Aarhus")

    assert call("POST", f"memories/{old['id']}/restore/").json()["status"] == "active"


def test_the_tool_and_the_api_answer_the_same_question_under_keys_of_their_own(call: Call) -> None:
    store(call, "Works at Kockums", key="job/current")

    call(
        "POST",
        "users/alice/tool/",
        {"action": "store", "value": "Started at Grundfos", "key": "employer"},
    )

    assert values(call) == {"Started at Grundfos"}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Isst gern Hering", "Isst nie gern Hering"),
        ("Likes sardines", "Likes mussels"),
        ("Has a brother in Lugo", "Has a sister in Lugo"),
        ("Has two canoes", "Has five canoes"),
        ("Lives in Malmö", "Worked in Aarhus as a student"),
    ],
)
def test_what_was_written_on_purpose_and_can_both_hold_stays(call: Call, one: str, other: str) -> None:
    store(call, one)
    store(call, other)

    assert values(call) == {one, other}


def test_an_agent_settles_a_topic_anew_on_another_day(call: Call) -> None:
    store(call, "Chose Oracle for the ledger.", key="decision/ledger", layer="daily", namespace="2026-05-04")
    store(call, "The ledger runs on MariaDB.", key="decision/ledger", layer="daily", namespace="2026-05-09")

    assert values(call) == {"The ledger runs on MariaDB."}


def test_what_nobody_deduplicates_closes_nothing(call: Call) -> None:
    store(call, "Lives in Malmö")
    store(call, "Lives in Aarhus", deduplicate=False)

    assert values(call) == {"Lives in Malmö", "Lives in Aarhus"}


def test_what_a_person_pinned_outlives_a_later_answer_by_an_agent(call: Call) -> None:
    old = store(call, "Lives in Malmö")
    call("POST", f"memories/{old['id']}/pin/")

    store(call, "Lives in Aarhus")

    assert values(call) == {"Lives in Malmö", "Lives in Aarhus"}


def test_a_later_run_gives_a_project_its_new_date(acme: Team) -> None:
    kestrel = {"key": "project/heron", "entity_refs": ("project:heron",), "type": "project"}
    read(acme, proposed("Heron is due on 2 April.", **kestrel))

    counts = read(acme, proposed("Heron is due on 19 May.", at=NOON + timedelta(days=1), **kestrel))

    assert +counts == {"superseded": 1}
    assert answers(acme) == {"Heron is due on 19 May."}


def test_two_facts_of_one_project_both_stand(acme: Team) -> None:
    heron = {"key": "project/heron", "entity_refs": ("project:heron",), "type": "project"}
    read(acme, proposed("Heron's client is Maersk.", **heron))

    read(acme, proposed("Heron is owned by Tilde.", at=NOON + timedelta(days=1), **heron))

    assert answers(acme) == {"Heron's client is Maersk.", "Heron is owned by Tilde."}


def test_somebody_who_left_no_longer_does_their_work(acme: Team) -> None:
    tilde = {"key": "person/tilde", "entity_refs": ("person:tilde",), "type": "people"}
    read(acme, proposed("Tilde does the accounts.", **tilde))

    read(acme, proposed("Tilde left.", at=NOON + timedelta(days=1), **tilde))

    assert answers(acme) == {"Tilde left."}


def test_the_last_of_two_answers_in_one_reading_holds(acme: Team) -> None:
    with tenant_scope(acme.tenant):
        first, second = say(acme, "I live in Malmö", "I moved to Aarhus")
    news = [
        replace(new, observations=(replace(new.observations[0], message_id=message.pk),))
        for new, message in (
            (proposed("Lives in Malmö.", key="home/a", layer="tacit", namespace="preferences"), first),
            (proposed("Moved to Aarhus.", key="home/b", layer="tacit", namespace="preferences"), second),
        )
    ]

    read(acme, *news)

    assert answers(acme) == {"Moved to Aarhus."}


def test_a_decision_of_another_day_takes_the_place_of_the_first(acme: Team) -> None:
    settled = {"key": "decision/ledger", "layer": "daily"}
    read(acme, proposed("Decided to use Oracle for the ledger.", namespace="2026-05-04", **settled))

    later = proposed(
        "The ledger will run on MariaDB.", at=NOON + timedelta(days=3), namespace="2026-05-07", **settled
    )

    assert +read(acme, later) == {"superseded": 1}
    assert answers(acme) == {"The ledger will run on MariaDB."}


def test_a_proposal_against_what_a_person_pinned_waits(acme: Team) -> None:
    tilde = {"key": "person/tilde", "entity_refs": ("person:tilde",)}
    read(acme, proposed("Tilde lives in Malmö.", **tilde))
    with tenant_scope(acme.tenant):
        pin_memory(tenant=acme.tenant, memory=live(acme)[0], actor=AGENT)

    counts = read(acme, proposed("Tilde lives in Aarhus.", at=NOON + timedelta(days=1), **tilde))

    assert +counts == {"quarantined": 1}
    assert answers(acme) == {"Tilde lives in Malmö."}


def test_a_guess_closes_nothing(acme: Team) -> None:
    read(acme, proposed("Lives in Malmö.", key="home/a"))

    read(acme, proposed("Lives in Aarhus.", at=NOON + timedelta(days=1), key="home/b", confidence=0.6))

    assert answers(acme) == {"Lives in Malmö.", "Lives in Aarhus."}


def test_evidence_read_late_is_history(acme: Team) -> None:
    read(acme, proposed("Lives in Aarhus.", key="home/b"))

    read(acme, proposed("Lives in Malmö.", at=NOON - timedelta(days=9), key="home/a"))

    assert answers(acme) == {"Lives in Aarhus."}
    with tenant_scope(acme.tenant):
        past = Memory.objects.for_tenant(acme.tenant).get(value="Lives in Malmö.")
        assert (past.status, past.valid_to) == ("superseded", NOON)
        restore_memory(tenant=acme.tenant, memory=past, actor=AGENT)
