"""Names that sound or are spelled alike are told from names that only look so."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.people.sound_alike import block_keys, compare_names, compare_short, count_edits, plain

ALIKE = [
    ("Makesh", "Mukesh"), ("Jon", "John"), ("Katherine", "Catherine"), ("Kathryn", "Catherine"),
    ("Stephen", "Steven"), ("Jon Doe", "John Doe"), ("Мария", "Maria"), ("Łukasz", "Lukash"), ("Zoë", "Zoe"),
    ("Michael", "Mikhail"), ("Yevgeny", "Evgeny"), ("Mohammed", "Muhammad"), ("Müller", "Mueller"),
    ("Philip", "Filip"), ("Александр", "Alexander"), ("dashboard redesign", "dashboard redesing"),
]  # fmt: skip
APART = [
    ("Jon", "Jan"), ("Tim", "Tom"), ("Maria", "Mario"), ("Paul", "Paula"), ("Daniel", "Daniela"),
    ("John Doe", "John Roe"), ("Austin", "Boston"), ("李雷", "李磊"), ("李雷", "韩梅梅"), ("Apollo 11", "Apollo 12"),
    ("Team A", "Team B"), ("John", "John Doe"), ("Berlin", "Bergen"), ("Zoë", "李雷"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_names_that_one_may_mishear_are_alike(one: str, other: str) -> None:
    likeness = compare_names(one, other)

    assert likeness is not None
    assert likeness.sound or likeness.edits == 1
    assert block_keys(one) & block_keys(other), "they are compared at all"


@pytest.mark.parametrize(("one", "other"), APART)
def test_names_of_two_are_not(one: str, other: str) -> None:
    assert compare_names(one, other) is None


@given(st.text(max_size=20), st.text(max_size=20))
def test_likeness_has_no_direction(one: str, other: str) -> None:
    assert compare_names(one, other) == compare_names(other, one)


@given(st.text(max_size=12), st.text(max_size=12))
def test_edits_are_a_distance(one: str, other: str) -> None:
    edits = count_edits(one, other)

    assert edits == count_edits(other, one)
    assert (edits == 0) == (one == other)
    assert edits <= max(len(one), len(other))


@pytest.mark.parametrize(
    ("one", "other", "edits"), [("makesh", "mukesh", 1), ("jon", "john", 1), ("ab", "ba", 1), ("", "abc", 3)]
)
def test_edits_are_letters_changed_added_dropped_or_swapped(one: str, other: str, edits: int) -> None:
    assert count_edits(one, other) == edits


def test_a_name_is_written_in_plain_letters() -> None:
    assert [plain(name) for name in ("Zoë", "Łukasz", "O'Neil-Jr.", "李雷", "Мария")] == [
        "zoe", "lukasz", "o neil jr", "李雷", "mariya",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("short", "full", "alike"),
    [
        ("Priya", "Priya Raman", True),
        ("zoë", "Zoë van Dam", True),
        ("Priya", "Priyanka Raman", False),
        ("Raman", "Priya Raman", False),
        ("Priya Raman", "Priya Raman", False),
        ("李", "李 雷", False),
    ],
)
def test_a_first_name_is_told_from_the_beginning_of_another(short: str, full: str, alike: bool) -> None:
    assert (compare_short(short, full) is not None) == alike
