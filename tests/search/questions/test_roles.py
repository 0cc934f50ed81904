"""Whether a question is after what the person said or what the agent said, and that this comes first."""

from __future__ import annotations

import pytest
from django.utils import timezone

from nebo.tenants.scoping import tenant_scope
from search.answers.search import Hit, SearchQuery, search
from search.embeddings.serving import get_serving_model
from search.questions.speaker_roles import AFTER_ASSISTANT, AFTER_BOTH, AFTER_USER, UNNAMED, find_shares
from sessions.models import Message
from sessions.turns.indexing import heading_of, speaker_of
from tests.conftest import Team
from tests.search.conftest import embed_all, store, tell

ASKS_OF_ASSISTANT = [
    "Which pasta place did you suggest?",
    "What was the name of the hotel you recommended?",
    "the recipe you'd just sent, how many eggs?",
    "How long does your plan say I should rest?",
    "What did the assistant say about visas?",
    "Welches Rezept hattest du mir gegeben?",
    "Welches Hotel hast du mir empfohlen?",
    "Was hast du über Visa gesagt?",
    "Wie hieß das Lokal, das du so schön fandest?",
    "¿Qué hotel me recomendaste?",
    "¿Cuántos huevos lleva tu receta?",
    "¿Qué has dicho de los visados?",
    "Quel hôtel tu m'as conseillé ?",
    "Hangi oteli önermiştin?",
    "你推荐的酒店叫什么？",
    "ما الفندق الذي اقترحت؟",
    "We are going to Leeds again. Can you remind me which hotel you recommended?",
    "You told me about a hotel. What was its name?",
    "What gap did you give me for the plugs?",
]
ASKS_OF_USER = [
    "How much did I pay for the bike?",
    "the user's sister's job",
    "Can you suggest a present for my sister?",
    "Could you help me cook something tonight?",
    "What do you need to know of my diet?",
    "Which toothpaste does my dentist like?",
    "Was steht auf meiner Einkaufsliste?",
    "Weißt du, wann mein Bluttest ist?",
    "Hast du ein Gericht für uns?",
    "What did the agent ask for my flat?",
    "Hast du eine Idee für ein Geschenk für meine Schwester?",
    "Könntest du mir ein Rezept geben?",
    "Was hat unser Auto gekostet?",
    "¿Cuánto pagué por mi bici? Estoy triste",
    "Thanks for the recipe you sent! What shall we give my sister for her birthday?",
    "Kardeşim benim için ne aldı?",
    "我的猫叫什么？",
    "Can you list the order in which I brought up the parts of the garden throughout our conversations?",
    "What have I mentioned about Leeds in our conversations so far?",
    "In welcher Reihenfolge habe ich es erwähnt, was ich in unseren Gesprächen angesprochen habe?",
]
UNCLEAR = [
    "Where does Ingrid live?",
    "cost of the bike",
    "Wo wohnt Ingrid?",
    "¿Dónde está el coche?",
    "猫叫什么？",
]
ASKS_OF_BOTH = [
    "How much did I pay for the bike you recommended?",
    "Which hotel did you suggest? And when is my flight?",
    "What did we agree on for the trip?",
    "What did we decide in our last talk when I mentioned the leak?",
    "In our last conversation I mentioned a leak; which tape did you suggest?",
    "In our last conversation you told me about a hotel",
    "Was haben wir gestern besprochen?",
    "¿En qué quedamos?",
    "我们上次聊了什么？",
    "Can you give me a thorough summary of everything about the login we built?",
    "Summarise my plans for the garden",
    "Fass bitte alles über meinen Garten zusammen",
    "Hazme un resumen de mis viajes",
    "总结一下我的计划",
]


@pytest.mark.parametrize("question", ASKS_OF_ASSISTANT)
def test_the_past_of_the_second_person_asks_for_what_the_agent_said(question: str) -> None:
    assert find_shares(question) == AFTER_ASSISTANT


