"""Whom a conversation is about: those who are spoken of, not places, pets, or those who speak."""

from __future__ import annotations

import pytest

from nebo.reading.facts.persons import list_persons
from nebo.reading.meaning.reader import read_text


def persons(*said: str, speakers: tuple[str, ...] = ()) -> list[str]:
    sentences = [one for text in said for one in read_text(text).sentences]
    return list_persons(sentences, speakers=speakers)


@pytest.mark.parametrize(
    ("said", "names"),
    [
        (("My aunt Birgit and her son Ole are visiting us in Bergen.",), ["Birgit", "Ole"]),
        (("Meine Schwester Birte hat gestern geheiratet.",), ["Birte"]),
        (("Mi hermana Pilar vive en Cádiz con sus dos hijos.",), ["Pilar"]),
        (
            ("Tomasz keeps taking credit for my work.", "I'm scared of the talk with Tomasz tomorrow."),
            ["Tomasz"],
        ),
        (
            ("So May and I are seeing my aunt Dora and my aunt Ina, Fridays and Sundays.",),
            ["Dora", "Ina", "May"],
        ),
        (("My sister Siobhan O'Leary keeps bees.",), ["Siobhan O'Leary"]),
        (("My friend Ronan McCarthy is moving to Cork.",), ["Ronan McCarthy"]),
        (("Jean-Luc Étienne is my neighbour.",), ["Jean-Luc Étienne"]),
        (("Our cat Minka sleeps all day.",), []),
        (("We moved to Porto and love it.", "Postgres is fast enough for us."), []),
    ],
)
def test_those_spoken_of_are_named(said: tuple[str, ...], names: list[str]) -> None:
    assert persons(*said) == names


def test_who_speaks_is_nobody_spoken_of() -> None:
    assert persons("I'm Lena, and my brother Karl cooks for us.", speakers=("Lena",)) == ["Karl"]
