"""What a question is after, and that memories of that kind come first among near equals."""

from __future__ import annotations

import pytest

from nebo.tenants.scoping import tenant_scope
from search.answers.search import Hit, SearchQuery, search
from search.questions.intent import find_intents, suits
from search.ranking.fusion import TURN_WEIGHTS
from tests.conftest import Team
from tests.search.conftest import store


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What are my open tasks?", ("task",)),
        ("Which deadline is next?", ("task",)),
        ("Was sind meine Aufgaben?", ("task",)),
        ("我的任务是什么？", ("task",)),
        ("What tea does she prefer?", ("preference",)),
        ("¿Cuál es su comida favorita?", ("preference",)),
        ("她喜欢什么茶？", ("preference",)),
        ("What is her name?", ("identity",)),
        ("Wo wohnt Anna?", ("identity",)),
        ("أين يسكن أحمد؟", ("identity",)),
        ("In which tone shall I answer?", ("style",)),
        ("Üslup nasıl olsun?", ("style",)),
        ("Does she like her job?", ("preference", "identity")),
        ("Did it rain in Bergen?", ()),
        ("", ()),
    ],
)
def test_a_question_tells_what_it_is_after(question: str, expected: tuple[str, ...]) -> None:
    assert find_intents(question) == expected


@pytest.mark.parametrize(
    ("intent", "kind"),
    [
        ("task", "daily/2024-05-01 project fact"),
        ("task", "entity/default profile friction"),
        ("preference", "tacit/preferences profile preference"),
        ("identity", "tacit/user profile fact"),
        ("identity", "entity/default people relationship"),
        ("style", "tacit/personality profile fact"),
        ("style", "notes profile fact tone"),
    ],
)
def test_a_memory_suits_the_intent_it_answers_and_no_other(intent: str, kind: str) -> None:
    assert suits((intent,), kind) == 1.0
    assert suits((), kind) == 0.0
    others = {"task", "preference", "identity", "style"} - {intent}
    assert [other for other in others if suits((other,), kind)] == []


def ask(team: Team, text: str) -> list[Hit]:
    with tenant_scope(team.tenant):
        query = SearchQuery(text, team.person.pk, explain=True)
        return list(search(tenant=team.tenant, query=query, vector=None).results)


KINDS: dict[str, dict[str, object]] = {
    "task": {"type": "project", "namespace": "daily/2024-05-01", "layer": "daily"},
    "preference": {"fact_type": "preference", "namespace": "tacit/preferences"},
    "identity": {"namespace": "tacit/user"},
    "style": {"namespace": "tacit/personality"},
}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Which Bergen tasks are due?", "task"),
        ("What is the favourite in Bergen?", "preference"),
        ("Who is from Bergen?", "identity"),
        ("What style for Bergen?", "style"),
    ],
)
def test_the_kind_that_is_asked_for_comes_first_among_equals(acme: Team, question: str, kind: str) -> None:
    with tenant_scope(acme.tenant):
        for name, fields in KINDS.items():
            store(acme, key=name, value="Something in Bergen", **fields)

    best, *others = ask(acme, question)

    assert best.key == kind
    assert best.parts["intent"]["raw"] == 1.0
    assert {hit.parts["intent"]["raw"] for hit in others} == {0.0}


@pytest.mark.django_db
def test_the_kind_asked_for_never_outweighs_the_words(acme: Team) -> None:
    with tenant_scope(acme.tenant):
        store(acme, key="tea", value="Drinks Darjeeling tea every morning", namespace="notes")
        store(acme, key="city", value="Bergen", **KINDS["preference"])  # type: ignore[arg-type]

    found = ask(acme, "Which tea does she like every morning, Darjeeling?")

    assert found[0].key == "tea"
    assert TURN_WEIGHTS.situation["intent"] < TURN_WEIGHTS.content["lexical"]


@pytest.mark.django_db
def test_a_question_after_nothing_in_particular_has_no_part_for_it(acme: Team) -> None:
    with tenant_scope(acme.tenant):
        store(acme, key="city", value="Bergen")

    assert "intent" not in ask(acme, "Bergen?")[0].parts
