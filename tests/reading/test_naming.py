"""What a request names, and which words are one."""

from __future__ import annotations

import pytest

from nebo.reading.words.naming import find_named, is_same_word, named_words


@pytest.mark.parametrize(
    "said",
    [
        "don't keep that",
        "Forget that I said that.",
        "das brauchst du dir nicht zu merken",
        "no guardes eso",
        "oublie ce que je viens de dire",
        "dimentica quello che ho appena detto",
    ],
)
def test_a_request_that_points_back_names_nothing(said: str) -> None:
    assert named_words(said) == frozenset()


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ("forget about my son", {"son"}),
        ("forget what I said about the war", {"war"}),
        ("forget everything", {"everything"}),
        ("das mit dem Knie vergiss bitte", {"knie"}),
        ("borra lo del coche", {"coche"}),
        ("efface le nom de mon médecin", {"nom", "médecin"}),
        ("scordati dove abito", {"abito"}),
    ],
)
def test_what_a_request_names_is_told_from_how_it_asks(said: str, named: set[str]) -> None:
    assert named_words(said) == named


@pytest.mark.parametrize(
    ("one", "other"),
    [("dog", "dogs"), ("live", "living"), ("city", "cities"), ("knie", "knieprobleme"), ("vivo", "vive")],
)
def test_endings_and_compounds_make_no_other_word(one: str, other: str) -> None:
    assert is_same_word(one, other)


@pytest.mark.parametrize(
    ("one", "other"), [("brother", "mother"), ("tent", "tennis"), ("clara", "clarissa"), ("4471", "44710")]
)
def test_words_that_only_look_alike_are_two(one: str, other: str) -> None:
    assert not is_same_word(one, other)


def test_british_spelling_accents_and_endings_are_seen_through() -> None:
    assert find_named({"favourite", "colours", "cafés"}, "Their favorite color is that of the cafe") == {
        "favourite",
        "colours",
        "cafés",
    }
