"""What a wish asks for, where words, polarity and slot agree; nothing where they don't."""

from __future__ import annotations

import time

import pytest

from nebo.reading.relations.manners import answers_otherwise
from nebo.reading.requests.wishes import (
    ADDRESS,
    FieldRequest,
    allows_length,
    likely_slots,
    read_names,
    read_values,
)

CERTAIN = [
    ("Please keep your answers short", "length:short", "response_length", "short"),
    ("Fass dich kürzer", "length:short", "response_length", "short"),
    ("vielleicht etwas kürzer schreiben, weiß nicht", "length:short", "response_length", "short"),
    ("No escribas textos tan largos", "length:short", "response_length", "short"),
    ("Sois bref dans tes réponses", "length:short", "response_length", "short"),
    ("Rispondi in modo conciso", "length:short", "response_length", "short"),
    ("Explain things in more detail", "length:long", "response_length", "detailed"),
    ("Antworte mir nicht so knapp", "length:long", "response_length", "detailed"),
    ("No emojis", "emoji:no", "emoji_usage", "none"),
    ("Nada de emojis", "emoji:no", "emoji_usage", "none"),
    ("weniger Smileys, ja?", "emoji:no", "emoji_usage", "minimal"),
    ("Mets plus d'emojis", "emoji:yes", "emoji_usage", "frequent"),
    ("Your emoji is 🦊", "emoji:yes", "emoji", "🦊"),
    ("bitte nicht so förmlich", "formality:casual", "formality", "casual"),
    ("be a bit more formal with me", "formality:formal", "formality", "formal"),
    ("Antworte ab jetzt auf Deutsch", "language", "language", "German"),
    ("háblame siempre en catalán", "language", "language", "Catalan"),
    ("Ab jetzt bitte nur noch auf Deutsch antworten.", "language", "language", "German"),
    ("parle-moi en italien", "language", "language", "Italian"),
    ("Rispondimi in inglese d'ora in poi", "language", "language", "English"),
    ("sei bitte etwas freundlicher", "tone", "voice_style", "freundlicher"),
    ("Be my running coach from now on", "other", "role", "their running coach"),
    ("Du bist ab jetzt ein Pirat", "tone", "creature", "Pirat"),
]
UNCERTAIN = [
    ("please don't keep it short", "length:short"),
    ("Bitte fass dich nicht kurz", "length:short"),
    ("Short answers are useless to me", "length:long"),
    ("No, never, keep it short", "length:short"),
    ("Two sentences at most", "length:short"),
    ("You give more detail than I need", "length:long"),
    ("Deine Antworten sind mir viel zu lang", "length:long"),
    ("emojis don't bother me", "emoji:yes"),
    ("Bitte keine Emojis", "emoji:yes"),
    ("stop answering in Dutch", "language"),
    ("write the code comments in English", "language"),
    ("answer in French even when I write in German", "language"),
    ("teach me a word of Portuguese every day", "language"),
    ("don't be so direct", "tone"),
    ("use metric units", "units"),
]


@pytest.mark.parametrize(("text", "slot", "field", "value"), CERTAIN)
def test_a_value_that_words_and_slot_agree_on_is_set(text: str, slot: str, field: str, value: str) -> None:
    assert read_values(text, slot) == [FieldRequest(field, value)]


@pytest.mark.parametrize(("text", "slot"), UNCERTAIN)
def test_what_a_not_or_a_second_matter_leaves_open_sets_nothing(text: str, slot: str) -> None:
    assert read_values(text, slot) == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Call yourself Ada from now on", "Ada"),
        ("ich nenn dich jetzt Frieda", "Frieda"),
        ("llámate pepe", "Pepe"),
        ("Appelle-toi désormais Gaston", "Gaston"),
        ("Il tuo nome è Ettore", "Ettore"),
        ("A partir de ahora te llamas Brígida.", "Brígida"),
        ("D'ora in poi ti chiami Ada", "Ada"),
    ],
)
def test_a_name_for_the_agent_is_its_name(text: str, name: str) -> None:
    assert read_names(text) == [FieldRequest("name", name)]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("call me Chief", "Chief"),
        ("nenn mich bitte Doc", "Doc"),
        ("llámame Jefa, que hace gracia", "Jefa"),
        ("Appelez-moi Maître", "Maître"),
        ("chiamami capo", "Capo"),
    ],
)
def test_a_form_of_address_is_a_rule_and_no_name_of_the_persons(text: str, name: str) -> None:
    assert read_names(text) == [FieldRequest("rules", f"{ADDRESS}{name}")]


@pytest.mark.parametrize(
    "text",
    [
        "call me tomorrow",
        "Call me when you get there",
        "ruf mich an",
        "I'll call you later",
        "don't call me Chief",
        "Bitte nenn mich nicht Doc",
        "llámame mañana",
        "appelle-moi demain",
        "chiamami quando arrivi",
    ],
)
def test_a_call_is_no_name(text: str) -> None:
    assert read_names(text) == []


@pytest.mark.parametrize(
    "text", ["my friends call me Bea", "when I'm sad, call me Bea", "Would you call me an artist"]
)
def test_a_name_in_the_middle_of_something_is_not_given(text: str) -> None:
    assert read_names(text) == []


@pytest.mark.parametrize("text", ["ok so please call me Bea", "No, wait: call me Bea"])
def test_little_words_may_stand_before_a_name(text: str) -> None:
    assert read_names(text) == [FieldRequest("rules", f"{ADDRESS}Bea")]


def test_a_second_matter_counts_when_it_weighs_enough() -> None:
    assert likely_slots({"tone": 0.5, "length:short": 0.4, "home": 0.1}) == ["tone", "length:short"]
    assert likely_slots({"tone": 0.8, "length:short": 0.1, "home": 0.9}) == ["tone"]


def test_where_either_way_may_be_meant_the_words_decide() -> None:
    (either,) = likely_slots({"length:short": 0.4, "length:long": 0.3})
    (short,) = likely_slots({"length:short": 0.8, "length:long": 0.1})

    assert read_values("Please answer in more detail", either) == [
        FieldRequest("response_length", "detailed")
    ]
    assert read_values("Please don't go into detail", either) == [FieldRequest("response_length", "short")]
    assert read_values("Please answer in more detail", short) == []


@pytest.mark.parametrize(
    "text", ["be more " * 60, "call yourself " * 40, "answer me, " * 40 + "in", "a" * 400]
)
def test_a_hostile_sentence_is_read_in_no_time(text: str) -> None:
    begun = time.process_time()

    for slot in ("length:short", "tone", "language", "emoji:no"):
        read_values(text, slot)
    read_names(text)

    assert time.process_time() - begun < 1


@pytest.mark.parametrize(
    ("known", "said", "otherwise"),
    [
        ("Wants British spelling.", "Wants American spelling.", True),
        ("Wants answers in German.", "Wants answers in Italian.", True),
        ("Wants short replies.", "Likes concise answers.", False),
        ("Prefers dry wit.", "Enjoys dry humour.", False),
    ],
)
def test_an_observation_that_answers_the_same_otherwise_is_no_observation(
    known: str, said: str, otherwise: bool
) -> None:
    assert answers_otherwise(known, said) is otherwise


@pytest.mark.parametrize(
    "text", ["you can ramble on a bit again", "you may talk at length now", "du darfst ruhig wieder ausholen"]
)
def test_who_may_say_more_is_told_about_length(text: str) -> None:
    assert allows_length(text)


@pytest.mark.parametrize("text", ["you can stop rambling on now", "can you write a bit more about owls"])
def test_other_words_are_not(text: str) -> None:
    assert not allows_length(text)
