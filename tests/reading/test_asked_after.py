"""An errand that is asked after, and what is said of it."""

from __future__ import annotations

import pytest

from nebo.reading.meaning.asked_after import state_done
from nebo.reading.meaning.reader import read_text


@pytest.mark.parametrize(
    ("asked", "answer", "stated"),
    [
        ("Wonderful. And the flour?", "Ordered it this morning.", "Ordered the flour this morning."),
        ("Good. And the van?", "Done that an' all.", "The van is done an' all."),
        ("And the payslips?", "sent them ages ago", "Sent the payslips ages ago"),
        ("How's the stairlift coming along?", "It's in.", "The stairlift's in."),
        ("Have you booked the van yet?", "Yes, on Monday.", "I booked the van."),
        ("And the passport?", "Renewed, finally.", "The passport is renewed, finally."),
        ("You mentioned the gas people.", "oh rang them on friday", "Rang the gas people on friday"),
    ],
)
def test_the_errand_is_named(asked: str, answer: str, stated: str) -> None:
    assert state_done(asked, answer) == stated


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("And the lease?", "Not yet."),
        ("And the flour?", "Still have to order it."),
        ("Have you sent the payslips?", "Not yet"),
        ("What do you bake?", "Ordered it this morning."),
        ("And the flour?", "Did I order it?"),
        ("Flour keeps for a year.", "Ordered it this morning."),
    ],
)
def test_what_says_nothing_of_an_errand_stays_as_it_is(asked: str, answer: str) -> None:
    assert not state_done(asked, answer)


def test_what_isnt_done_is_read_as_it_was_said() -> None:
    (sentence,) = read_text("I love it.", asked="And the flour?").sentences

    assert sentence.text == "I love it."
