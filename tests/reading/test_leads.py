"""What is left of a request to remember when the asking is taken away."""

from __future__ import annotations

import pytest

from nebo.reading.facts.leads import open_with, without_lead


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("please remember that the alarm is on the left.", "The alarm is on the left"),
        ("Could you write down that the cat gets her jab in May?", "The cat gets her jab in May"),
        ("pls remember my locker number 214", "My locker number 214"),
        ("Merk dir bitte, dass ich keine Milch vertrage.", "Ich vertrage keine Milch"),
        ("Notier dir: Schuhgröße der Kleinen ist 27", "Schuhgröße der Kleinen ist 27"),
        ("Bitte notieren, dass meine Sprechstunde mittwochs ist", "Dass meine Sprechstunde mittwochs ist"),
        ("Acuérdate de que mi hijo es diabético.", "Mi hijo es diabético"),
        ("N'oublie pas que le code projet est B-17.", "Le code projet est B-17"),
        ("Note qu'elle arrive toujours en retard", "Elle arrive toujours en retard"),
        ("ricordati che il contatore è in cantina", "Il contatore è in cantina"),
    ],
)
def test_the_lead_goes_and_the_words_stay(said: str, kept: str) -> None:
    assert without_lead(said) == kept


@pytest.mark.parametrize(
    "said",
    [
        "My sister said that I should take notes.",
        "Remember that.",
        "Unsere neue Katze heißt Momo, behalt das mal.",
        "I remember that summer well.",
    ],
)
def test_without_a_lead_the_sentence_stays_whole(said: str) -> None:
    assert without_lead(said) == said


@pytest.mark.parametrize(
    ("clause", "opened"),
    [
        ("With my contract extended through December", "My contract is extended through December"),
        (
            "With Wren's new job starting 1 May and paying more",
            "Wren's new job is starting 1 May and paying more",
        ),
        ("my preference for maps over satnavs", "I prefer maps over satnavs"),
        ("It's Bethan who does the sound now", "Bethan does the sound now"),
        ("It's the weather who cares", "It's the weather who cares"),
        ("With my contract extended, I can plan ahead", "With my contract extended, I can plan ahead"),
        ("My preference for maps is well known", "My preference for maps is well known"),
    ],
)
def test_what_only_says_what_is_so_says_it(clause: str, opened: str) -> None:
    assert open_with(clause) == opened
