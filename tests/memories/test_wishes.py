"""Wishes for how to be answered that a model wrote down: one memory a wish, and the last word of a slot."""

from __future__ import annotations

import pytest

from memories.extraction.parsing import ExtractedFact
from memories.extraction.wishes import to_style
from memories.models import Memory
from memories.new_memory import NewMemory, NewObservation
from memories.storing.edit import pin_memory
from memories.storing.reinforcement import store_style
from tests.conftest import Team
from tests.memories.conftest import AGENT, JOB, live, say
from tests.memories.test_runs import proposal, run_over

SHORT, DETAILED = "style/length-short", "style/length-detailed"


def wish(team: Team, key: str, slot: str) -> Memory:
    """A style with its slot, as an extraction stores it."""
    (message,) = say(team, f"words about {key}")
    seen = NewObservation(extractor="model", value=key, confidence=0.9, trust="user", message_id=message.pk)
    new = NewMemory(
        value=key,
        key=key,
        source=Memory.Source.EXTRACTION,
        metadata={"slot": slot} if slot else {},
        observations=(seen,),
    )
    return store_style(tenant=team.tenant, person=team.person, new=new, actor=JOB)


@pytest.mark.parametrize(
    ("category", "value"),
    [
        ("preference", "Prefers short answers"),
        ("style", "Prefers short answers"),
        ("style", "Wants short answers"),
        ("style", "Wants brief replies"),
    ],
)
def test_a_models_wording_finds_the_same_key_wherever_it_is_put(category: str, value: str) -> None:
    fact = ExtractedFact(category, "communication/answers", value)  # type: ignore[arg-type]

    style, told = to_style(fact)

    assert (style.category, style.key, style.value) == ("style", SHORT, value)
    assert told == {"slot": "length", "wished": "yes"}


@pytest.mark.parametrize(
    ("value", "quote", "told"),
    [
        ("Enjoys long answers.", "I enjoy long answers.", {"slot": "length"}),
        ("Likes to be shown things step by step.", "Ich mag es, wenn man mir alles Schritt für Schritt zeigt.", {}),
        ("Wants metric units", "use metric units with me, please", {"slot": "units", "wished": "yes"}),
        ("Enjoys dry jokes.", "I do love a dry joke.", {}),
    ],
)  # fmt: skip
def test_what_was_only_observed_is_no_wish_said_outright(
    value: str, quote: str, told: dict[str, str]
) -> None:
    style, found = to_style(ExtractedFact("style", "style/x", value, quote=quote))

    assert (style.category, found) == ("style", told)


@pytest.mark.parametrize(
    "value",
    [
        "Likes sushi",
        "Prefers direct flights",
        "Prefers formal dinners",
        "Wants to learn Go",
        "Uses Linux",
        "Prefers Postgres over MySQL",
    ],
)
def test_a_taste_is_no_wish(value: str) -> None:
    fact = ExtractedFact("preference", "preference/x", value)

    assert to_style(fact) == (fact, {})


def test_a_column_of_the_profile_stays_one() -> None:
    fact = ExtractedFact("preference", "user/communication-style", "Wants short replies")

    assert to_style(fact) == (fact, {})


@pytest.mark.django_db
def test_of_wishes_that_exclude_each_other_the_last_one_stands(scope: Team) -> None:
    wish(scope, SHORT, "length")
    wish(scope, "style/formal", "formality")

    wish(scope, DETAILED, "length")

    assert sorted(memory.key for memory in live(scope)) == ["style/formal", DETAILED]
    gone = Memory.unscoped.get(status="superseded")
    assert (gone.key, gone.superseded_by.key) == (SHORT, DETAILED)


@pytest.mark.django_db
def test_what_was_only_observed_ends_no_wish(scope: Team) -> None:
    asked = wish(scope, SHORT, "length")
    Memory.unscoped.filter(pk=asked.pk).update(metadata={"slot": "length", "wished": "yes"})

    wish(scope, DETAILED, "length")

    assert sorted(memory.key for memory in live(scope)) == [DETAILED, SHORT]


@pytest.mark.django_db
def test_a_wish_that_comes_back_stands_again(scope: Team) -> None:
    for key, slot in ((SHORT, "length"), (DETAILED, "length"), (SHORT, "length")):
        wish(scope, key, slot)

    assert [memory.key for memory in live(scope)] == [SHORT]


@pytest.mark.django_db
def test_wishes_about_everything_else_stand_beside_each_other(scope: Team) -> None:
    wish(scope, "style/ends-with-a-joke", "")
    wish(scope, "style/no-small-talk", "")

    assert len(live(scope)) == 2


@pytest.mark.django_db
def test_a_pinned_wish_gives_way_to_nothing(scope: Team) -> None:
    pin_memory(tenant=scope.tenant, memory=wish(scope, SHORT, "length"), actor=AGENT)

    wish(scope, DETAILED, "length")

    assert sorted(memory.key for memory in live(scope)) == [DETAILED, SHORT]


@pytest.mark.django_db
def test_reading_an_old_wish_again_does_not_bring_it_back(scope: Team) -> None:
    old = wish(scope, SHORT, "length")
    wish(scope, DETAILED, "length")
    old.refresh_from_db()
    message = old.observations.get().message

    run_over(scope, styles=(proposal(message, old.key, old.value, "personality"),))

    assert [memory.key for memory in live(scope)] == [DETAILED]
