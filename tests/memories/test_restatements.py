"""A fact told plainly is one memory, though the turn keeps it in the person's words and a model words it later."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from memories.extraction.answer import build_answer
from memories.extraction.parsing import parse_extraction
from memories.extraction.support_check import SupportCheck
from memories.learning.runs import revert_run
from memories.models import ExtractionRun, Memory, Observation, Todo, Version
from memories.storing.comparing import ComparedMemory, Comparison, mark_of
from memories.storing.edit import delete_memory
from memories.understanding import Understanding
from nebo.llm.types import ChatMessage
from nebo.reading.meaning.reader import read_text
from sessions.models import Message
from tests.conftest import Team
from tests.memories.conftest import AGENT, SAID, hear_message, live, say
from tests.memories.test_runs import proposal, run_over

pytestmark = pytest.mark.django_db


def hear(team: Team, text: str, *, speaker: str = "") -> Message:
    """One message, with what it tells kept in the turn."""
    (message,) = say(team, text)
    hear_message(team, message, speaker=speaker, understood=Understanding(read_text(text)))
    return message


def read(team: Team, message: Message, *facts: dict[str, Any]) -> ExtractionRun:
    """A model reads that message and words it like this."""
    material = (ChatMessage("user", message.content, "", str(message.pk), SAID),)
    arrays: dict[str, list[dict[str, Any]]] = {}
    for fact in facts:
        row = {"message": 0, "quote": message.content, "explicit": True, **fact}
        arrays.setdefault(row.pop("array", "preferences"), []).append(row)
    answer = build_answer(
        parse_extraction(json.dumps(arrays)),
        SupportCheck(material, names=("Alice",)),
        provider="openai",
        model="gpt-x",
        prompt_hash="x",
    )
    return run_over(team, facts=answer.facts, styles=answer.styles)


def fact(key: str, value: str, **fields: Any) -> dict[str, Any]:
    return {"key": key, "value": value, **fields}


POLLY = fact(
    "pet/polly", "Has a pet parrot named Polly", array="entities", entity={"label": "Polly", "type": "animal"}
)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I have a parrot named Polly.", POLLY),
        ("I have a parrot named Polly.", fact("pets", "Has a parrot called Polly")),
        ("I can't stand cilantro.", fact("food/dislikes", "Hates cilantro")),
        ("I'm allergic to peanuts.", fact("health/allergies", "The user has a peanut allergy")),
        ("I prefer Postgres over MySQL.", fact("databases", "Prefers Postgres to MySQL for databases")),
        ("I live in Berlin.", fact("location/home", "The user's home is in Berlin")),
        ("I work as a nurse.", fact("work/job", "The user is a nurse")),
        ("My sister Ingrid works at a bakery.", fact("person/ingrid", "Ingrid works at a bakery", array="entities")),
        ("My sister Ingrid works at a bakery.", fact("family/sister", "Has a sister called Ingrid")),
        ("I adopted a puppy last week.", fact("event/puppy", "Adopted a puppy in April 2024", array="entities")),
        ("I love hiking and pottery.", fact("hobby/hiking", "Loves hiking")),
        ("We decided to use Postgres.", fact("decision/database", "They will use Postgres", array="decisions")),
        ("I like tea but my wife hates it.", fact("person/wife", "The user's wife hates tea")),
        ("I have a parrot named Polly who is 3 years old.", fact("pet/polly/age", "Polly is 3 years old")),
        ("Mon frère Luc travaille à Lyon.", fact("person/luc", "Luc travaille à Lyon", array="entities")),
        ("Ich habe einen Papagei namens Polly.", fact("pet/polly", "Hat einen Papagei, der Polly heißt")),
    ],
)  # fmt: skip
def test_another_wording_of_the_same_words_is_the_same_memory(
    scope: Team, text: str, told: dict[str, Any]
) -> None:
    message = hear(scope, text)
    before = {memory.pk: memory.value for memory in live(scope)}

    read(scope, message, told)

    assert {memory.pk: memory.value for memory in live(scope)} == before
    assert {memory.reinforced_count for memory in live(scope)} == {1}
    assert Observation.unscoped.filter(extractor="model").get().value == told["value"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I live in Ghent with my daughter Ida.", fact("daughter", "Has a daughter named Ida")),
        ("I live in Berlin with my two cats.", fact("pets", "Has two cats")),
    ],
)  # fmt: skip
def test_another_fact_of_the_same_sentence_is_a_memory_of_its_own(
    scope: Team, text: str, told: dict[str, Any]
) -> None:
    message = hear(scope, text)
    before = len(live(scope))

    read(scope, message, told)

    assert len(live(scope)) == before + 1


def test_both_wordings_are_kept_and_nothing_counts_twice(scope: Team) -> None:
    message = hear(scope, "I have a parrot named Polly.")
    (before,) = live(scope)

    read(scope, message, POLLY)
    read(scope, message, POLLY)

    (memory,) = live(scope)
    wordings = (
        Observation.unscoped.filter(memory=memory).order_by("created_at").values_list("value", flat=True)
    )
    assert list(wordings) == ["The user has a parrot named Polly.", "Has a pet parrot named Polly"]
    assert (memory.reinforced_count, memory.confidence) == (1, before.confidence)
    assert Version.unscoped.filter(memory=memory).count() == 2


def test_the_same_words_in_another_message_are_new_evidence(scope: Team) -> None:
    hear(scope, "I have a parrot named Polly.")
    later = hear(scope, "Well, I have a parrot named Polly.")

    read(scope, later, POLLY)

    (memory,) = live(scope)
    assert memory.reinforced_count == 2


def test_what_was_forgotten_does_not_come_back_in_other_words(scope: Team) -> None:
    message = hear(scope, "I have a parrot named Polly.")
    delete_memory(tenant=scope.tenant, memory=live(scope)[0], actor=AGENT)

    read(scope, message, POLLY)

    assert live(scope) == []


def test_what_was_superseded_does_not_come_back_in_other_words(scope: Team) -> None:
    first = hear(scope, "I live in Berlin.")
    hear(scope, "I live in Lisbon now.")

    read(scope, first, fact("home", "The user's home is Berlin"))

    assert [memory.value for memory in live(scope)] == ["The user lives in Lisbon now."]


def test_what_was_told_beside_a_home_outlives_it(scope: Team) -> None:
    moved = hear(scope, "I live in Berlin with my two cats.")
    hear(scope, "I live in Lisbon now.")

    read(scope, moved, fact("pets", "Has two cats"))

    assert {memory.value for memory in live(scope)} == {"The user lives in Lisbon now.", "Has two cats"}


def test_no_part_of_what_was_forgotten_comes_back(scope: Team) -> None:
    message = hear(scope, "I live in Berlin with my two cats.")
    delete_memory(tenant=scope.tenant, memory=live(scope)[0], actor=AGENT)

    read(scope, message, fact("pets", "Has two cats"), fact("user/location", "Lives in Berlin"))

    assert live(scope) == []


def test_other_words_for_what_is_known_overturn_nothing(scope: Team) -> None:
    names = ("tea", "chess", "jazz", "rain", "bread", "maps", "snow", "figs", "owls", "moss", "clay", "silk")
    messages = [hear(scope, f"I love {name}.") for name in names]
    told = [
        fact(f"preference/{name}", f"The user is fond of {name}", message=n) for n, name in enumerate(names)
    ]
    material = tuple(ChatMessage("user", m.content, "", str(m.pk), SAID) for m in messages)
    rows = [{**row, "quote": f"I love {n}", "explicit": True} for row, n in zip(told, names, strict=True)]
    answer = build_answer(
        parse_extraction(json.dumps({"preferences": rows})),
        SupportCheck(material, names=("Alice",)),
        provider="openai",
        model="gpt-x",
        prompt_hash="x",
    )

    run = run_over(scope, facts=answer.facts)

    assert run.status == "applied"
    assert len(live(scope)) == len(names)
    assert not Memory.unscoped.filter(status="superseded").exists()


def test_another_language_adds_nothing_to_a_sentence_that_is_kept_whole(scope: Team) -> None:
    message = hear(scope, "Ich bin gegen Penicillin allergisch, und mein Bruder vergisst es.")
    (before,) = live(scope)

    told = fact("health/x", "Is allergic to penicillin", quote="Ich bin gegen Penicillin allergisch")
    read(scope, message, told)

    (memory,) = live(scope)
    assert (memory.pk, memory.value) == (before.pk, before.value)
    assert Observation.unscoped.filter(extractor="model").get().value == told["value"]


@pytest.mark.parametrize("slot", ["home", ""])
def test_a_plain_answer_stays_and_the_sentence_it_was_read_in_gives_way(scope: Team, slot: str) -> None:
    message = hear(scope, "We finally moved, it's Dundee now, boxes everywhere.")
    plain = proposal(message, "location", "Lives in Dundee", "user")

    run = run_over(scope, facts=(plain,), compared={mark_of(plain): Comparison(slot)}, message=message)

    assert [memory.value for memory in live(scope)] == ["Lives in Dundee"]
    revert_run(tenant=scope.tenant, run=run, actor=AGENT)
    assert live(scope) == []


def test_undoing_a_run_takes_back_what_was_heard_in_its_messages(scope: Team) -> None:
    hear(scope, "I live in Austin.")
    hear(scope, "I have a parrot named Polly.")
    known = {memory.pk: memory.value for memory in live(scope)}
    message = hear(scope, "I moved to Denver. I need to call the plumber.")
    assert "The user lives in Austin." in known.values()
    assert "The user lives in Austin." not in [memory.value for memory in live(scope)]
    run = run_over(scope, message=message)

    undone = revert_run(tenant=scope.tenant, run=run, actor=AGENT)

    assert {memory.pk: memory.value for memory in live(scope)} == known
    assert {todo.status for todo in Todo.unscoped.all()} == {"dropped"}
    assert undone.outcome["reverted"]["left"] == []


def test_another_wording_of_what_was_heard_closes_what_it_answers_anew(scope: Team) -> None:
    earlier = hear(scope, "We chose Tailwind for the shop front.")
    old = live(scope)[0]
    message = hear(scope, "We are going with plain CSS for the shop front.")
    assert old in live(scope)
    told = proposal(message, "decision/css", "They are going with plain CSS for the shop front")
    told = replace(told, namespace=old.namespace, layer=old.layer)
    compared = {mark_of(told): Comparison("decision", (ComparedMemory(old.pk, "changes"),))}

    run_over(scope, facts=(told,), compared=compared, message=message)

    assert [one.message_id for one in Observation.unscoped.filter(memory=old)] == [earlier.pk]
    assert old.pk not in [memory.pk for memory in live(scope)]
