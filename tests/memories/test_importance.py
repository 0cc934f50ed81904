"""Importance grows with what is said and used, in steps with a limit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.curation.importance import grown_importance, points_of


@pytest.mark.parametrize(
    ("importance", "said", "used", "core", "due"),
    [
        (1, 1, 0, False, 1),  # mentioned once
        (1, 50, 0, False, 2),  # mentioned fifty times
        (1, 50, 0, True, 3),
        (1, 4, 0, False, 1),
        (1, 5, 0, False, 2),
        (1, 1, 19, False, 1),
        (1, 1, 20, False, 2),
        (1, 3, 10, False, 2),
        (0, 2, 0, False, 0),
        (0, 3, 0, False, 1),
        (0, 5, 0, False, 2),
        (2, 12, 0, True, 2),
        (2, 13, 0, True, 3),
        (3, 1, 0, False, 3),  # what is critical stays so
    ],
)
def test_importance_is_earned_in_steps(importance: int, said: int, used: int, core: bool, due: int) -> None:
    grown = grown_importance(importance, reinforced_count=said, access_count=used, is_core=core)

    assert grown == due


@given(st.integers(0, 3), st.integers(0, 10_000), st.integers(0, 100_000), st.booleans())
def test_it_is_never_lowered_and_never_more_than_critical(
    importance: int, said: int, used: int, core: bool
) -> None:
    grown = grown_importance(importance, reinforced_count=said, access_count=used, is_core=core)

    assert importance <= grown <= 3
    assert core or grown <= max(importance, 2)


def test_five_uses_weigh_as_much_as_being_said_once_more() -> None:
    assert points_of(2, 0) == points_of(1, 5) == 1
