"""Who eats what they didn't."""

from __future__ import annotations

import pytest

from nebo.reading.meaning.reader import read_text
from nebo.reading.relations.diets import eats_otherwise
from nebo.reading.relations.judging import CLEAR, judge


@pytest.mark.parametrize(
    ("known", "stated"),
    [
        ("I'm a vegetarian.", "i eat chicken again, doctor's orders"),
        ("My son Bo is vegan.", "Bo eats fish now"),
        ("Ich bin Vegetarierin.", "ich esse jetzt wieder Fisch"),
        ("Soy vegano.", "ahora como pescado los viernes"),
        ("Mi hijo Bru es vegetariano.", "Bru vuelve a comer pollo"),
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


@pytest.mark.parametrize(
    ("known", "stated", "is_over"),
    [
        ("The user is allergic to shellfish.", "turns out I'm only allergic to prawns", True),
        ("The user's daughter Ida is allergic to nuts.", "Ida's only allergic to hazelnuts, the rest is fine", True),
        ("Ich bin gegen Nüsse allergisch.", "es sind doch nur Haselnüsse, alles andere darf ich essen", True),
        ("The user is allergic to wasps.", "turns out I'm only allergic to prawns", False),
        ("The user is lactose intolerant.", "I only had a bite of the cheesecake", False),
        ("The user is allergic to cats.", "it's only Ned who's allergic to dogs", False),
    ],
)  # fmt: skip
def test_who_cannot_have_only_a_part_of_it_may_have_the_rest(known: str, stated: str, is_over: bool) -> None:
    kind, chance = judge(known, read_text(stated).sentences[0])

    assert (kind in ("changes", "ends") and chance >= CLEAR) is is_over
