"""What a message says is settled, and which open commitment it settles: the unmistakable alone."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from nebo.llm.rules.grammar import is_about, read_closings, read_statements
from nebo.llm.rules.statements import Turn

OPEN = (
    "Call the dentist (9 May 2024)",
    "Finish the report",
    "Send the slides to Anna",
    "Buy milk and eggs",
    "Book the flights to Oslo",
    "Pay the rent",
    "Pick up the kids from school",
    "Renew their passport",
    "Write to the landlord about the heating",
)
DENTIST, REPORT, SLIDES, GROCERIES, FLIGHTS, RENT, KIDS, PASSPORT, LANDLORD = OPEN

SETTLED = [
    ("I called the dentist.", "done", DENTIST),
    ("I've called the dentist this morning", "done", DENTIST),
    ("Finally called the dentist!", "done", DENTIST),
    ("I did call the dentist.", "done", DENTIST),
    ("I finished the report", "done", REPORT),
    ("I'm done with the report.", "done", REPORT),
    ("Done with the report", "done", REPORT),
    ("I finished writing the report", "done", REPORT),
    ("I got the report done", "done", REPORT),
    ("The report is finished.", "done", REPORT),
    ("Report: done", "done", REPORT),
    ("I sent Anna the slides", "done", SLIDES),
    ("I sent the slides to Anna yesterday", "done", SLIDES),
    ("The slides have been sent.", "done", SLIDES),
    ("I bought milk and eggs", "done", GROCERIES),
    ("I booked the flights", "done", FLIGHTS),
    ("The flights are booked!", "done", FLIGHTS),
    ("We've paid the rent", "done", RENT),
    ("I took care of the rent", "done", RENT),
    ("I picked up the kids", "done", KIDS),
    ("I managed to renew my passport", "done", PASSPORT),
    ("I wrote to the landlord about the heating", "done", LANDLORD),
    ("Never mind about the dentist", "dropped", DENTIST),
    ("never mind calling the dentist", "dropped", DENTIST),
    ("I don't need to call the dentist anymore", "dropped", DENTIST),
    ("I no longer need to renew my passport", "dropped", PASSPORT),
    ("I decided not to book the flights", "dropped", FLIGHTS),
    ("There's no need to call the dentist", "dropped", DENTIST),
]
OPEN_STILL = [
    "I haven't called the dentist yet",
    "I have not called the dentist.",
    "did I call the dentist?",
    "Have you called the dentist?",
    "I will call the dentist",
    "I'm calling the dentist tomorrow",
    "I need to call the dentist",
    "I should have called the dentist",
    "I called the dentist but nobody answered",
    "I called the dentist. Nobody answered.",
    "I called the dentist last year",
    "I never called the dentist",
    "I tried to call the dentist",
    "I forgot to call the dentist",
    "I think I called the dentist",
    "Maybe I called the dentist",
    "I wish I had called the dentist",
    "If I called the dentist, would they be open?",
    "My wife called the dentist",
    "She said she paid the rent",
    "I asked my wife to call the dentist",
    "Write a poem: I called the dentist",
    "I called Anna",
    "I almost finished the report",
    "I finished half of the report",
    "I finished the first draft of the report",
    "I read the report",
    "I am not done with the report",
    "I sent the slides to Bob",
    "I bought milk",
    "I paid the deposit",
    "I always pay the rent on time",
    "Never mind",
    "I love my dentist",
    "I don't need to call the dentist",
]


def settled_by(text: str) -> list[tuple[str, str]]:
    return [
        (closing.outcome, todo)
        for closing in read_closings(Turn(text))
        for todo in OPEN
        if is_about(closing, todo)
    ]


@pytest.mark.parametrize(("text", "outcome", "todo"), SETTLED)
def test_what_is_settled_closes_the_commitment_it_is_about(text: str, outcome: str, todo: str) -> None:
    assert settled_by(text) == [(outcome, todo)]


@pytest.mark.parametrize("text", OPEN_STILL)
def test_what_is_not_unmistakably_settled_closes_nothing(text: str) -> None:
    assert settled_by(text) == []


def test_two_things_in_one_sentence_are_both_settled_with_their_own_words() -> None:
    text = "Yesterday I paid the rent and I called the dentist."

    found = [(text[c.start : c.end], c.phrase) for c in read_closings(Turn(text))]

    assert settled_by(text) == [("done", RENT), ("done", DENTIST)]
    assert [phrase for _, phrase in found] == ["paid the rent", "called the dentist"]
    assert all(phrase in quote for quote, phrase in found)


def test_a_report_that_is_finished_is_not_yet_sent() -> None:
    (closing,) = read_closings(Turn("I'm done with the slides."))

    assert not is_about(closing, "Send the slides to Anna")
    assert is_about(closing, "Prepare the slides")


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("Remind me to call the vet.", "commitment", "Call the vet"),
        ("I want to run every morning.", "habit", "Run every morning"),
        ("I'm trying to meditate daily", "habit", "Meditate daily"),
        ("Let's talk about the budget next time", "thread", "Talk about the budget"),
        ("I keep forgetting my keys", "friction", "Keeps forgetting their keys"),
        ("My laptop keeps crashing during calls", "friction", "Their laptop keeps crashing during calls"),
        ("I'm struggling with the new schedule", "friction", "Struggles with the new schedule"),
    ],
)
def test_the_four_kinds_of_open_loop_are_found(text: str, kind: str, value: str) -> None:
    (found,) = (s for s in read_statements(Turn(text)) if s.kind == "task")

    assert (found.todo_kind, found.value) == (kind, value)


@pytest.mark.parametrize(
    "text",
    [
        "I keep bees",
        "I run every morning",
        "Let's talk about cats",
        "The sun keeps shining",
        "Maybe I'm struggling with it?",
        "Do you want to run every morning?",
    ],
)
def test_what_is_no_open_loop_is_none(text: str) -> None:
    assert [s.value for s in read_statements(Turn(text)) if s.kind == "task"] == []


def test_a_thread_to_come_back_to_tomorrow_has_its_day() -> None:
    said = datetime(2024, 5, 1, 12, 0, tzinfo=UTC)

    (found,) = read_statements(Turn("We'll come back to the logo tomorrow.", at=said))

    assert (found.todo_kind, found.due) == ("thread", datetime(2024, 5, 2, tzinfo=UTC).date())
