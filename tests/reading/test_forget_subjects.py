"""About whom or what all that was said is to be forgotten, by the words of the request."""

from __future__ import annotations

import pytest

from nebo.reading.forgetting.topics import find_subjects


@pytest.mark.parametrize(
    ("request_", "subjects"),
    [
        ("vergiss ma bitte, wat ich über den filialleiter gesagt hab", [{"filialleiter"}]),
        ("olvídate de lo de la encarni, que no quiero que conste", [{"encarni"}]),
        ("olvidate de lo que te conté de la pelea con nico", [{"pelea", "nico"}]),
        ("oublie ce que je t'ai dit sur mon frère et la prison s'il te plaît", [{"prison"}]),
        ("forget what I told you about Tom", [{"tom"}]),
        ("dimentica quello che ti ho detto della lite con Monica", [{"lite", "monica"}]),
        # too much is told of a mother
        ("forget what I said about my mother", []),
        # one thing, and not all that has to do with somebody
        ("forget the fight with Tomás", []),
        ("Vergiss bitte, dass ich Angst vor Gänsen habe.", []),
    ],
)
def test_the_subjects_are_found(request_: str, subjects: list[set[str]]) -> None:
    assert [set(words) for words in find_subjects(request_)] == subjects
