"""Who "she" is, where the sentence before tells of one person alone."""

from __future__ import annotations

import pytest

from nebo.reading.meaning.antecedents import tells_of_their_own
from nebo.reading.meaning.reader import read_text


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("My mum Jean lives in Hexham. She had a stroke in March.", "My mum Jean had a stroke in March."),
        ("Moira's a vet in Morpeth. She hates cats.", "Moira hates cats."),
        (
            "Mein Sohn Max geht in die dritte Klasse. Er spielt Trompete.",
            "Mein Sohn Max spielt Trompete.",
        ),
        (
            "yeah plus the cat, Pepper. she's 11 and diabetic so she gets insulin twice a day",
            "My cat Pepper is 11 and diabetic so she gets insulin twice a day",
        ),
        ("My husband, Tom. He works part time as a joiner.", "My husband Tom works part time as a joiner."),
        (
            "Vor allem meine Mutter. Sie wohnt im selben Haus.",
            "Meine Mutter wohnt im selben Haus.",
        ),
        (
            "Ich habe drei Nachtdienste, und mein Sohn Jonte muss zum Zahnarzt. Er ist sieben.",
            "mein Sohn Jonte ist sieben.",
        ),
        (
            "Meine Mutter Gerda hat sich die Hüfte gebrochen, sie liegt in Hagen im Krankenhaus.",
            "Meine Mutter Gerda liegt in Hagen im Krankenhaus.",
        ),
    ],
)
def test_a_pronoun_is_read_with_the_name_before_it(said: str, told: str) -> None:
    (*_, last) = read_text(said).sentences

    assert last.text == told
    assert said[last.start : last.end].rstrip(".").endswith(told.rstrip(".").split()[-1])


@pytest.mark.parametrize(
    "said",
    [
        "My sister plays the oboe. He plays the drums.",
        "Moira and Tess are vets. She hates cats.",
        "I had soup. She hates cats.",
        "Mi gata se llama Tuna. He dejado el grupo.",
        "My mum Jean lives in Hexham, my sister Moira is a vet. She hates cats.",
    ],
)
def test_where_it_may_be_another_nobody_is_named(said: str) -> None:
    (*_, last) = read_text(said).sentences

    assert last.text == said[last.start : last.end]


def test_whom_the_message_before_told_of_is_meant_and_that_is_marked() -> None:
    (first, second) = read_text(
        "He starts school on Monday. His new inhaler is purple.",
        before="We have the cellar, Ellis has the attic",
    ).sentences

    assert first.text == "Ellis starts school on Monday." and first.leans
    assert second.text == "Ellis's new inhaler is purple." and second.leans


@pytest.mark.parametrize(
    ("said", "theirs"),
    [
        ("Wagner hat sein Sommerfest auf den 12. verschoben", True),
        ("The dentist moved me to Friday", False),
        ("I moved my party to June", False),
    ],
)
def test_who_puts_off_what_is_theirs_puts_off_nothing_of_the_speakers(said: str, theirs: bool) -> None:
    assert tells_of_their_own(said) is theirs


def test_what_has_a_name_is_what_was_told_of_right_before() -> None:
    (sentence,) = read_text(
        "Our budget is 1,400 a month and it has to take a cat. Her name's Pudding.",
        before="My boss, Lorna, was lovely about it.",
    ).sentences

    assert "Lorna" not in sentence.text and sentence.text.endswith("Her name's Pudding.")


def test_an_age_behind_a_name_hides_nobody() -> None:
    (sentence,) = read_text(
        "She's allergic to peanuts", before="my daughter Zoe (11) wants a cello"
    ).sentences

    assert sentence.text == "my daughter Zoe is allergic to peanuts" and sentence.leans


def test_whom_it_was_done_with_is_he_and_a_thing_that_is_done_is_nobody() -> None:
    first, second = read_text(
        "Timo und ich haben uns getrennt, after six years. He keeps the flat, I keep the cat",
        before="Steuer ist durch!! nur einmal geweint",
    ).sentences

    assert first.text.startswith("Timo und ich")
    assert second.text == "Timo keeps the flat, I keep the cat"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "Elin's diabetic. My ex Ruben has the kids at weekends. He lives in Hull now.",
            "My ex Ruben lives in Hull now.",
        ),
        (
            "Bea lives in Jena. Rosa is my aunt and Tom is her son. He works at the bakery.",
            "He works at the bakery.",
        ),
    ],
)
def test_nobody_is_meant_beyond_those_who_were_named_last(text: str, told: str) -> None:
    assert read_text(text).sentences[-1].text == told