@pytest.mark.parametrize("question", ASKS_OF_USER)
def test_a_question_about_oneself_is_after_what_oneself_said(question: str) -> None:
    assert find_shares(question) == AFTER_USER


@pytest.mark.parametrize("question", UNCLEAR)
def test_a_question_that_does_not_tell_leans_towards_the_person(question: str) -> None:
    assert find_shares(question) == UNNAMED


@pytest.mark.parametrize("question", ASKS_OF_BOTH)
def test_what_was_talked_about_may_stand_with_either(question: str) -> None:
    assert find_shares(question) == AFTER_BOTH


def converse(team: Team, *lines: str, names: tuple[str, str] = ("", "")) -> None:
    """The person and the agent in turns, and then about something else."""
    for place, line in enumerate([*lines, "It will rain on Monday.", "Take the old umbrella along."]):
        role = ("user", "assistant")[place % 2]
        tell(team, line, key=str(place), speaker=names[place % 2], role=role)
    embed_all(team)


def ask(team: Team, text: str) -> list[Hit]:
    with tenant_scope(team.tenant):
        vector = get_serving_model().embedder.embed([text])[0]
        query = SearchQuery(text, team.person.pk, explain=True)
        return list(search(tenant=team.tenant, query=query, vector=vector).results)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("question", "speaker"),
    [
        ("Which pasta did I cook?", "User"),
        ("which pasta was cooked", "User"),
        ("Which pasta did you cook?", "Assistant"),
    ],
)
@pytest.mark.parametrize("names", [("", ""), ("Maya", "Nebo"), ("", "Nebo"), ("Maya", "")])
def test_whoever_is_meant_comes_first(
    acme: Team, question: str, speaker: str, names: tuple[str, str]
) -> None:
    converse(acme, "The pasta was cooked with sage.", "The pasta was cooked with basil.", names=names)

    assert ask(acme, question)[0].speaker == (names[speaker == "Assistant"] or speaker)


@pytest.mark.django_db
def test_who_is_named_counts_more_than_who_was_there(acme: Team) -> None:
    converse(acme, "The pasta was cooked with sage.", "The pasta was cooked with basil.")
    tell(acme, "The pasta was cooked with salt.", key="guest", speaker="Ingrid")
    embed_all(acme)

    named = {hit.speaker: hit.parts["named"]["raw"] for hit in ask(acme, "How did Ingrid cook my pasta?")}

    assert named == {"Ingrid": 1.0, "User": 0.5, "Assistant": 0.0}


@pytest.mark.django_db
def test_a_memory_stands_with_the_person_and_not_behind_what_they_said(acme: Team) -> None:
    converse(acme, "The pasta was cooked with sage.", "The pasta was cooked with basil.")
    with tenant_scope(acme.tenant):
        store(acme, key="pasta", value="The pasta was cooked with sage")
        store(acme, key="guest", value="The pasta was cooked with salt", entity_label="Ingrid")

    found = ask(acme, "Which pasta did I cook?")

    assert {hit.key or hit.speaker: hit.parts["named"]["raw"] for hit in found} == {
        "pasta": 1.0, "guest": 1.0, "User": 1.0, "Assistant": 0.0,
    }  # fmt: skip


@pytest.mark.django_db
def test_between_named_people_nothing_changes(acme: Team) -> None:
    tell(acme, "The pasta was cooked with sage.", key="one", speaker="Melanie")

    assert ask(acme, "Which pasta did I cook?")[0].parts["named"]["raw"] == 0.0


@pytest.mark.parametrize(
    ("message", "speaker"),
    [
        (Message(role="user"), "User"),
        (Message(role="assistant"), "Assistant"),
        (Message(role="assistant", name="Nebo"), "Nebo"),
    ],
)
def test_a_turn_without_a_name_says_which_of_the_two_spoke(message: Message, speaker: str) -> None:
    message.created_at = timezone.now()

    assert speaker_of(message) == speaker
    assert heading_of(message).endswith(f"] {speaker}:")
