"""Who eats what they didn't."""

from __future__ import annotations

import pytest

from nebo.reading.meaning.reader import read_text
from nebo.reading.relations.diets import eats_otherwise


@pytest.mark.parametrize(
    ("known", "stated"),
    [
        ("I'm a vegetarian.", "i eat chicken again, doctor's orders"),
        ("My son Bo is vegan.", "Bo eats fish now"),
        ("Ich bin Vegetarierin.", "ich esse jetzt wieder Fisch"),
        ("Soy vegano.", "ahora como pescado los viernes"),
    ],
)
def test_who_eats_animals_now_is_no_vegetarian(known: str, stated: str) -> None:
    assert eats_otherwise(known, read_text(stated).sentences[0])


@pytest.mark.parametrize(
    ("known", "stated"),
    [
        ("I'm a vegetarian.", "my husband eats meat now"),
        ("My son Bo is vegan.", "I eat fish now"),
        ("Ich bin Vegetarierin.", "ich esse keinen Fisch"),
        ("I love fish.", "I eat fish again"),
        ("I'm a vegetarian.", "I might eat fish one day"),
    ],
)
def test_what_others_eat_or_may_eat_changes_nothing(known: str, stated: str) -> None:
    assert not eats_otherwise(known, read_text(stated).sentences[0])
