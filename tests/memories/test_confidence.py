from __future__ import annotations

import pytest

from memories import confidence


@pytest.mark.parametrize(("explicit", "expected"), [(True, 0.9), (False, 0.6), (None, 0.75)])
def test_a_fact_starts_with_the_confidence_of_how_it_was_said(explicit: bool | None, expected: float) -> None:
    assert confidence.from_explicit(explicit) == expected


@pytest.mark.parametrize(
    ("observations", "inferred", "explicit"),
    [(1, 0.60, 0.90), (2, 0.68, 0.92), (3, 0.74, 0.94), (5, 0.83, 0.95), (10, 0.93, 0.98)],
)
def test_each_observation_takes_a_fifth_of_the_doubt(
    observations: int, inferred: float, explicit: float
) -> None:
    """The figures are rough; the formula is checked exactly below them."""
    low, high = confidence.INFERRED, confidence.EXPLICIT

    for _ in range(observations - 1):
        low, high = confidence.reinforce(low), confidence.reinforce(high)

    assert low == pytest.approx(inferred, abs=0.017)
    assert high == pytest.approx(explicit, abs=0.01)
    assert low == pytest.approx(1 - 0.4 * 0.8 ** (observations - 1))


def test_confidence_never_reaches_one() -> None:
    value = confidence.INFERRED

    for _ in range(60):
        value = confidence.reinforce(value)

    assert 0.99 < value < 1.0


@pytest.mark.parametrize(
    ("value", "expected"), [(None, True), (0.6, False), (0.649, False), (0.65, True), (0.9, True)]
)
def test_only_what_passes_the_gate_speaks_in_prompts(value: float | None, expected: bool) -> None:
    assert confidence.passes_gate(value) is expected
