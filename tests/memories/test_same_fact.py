"""Two wordings a vector can hardly tell apart: which of them may be one fact."""

from __future__ import annotations

import pytest

from nebo.reading.relations.same_fact import may_be_same

APART = [
    ("The lights are on", "The lights are off"),
    ("The meeting is at 5 pm", "The meeting is at 6 pm"),
    ("The alarm rings at 5 am", "The alarm rings at 5 pm"),
    ("Likes coffee", "Does not like coffee"),
    ("Eats meat", "Never eats meat"),
    ("Lives with a cat", "Lives without a cat"),
    ("Met Sarah in the park", "Met Susan in the park"),
    ("Works in Oslo", "Works in Bergen"),
    ("Has two children", "Has three children"),
    ("The shop is open on Sundays", "The shop is closed on Sundays"),
    ("Calls her mother every week", "Calls her father every week"),
    ("The rent is 900 euros", "The rent is 950 euros"),
    ("Prefers tabs", "Prefers spaces"),
    ("Takes the pill before meals", "Takes the pill after meals"),
    ("Runs in the morning", "Runs in the evening"),
    ("Notifications are enabled", "Notifications are disabled"),
    ("Plays tennis on mondays", "Stopped playing tennis on mondays"),
]
TOGETHER = [
    ("Likes coffee", "Likes coffee a lot"),
    ("Plays the cello", "Plays cello"),
    ("Prefers short answers", "Prefers answers to be short"),
    ("Lives in Oslo", "Lives in Oslo, in a small flat"),
    ("The meeting is at 5 pm", "The meeting starts at 5 pm"),
    ("Has a dog called Rex", "Owns a dog called Rex"),
    ("Runs in the morning", "Goes running in the morning"),
]


@pytest.mark.parametrize(("one", "other"), APART)
def test_what_contradicts_is_never_one_fact(one: str, other: str) -> None:
    assert not may_be_same(one, other)
    assert not may_be_same(other, one)


@pytest.mark.parametrize(("one", "other"), TOGETHER)
def test_another_wording_may_be_the_same(one: str, other: str) -> None:
    assert may_be_same(one, other)
    assert may_be_same(other, one)
