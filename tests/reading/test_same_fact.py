"""What two wordings that a model finds alike must not differ in to be the same fact."""

from __future__ import annotations

import pytest

from nebo.reading.relations.same_fact import denies, may_be_same, tells_how_often


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Mi sobrina toca el piano", "Mi sobrino toca el piano"),
        ("El vecino tiene un perro", "La vecina tiene un perro"),
        ("Sa voisine répare des vélos", "Son voisin répare des vélos"),
        ("Sua cugina vive a Bari", "Suo cugino vive a Bari"),
        ("Ihre Ärztin wohnt in Graz", "Ihr Arzt wohnt in Graz"),
        ("Mein Kollege isst mittags Suppe", "Meine Kollegin isst mittags Suppe"),
    ],
)
def test_a_woman_and_a_man_of_one_role_are_two_people(one: str, other: str) -> None:
    assert not may_be_same(one, other)
    assert not may_be_same(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Prefers tea over coffee", "Prefers coffee over tea"),
        ("Moved from Leeds to York", "Moved from York to Leeds"),
        ("Fährt von Graz nach Wien", "Fährt von Wien nach Graz"),
        ("Prefiere el mar a la sierra", "Prefiere la sierra al mar"),
    ],
)
def test_what_stands_in_the_other_s_place_is_not_the_same(one: str, other: str) -> None:
    assert not may_be_same(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Lives in Trieste with her husband", "Lives with her husband in Trieste"),
        ("Vive con su madre en Lugo", "Vive en Lugo con su madre"),
        ("Es alérgica a las nueces", "Es alérgico a las nueces"),
        ("Has a cat and a dog", "Has a dog and a cat"),
        ("Trabaja en una imprenta de Vigo", "Trabaja en una imprenta en Vigo"),
        ("Fährt nach Wien mit dem Zug", "Fährt mit dem Zug nach Wien"),
    ],
)
def test_another_order_or_ending_of_the_same_may_be_the_same(one: str, other: str) -> None:
    assert may_be_same(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Runs three times a week", "Runs once a week"),
        ("Geht zweimal im Monat schwimmen", "Geht dreimal im Monat schwimmen"),
        ("Has two cats", "Has three cats"),
    ],
)
def test_how_often_and_how_many_tell_two_facts_apart(one: str, other: str) -> None:
    assert not may_be_same(one, other)


def test_how_often_something_is_done_has_one_answer() -> None:
    assert tells_how_often("Goes running three times a week") and tells_how_often("zweimal im Monat")
    assert not tells_how_often("Has been to Rome three times")


@pytest.mark.parametrize(
    "verb", ["hasn't got", "haven't", "hadnt", "couldn't keep", "shouldn’t have", "ain't got"]
)
def test_every_short_form_of_not_denies(verb: str) -> None:
    assert denies(f"My neighbours {verb} a goat")
    assert not may_be_same("My neighbours have a goat", f"My neighbours {verb} a goat")


def test_the_month_of_may_denies_nothing() -> None:
    assert not denies("Mama ist am 3. Mai gestorben")
    assert not denies("Elle est née en mai")
    assert denies("non mangia mai carne")
