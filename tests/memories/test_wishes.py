"""Wishes for how to be answered: one memory a wish, whoever words it, and the last word of a slot."""

from __future__ import annotations

import pytest

from memories.extraction.parsing import ExtractedFact
from memories.extraction.wishes import as_style, find_wish
from memories.models import Memory, Observation
from memories.services import pin_memory
from nebo.llm.rules.grammar import read_statements
from nebo.llm.rules.statements import Turn
from tests.conftest import Team
from tests.memories.conftest import AGENT, live
from tests.memories.test_runs import proposal, run_over
from tests.memories.test_signal_service import hear

SAID = (
    "Keep it short", "Please be more detailed", "Be more formal", "Don't be so formal", "Be less sarcastic",
    "I prefer a friendly tone", "Stop using emojis", "Use bullet points", "Always answer in German",
    "Explain things like I'm five", "Don't sugarcoat it", "Use metric units", "Stop apologizing all the time",
    "Never use tables",
)  # fmt: skip


@pytest.mark.parametrize("text", SAID)
def test_what_the_rules_make_of_a_wish_is_known_again(text: str) -> None:
    (made,) = read_statements(Turn(text))

    again = find_wish(made.value)

    assert again is not None
    assert (again.key, again.slot) == (made.key, made.slot)


@pytest.mark.parametrize(
    ("value", "key"),
    [
        ("The user prefers concise answers.", "style/short-replies"),
        ("Caroline wants answers to be brief", "style/short-replies"),
        ("Likes replies that are more formal", "style/formal"),
        ("Wants the assistant to answer in bullet points", "style/bullet-points"),
        ("Wants the assistant never to use emojis", "style/no-emojis"),
        ("Asked for detailed explanations", "style/detailed-replies"),
    ],
)
@pytest.mark.parametrize("category", ["style", "preference"])
def test_a_models_wording_finds_the_same_key_wherever_it_is_put(value: str, key: str, category: str) -> None:
    fact = ExtractedFact(category, "communication/answers", value)  # type: ignore[arg-type]

    style, slot = as_style(fact)

    assert (style.category, style.key, style.value) == ("style", key, value)
    assert slot


@pytest.mark.parametrize(
    "value",
    [
        "Likes sushi",
        "Prefers direct flights",
        "Prefers formal dinners",
        "Likes concise code",
        "Prefers short stories",
        "Wants to learn Go",
        "Uses Linux",
        "Prefers tabs over spaces",
    ],
)
def test_a_taste_is_no_wish(value: str) -> None:
    fact = ExtractedFact("preference", "preference/x", value)

    assert as_style(fact) == (fact, "")


def test_a_column_of_the_profile_stays_one() -> None:
    fact = ExtractedFact("preference", "user/communication-style", "Wants short replies")

    assert as_style(fact) == (fact, "")


@pytest.mark.django_db
def test_a_wish_is_one_memory(scope: Team) -> None:
    hear(scope, "Please keep your answers short.")

    (wish,) = live(scope)
    assert (wish.namespace, wish.key) == ("tacit/personality", "style/short-replies")


@pytest.mark.django_db
def test_of_wishes_that_exclude_each_other_the_last_one_stands(scope: Team) -> None:
    hear(scope, "Please keep your answers short.")
    hear(scope, "Be more formal, please.")

    hear(scope, "From now on, give me detailed explanations.")

    assert sorted(memory.key for memory in live(scope)) == ["style/detailed-replies", "style/formal"]
    gone = Memory.unscoped.get(status="superseded")
    assert (gone.key, gone.superseded_by.key) == ("style/short-replies", "style/detailed-replies")


@pytest.mark.django_db
def test_a_wish_that_comes_back_stands_again(scope: Team) -> None:
    for text in ("Keep it short.", "Be more detailed.", "Keep it short."):
        hear(scope, text)

    assert [memory.key for memory in live(scope)] == ["style/short-replies"]


@pytest.mark.django_db
def test_a_pinned_wish_gives_way_to_nothing(scope: Team) -> None:
    hear(scope, "Keep it short.")
    pin_memory(tenant=scope.tenant, memory=live(scope)[0], actor=AGENT)

    hear(scope, "Be more detailed.")

    assert sorted(memory.key for memory in live(scope)) == ["style/detailed-replies", "style/short-replies"]


@pytest.mark.django_db
def test_reading_an_old_wish_again_does_not_bring_it_back(scope: Team) -> None:
    hear(scope, "Keep it short.")
    hear(scope, "Be more detailed.")
    old = Memory.unscoped.get(status="superseded")

    message = Observation.unscoped.get(memory=old).message
    run_over(scope, styles=(proposal(message, old.key, old.value, "personality"),))

    assert [memory.key for memory in live(scope)] == ["style/detailed-replies"]
