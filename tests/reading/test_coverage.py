"""What was told already, by several sentences together, and what stands whole in a longer one."""

from __future__ import annotations

import pytest

from nebo.reading.relations.coverage import Coverage

TOLD = ("The user's husband Owen is a tree surgeon.", "The user has a lad, Kit, who is 7.", "Eats no gluten.")


@pytest.mark.parametrize(
    "sentence",
    [
        "My husband Owen's a tree surgeon and there's a lad, Kit, 7.",
        "Priya here, husband Owen is a tree surgeon",
        "I eat no gluten",
    ],
)
def test_a_sentence_is_told_by_several_together_and_for_all_but_a_word(sentence: str) -> None:
    assert Coverage(TOLD).has_nearly(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "My husband Owen is a tree surgeon in Derby, and he hates heights.",
        "My husband Owen is a tree surgeon, 9 years now",
        "I eat gluten",
        "Oh well.",
    ],
)
def test_what_adds_something_or_denies_it_is_not(sentence: str) -> None:
    assert not Coverage(TOLD).has_nearly(sentence)


def test_what_was_told_stands_whole_in_a_longer_sentence() -> None:
    told = Coverage(["Lives in Leeds.", "Leeds."])

    assert told.stands_in("Oskar here, I live in Leeds and work nights")
    assert not told.stands_in("I don't live in Leeds, I work there")
    assert not told.stands_in("We went from Leeds to York")
