"""A model that rewords, changes and ends facts truly: one live answer each, a whole history, undone in one step."""

from __future__ import annotations

import json
from typing import Any

import pytest

from memories.extraction.answer import build_answer
from memories.extraction.parsing import parse_extraction
from memories.extraction.support_check import SupportCheck
from memories.learning.relation_effects import ReadMessage, apply_relations_later, without_own
from memories.learning.relations import list_near, relate
from memories.learning.runs import revert_run
from memories.models import ExtractionRun, Memory, Version
from memories.storing.comparing import compare_batch
from nebo.llm.types import ChatMessage
from nebo.reading.meaning.reader import read_text
from sessions.models import Message
from tests.conftest import Team
from tests.memories.conftest import AGENT, hear_message, live, remember, say
from tests.memories.test_runs import run_over

pytestmark = pytest.mark.django_db


def told(team: Team, text: str) -> Message:
    """A message, read in its turn beside what is known."""
    (message,) = say(team, text)
    hear_message(team, message, at=message.created_at)
    return message


def read(team: Team, message: Message, entry: dict[str, Any], *, about: str = "") -> ExtractionRun:
    """A model reads it, shown what is near, of which it names what has the words `about`; applied as a job does."""
    said = ChatMessage("user", message.content, "", str(message.pk), message.created_at)
    near = list_near(
        tenant=team.tenant,
        person_id=team.person.pk,
        persona_id=None,
        text=message.content,
        messages=[message.pk],
    )
    names = [f"m{n}" for n, value in enumerate(near.memories.values(), 1) if about and about in value]
    row = {"message": 0, "quote": message.content, "explicit": True, **entry}
    row |= {"known": names[0]} if names else {}
    answer = build_answer(
        parse_extraction(json.dumps({row.pop("array", "preferences"): [row]})),
        SupportCheck((said,), names=("Alice",), known=near),
        provider="openai",
        model="gpt-x",
        prompt_hash="x",
    )
    compared = compare_batch(tenant=team.tenant, person_id=team.person.pk, news=answer.facts)
    _settle(team, message)
    return run_over(team, facts=answer.facts, doubted=answer.doubted, compared=compared, message=message)


def _settle(team: Team, message: Message) -> None:
    """What a message changes or ends by the rules, as the job finds it before it applies what a model says."""
    understood = relate(
        tenant=team.tenant,
        person_id=team.person.pk,
        persona_id=None,
        readings=[read_text(message.content)],
        thorough=True,
    )
    own = without_own(tenant=team.tenant, understood={message.pk: understood[0]})
    heard = ReadMessage(message.pk, message.created_at, own[message.pk])
    apply_relations_later(tenant=team.tenant, person=team.person, messages=[heard], actor=AGENT)


def values(team: Team) -> list[str]:
    return sorted(memory.value for memory in live(team))


@pytest.mark.parametrize(
    ("known", "said", "entry", "relation", "stays"),
    [
        (
            "Uses Trello for the choir's rota",
            "we've moved the choir's rota from Trello over to Notion",
            {"key": "tool/rota", "value": "Uses Notion for the choir's rota."},
            "changes",
            "Notion",
        ),
        (
            "Takes the bus to work",
            "I walk to work these days, haven't been on the bus since May",
            {"key": "habit/commute", "value": "Walks to work."},
            "changes",
            "walk",
        ),
        (
            "Makesh is the user's supervisor",
            "Makesh left the company on Tuesday",
            {
                "key": "person/makesh",
                "value": "Makesh left the company.",
                "array": "entities",
                "type": "people",
                "entity": {"label": "Makesh", "type": "person"},
            },
            "ends",
            "left",
        ),
        (
            "Fährt mit dem Auto zur Arbeit",
            "Ich fahre jetzt mit dem Rad zur Arbeit, das Auto ist verkauft",
            {"key": "habit/commute", "value": "Fährt mit dem Rad zur Arbeit."},
            "changes",
            "Rad",
        ),
        (
            "Vive en Soria",
            "Nos hemos mudado a Teruel este mes",
            {"key": "user/location", "value": "Vive en Teruel."},
            "changes",
            "Teruel",
        ),
    ],
)
def test_one_answer_lives_its_history_is_whole_and_one_step_undoes_it(
    scope: Team, known: str, said: str, entry: dict[str, Any], relation: str, stays: str
) -> None:
    old = remember(scope, known).memory
    message = told(scope, said)

    run = read(scope, message, {**entry, "relation": relation}, about=known)

    (kept,) = live(scope)
    assert stays.lower() in kept.value.lower()
    old.refresh_from_db()
    assert (old.status, old.superseded_by_id) == (Memory.Status.SUPERSEDED, kept.pk)
    assert old.valid_to is not None
    closing = Version.unscoped.filter(memory=old, action="superseded").get()
    assert "“" in closing.reason
    revert_run(tenant=scope.tenant, run=run, actor=AGENT)
    assert values(scope) == [known]
    old.refresh_from_db()
    assert (old.valid_to, old.superseded_by_id) == (None, None)


