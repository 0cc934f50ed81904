from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.decay import decay_score, has_faded, lifespan

NOW = datetime(2025, 6, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("count", "days", "score"),
    [(10, 0, 10.0), (10, 30, 7.0), (10, 60, 4.9), (10, 90, 3.4), (5, 0, 5.0), (5, 60, 2.5)],
)
def test_the_score_falls_by_three_tenths_a_month(count: int, days: int, score: float) -> None:
    assert decay_score(count, NOW - timedelta(days=days), now=NOW) == pytest.approx(score, abs=0.06)


@given(st.integers(0, 10_000), st.floats(0, 3_000), st.floats(0, 3_000))
def test_the_score_never_rises_with_time(count: int, first: float, later: float) -> None:
    sooner, longer = sorted((first, later))

    newer = decay_score(count, NOW - timedelta(days=sooner), now=NOW)
    older = decay_score(count, NOW - timedelta(days=longer), now=NOW)

    assert older <= newer


def test_a_memory_never_accessed_scores_nothing() -> None:
    assert decay_score(4, None, now=NOW) == 0.0


def test_a_clock_that_runs_ahead_counts_as_now() -> None:
    assert decay_score(4, NOW + timedelta(days=2), now=NOW) == 4.0


@pytest.mark.parametrize(("count", "days"), [(0, 14), (1, 14), (2, 28), (5, 70), (10, 140)])
def test_an_observation_lives_a_fortnight_a_observation(count: int, days: int) -> None:
    assert lifespan(count) == timedelta(days=days)
    assert has_faded(count, NOW - timedelta(days=days), now=NOW)
    assert not has_faded(count, NOW - timedelta(days=days) + timedelta(seconds=1), now=NOW)
