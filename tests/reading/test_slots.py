"""Two facts in third person: the same, another answer to the same question, or two things that both hold."""

from __future__ import annotations

import pytest

from nebo.reading.relations.judging import CLEAR
from nebo.reading.relations.own_words import own_words
from nebo.reading.relations.slots import Stated, compare, is_over, slot_of

BORIS = ("Boris",)


def verdict(known: Stated, said: Stated) -> str:
    found, chance = compare(known, said)
    return found if chance >= CLEAR else "beside"


def own(value: str) -> Stated:
    return Stated(value, names=BORIS, speaker=BORIS)


def about(ref: str, value: str) -> Stated:
    kind, _, slug = ref.partition(":")
    return Stated(value, frozenset([ref]), (slug,), BORIS, is_person=kind == "person")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("Boris lives in Malmö.", "I lives in Malmö."),
        ("Lives in Malmö", "I live in Malmö"),
        ("Boris's flatmate is vegan.", "My flatmate is vegan."),
        ("The user carries an inhaler.", "I carry an inhaler."),
        ("Boris: Ich wohne in Malmö.", "Ich wohne in Malmö."),
        ("El usuario vive en Malmö.", "vive en Malmö."),
        ("Malmö is rainy.", "Malmö is rainy."),
    ],
)
def test_a_fact_is_read_as_the_person_would_say_it(value: str, words: str) -> None:
    if value.startswith("Boris lives"):
        words = "I live in Malmö."

    assert own_words(value, BORIS) == words


@pytest.mark.parametrize(
    ("value", "slot"),
    [
        ("Boris lives in Malmö.", "home"),
        ("Wohnt in Malmö.", "home"),
        ("Works at a foundry", "work"),
        ("Is 51 years old", "age"),
        ("Boris's sister lives in Malmö.", ""),
    ],
)
def test_a_fact_answers_a_question_about_the_person(value: str, slot: str) -> None:
    assert slot_of(own(value)) == slot


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("Lives in Malmö", "Lives in Aarhus"),
        ("Boris lives in Malmö.", "Moved to Aarhus in spring"),
        ("Works as a welder", "Works as a baker"),
        ("Is 51 years old", "Is 52 years old"),
        ("Boris: Ich wohne in Malmö.", "Boris wohnt in Rostock."),
        ("Vive en Gijón", "Vive en Lugo"),
        ("Habite à Brest", "Habite à Nîmes"),
        ("Arbeitet als Schweißer", "Arbeitet als Bäcker"),
        ("Phone number is 020 7946", "Phone number is 020 1188"),
    ],
)
def test_another_answer_to_a_question_that_has_one_takes_the_place_of_the_first(
    known: str, said: str
) -> None:
    assert verdict(own(known), own(said)) == "changes"


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("Likes sardines", "Likes mussels"),
        ("Plays the tuba", "Plays the harp"),
        ("Is allergic to wasps", "Is allergic to latex"),
        ("Speaks Danish", "Speaks Finnish"),
        ("Lives in Malmö", "Boris's sister lives in Aarhus"),
        ("Works as a welder", "Worked as a lifeguard in school"),
        ("Worked as a lifeguard in school.", "Works as a welder."),
        ("Tiene un hermano en Lugo", "Tiene una hermana en Lugo"),
        ("Swims on Mondays", "Swims on Fridays"),
    ],
)
def test_what_can_both_hold_stands_beside_each_other(known: str, said: str) -> None:
    assert verdict(own(known), own(said)) == "beside"


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("Isst gern Hering", "Isst nie gern Hering"),
        ("Come marisco", "No come nunca marisco"),
        ("Mangia pesce", "Non mangia mai pesce"),
        ("Aime les huîtres", "N'aime pas les huîtres"),
        ("Has two canoes", "Has five canoes"),
        ("The stand-up is in room A", "The stand-up is in room B"),
        ("Drinks tea at work", "Drinks tea at home"),
        ("Lives in Malmö", "Lives in Malmö with two cats"),
    ],
)
def test_what_one_denies_counts_otherwise_or_tells_beyond_it_is_never_the_same(known: str, said: str) -> None:
    assert verdict(own(known), own(said)) != "same"


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("Has two children", "Has two kids."),
        ("Works from Malmö remotely", "Works remotely from Malmö"),
        ("Has a parrot named Ole", "Has a parrot called Ole"),
    ],
)
def test_other_words_for_the_same_are_the_same(known: str, said: str) -> None:
    assert verdict(own(known), own(said)) == "same"


@pytest.mark.parametrize(
    ("ref", "known", "said", "found"),
    [
        ("project:heron", "Heron is due on 2 April.", "Heron is due on 19 May.", {"changes"}),
        ("project:heron", "2 April", "19 May", {"changes"}),
        ("project:heron", "Heron's client is Maersk.", "Heron's client is DFDS now.", {"changes"}),
        ("project:heron", "Heron is in beta.", "Heron was cancelled.", {"changes", "ends"}),
        ("project:heron", "Heron is owned by Tilde.", "Heron's client is Maersk.", {"beside"}),
        ("project:heron", "Heron's client is DNB.", "Heron is due in March.", {"beside"}),
        ("project:heron", "Heron is due on 7 March.", "Heron is due on 30 April.", {"changes"}),
        ("person:tilde", "Tilde does the accounts.", "Tilde left.", {"ends", "changes"}),
        ("person:tilde", "Tilde lives in Malmö.", "Tilde lives in Aarhus.", {"changes"}),
        ("person:tilde", "Tilde is a nurse.", "Tilde has two cats.", {"beside"}),
        ("person:tilde", "Tilde is the user's aunt.", "Tilde is Boris's aunt.", {"same"}),
    ],
)
def test_facts_about_one_thing_change_and_end(ref: str, known: str, said: str, found: set[str]) -> None:
    assert verdict(about(ref, known), about(ref, said)) in found


def test_facts_about_two_things_never_meet() -> None:
    assert verdict(
        about("person:tilde", "Tilde lives in Malmö."), about("person:sven", "Sven lives in Aarhus.")
    ) == ("beside")


@pytest.mark.parametrize(
    ("known", "said", "found"),
    [
        ("Chose MySQL for the ledger.", "Went with SQLite instead.", "changes"),
        ("Decided to use Oracle for the ledger.", "Decided to paint the shed green.", "beside"),
    ],
)
def test_a_decision_is_made_once_a_topic(known: str, said: str, found: str) -> None:
    assert verdict(Stated(known, settled=True), Stated(said, settled=True)) == found


@pytest.mark.parametrize(
    "text", ["Lived in Malmö", "Hat in Malmö gewohnt", "Vivió en Lugo", "A habité à Brest", "Used to smoke"]
)
def test_what_was_is_told_from_what_is(text: str) -> None:
    assert is_over(text)
    assert not is_over("Moved to Malmö")