def test_what_was_read_in_the_same_words_comes_last_and_is_not_changed_by_them(scope: Team) -> None:
    remember(scope, "Fährt mit dem Auto zur Arbeit")
    message = told(scope, "Ich fahre jetzt mit dem Rad zur Arbeit, das Auto ist verkauft")
    (fresh,) = [memory for memory in live(scope) if "Rad" in memory.value]

    near = list_near(
        tenant=scope.tenant,
        person_id=scope.person.pk,
        persona_id=None,
        text=message.content,
        messages=[message.pk],
    )
    assert list(near.memories.values()) == ["Fährt mit dem Auto zur Arbeit", fresh.value]
    entry = {"key": "car/own", "value": "Hat das Auto verkauft.", "relation": "changes"}
    read(scope, message, entry, about=fresh.value)

    fresh.refresh_from_db()
    assert fresh.status == Memory.Status.ACTIVE


@pytest.mark.parametrize(
    ("said", "value", "quote", "live_now", "column"),
    [
        (
            "I fix church organs for a living, from a unit in Hexham",
            "Fixes church organs for a living.",
            "I fix church organs for a living",
            "The user fixes church organs for a living, from a unit in Hexham.",
            "fixes church organs for a living",
        ),
        (
            "I shoe horses for a living, mostly racehorses up at Middleham",
            "Shoes horses for a living.",
            "I shoe horses for a living",
            "The user shoes horses for a living, mostly racehorses up at Middleham.",
            "shoes horses for a living",
        ),
        (
            "I bake on Sundays for fun and drive a bus for a living",
            "Drives a bus for a living.",
            "drive a bus for a living",
            "The user bakes on Sundays for fun and drives a bus for a living.",
            "drives a bus for a living",
        ),
        (
            "Me gano la vida afinando pianos por toda la comarca",
            "Se gana la vida afinando pianos.",
            "Me gano la vida afinando pianos",
            "Se gana la vida afinando pianos.",
            "Se gana la vida afinando pianos",
        ),
    ],
)
def test_what_fills_the_profile_is_told_once_and_nothing_of_it_is_lost(
    scope: Team, said: str, value: str, quote: str, live_now: str, column: str
) -> None:
    message = told(scope, said)

    run = read(scope, message, {"key": "user/occupation", "value": value, "quote": quote})

    assert values(scope) == [live_now]
    scope.person.refresh_from_db()
    assert scope.person.occupation == column
    revert_run(tenant=scope.tenant, run=run, actor=AGENT)
    assert values(scope) == []
    scope.person.refresh_from_db()
    assert scope.person.occupation == ""


def test_a_new_rank_is_told_once_and_the_old_one_is_history(scope: Team) -> None:
    first = told(scope, "I'm a junior surveyor at Pell & Marsh.")
    read(scope, first, {"key": "user/occupation", "value": "Works as a junior surveyor at Pell & Marsh."})
    (old,) = live(scope)
    message = told(scope, "got promoted! senior surveyor as of today")

    entry = {"key": "user/occupation", "value": "Works as a senior surveyor.", "relation": "changes"}
    run = read(scope, message, entry, about="junior")

    assert [one.value for one in live(scope) if "surveyor" in one.value] == ["Works as a senior surveyor."]
    old.refresh_from_db()
    assert old.status == Memory.Status.SUPERSEDED
    revert_run(tenant=scope.tenant, run=run, actor=AGENT)
    assert values(scope) == ["The user is a junior surveyor at Pell & Marsh."]


def test_who_agreed_to_a_decision_is_not_whom_it_is_about(scope: Team) -> None:
    message = told(scope, "For Halyard we'll host on our own machines, Bente signed it off")
    entry = {
        "array": "decisions",
        "key": "decision/hosting",
        "value": "Halyard is hosted on their own machines.",
        "quote": "For Halyard we'll host on our own machines",
        "entity": {"label": "Halyard", "type": "project"},
    }

    read(scope, message, entry)

    (kept,) = live(scope)
    assert kept.value == "For Halyard we'll host on our own machines, Bente signed it off."
    assert kept.entity_label != "Bente"


def test_a_wording_that_a_model_vouched_for_is_no_second_answer(scope: Team) -> None:
    """What code alone couldn't tell stands in review, and says nothing that isn't known from the same words."""
    message = told(scope, "I play the drums in Kelso, haven't touched the guitar in years")

    read(scope, message, {"key": "hobby/drums", "value": "Plays the drums in Kelso."})

    assert values(scope) == ["The user plays the drums in Kelso, haven't touched the guitar in years."]


@pytest.mark.parametrize(
    ("said", "value"),
    [
        (
            "my nephew Kwabena is training for the paralympics, he throws javelin",
            "The user's nephew Kwabena throws the javelin and trains for the Paralympics.",
        ),
        (
            "my niece Solveig plays the harp, she studies in Bergen",
            "The user's niece Solveig plays the harp and studies in Bergen.",
        ),
    ],
)
def test_what_the_turn_kept_in_two_parts_is_told_once(scope: Team, said: str, value: str) -> None:
    message = told(scope, said)
    before = values(scope)
    assert len(before) == 2
    label = value.split()[3]
    entry = {
        "array": "entities",
        "type": "people",
        "key": f"person/{label.lower()}",
        "value": value,
        "entity": {"label": label, "type": "person"},
    }

    read(scope, message, entry)

    assert values(scope) == before


def test_what_somebody_uses_is_no_wish(scope: Team) -> None:
    message = told(scope, "I do all my tasks in Things these days")

    read(scope, message, {"key": "tool/tasks", "value": "Uses Things for tasks."})

    assert not Memory.unscoped.filter(namespace="tacit/personality").exists()
