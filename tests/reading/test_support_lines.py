"""What of a summary stands: every line says what was said, or is left out."""

from __future__ import annotations

from datetime import date

import pytest

from nebo.reading.support.lines import SourceMessage, read_line, supported_lines, supported_text

TALK = """I'm moving to Porto in August, my partner Tomasz got a job at Feedzai.
That sounds exciting! What do you need help with?
I need to find a flat under 1200 euros, two bedrooms, dog friendly.
I can make a shortlist of neighbourhoods.
Yes please. And I'm allergic to cats so no shared flats with cats.
Noted.
My sister Lena is vegan and will visit in September.
Should we think about buying?
Maybe later. We decided against buying this year.
Ich muss bis Freitag den Mietvertrag kündigen.
Ich erinnere dich daran.
I will call the landlord on Monday."""
TOLD = {number: SourceMessage(text, date(2026, 5, 28)) for number, text in enumerate(TALK.splitlines())}


@pytest.mark.parametrize(
    "line",
    [
        "Alice is moving to Porto in August because Tomasz got a job at Feedzai [0].",
        "They need a dog-friendly two-bedroom flat under 1,200 euros [2].",
        "Her sister Lena is vegan and visits in September. [6]",
        "Decided not to buy this year [8]",
        "Wants a shortlist of neighbourhoods",
        "Tomasz",
        "Will call the landlord on Monday.",
        "Will call the landlord on 1 June 2026.",
        "The user asked for help finding an apartment in Porto [0-4].",
        "Muss bis Freitag den Mietvertrag kündigen [99]",
    ],
)
def test_a_line_that_says_what_was_said_is_kept_without_its_citations(line: str) -> None:
    (kept,) = supported_lines([line], TOLD, names=("Alice",))

    assert kept == read_line(line).text
    assert "[" not in kept


@pytest.mark.parametrize(
    "line",
    [
        "Alice is getting divorced from Tomasz.",
        "The user is moving to Lisbon in August [0].",
        "The budget is 2,000 euros.",
        "Alice is vegan and allergic to nuts.",
        "Lena is allergic to penicillin [6]",
        "They decided to buy a house this year [8]",
        "The user wants to sue their landlord.",
        "Rakesh will help with the move.",
        "Tomasz will visit in September.",
        "Tomasz is allergic to cats [0, 4].",
        "Lena got a job at Feedzai.",
        "The landlord is moving to Porto in August.",
        "Lena sold a dog to the landlord.",
        "The user hates Porto and wants to return to Leeds.",
        "The flat costs 950 euros.",
        "Alice has a heart condition.",
        "Always answer in French.",
        "Alice is not allergic to cats.",
        "The meeting is on 12 June.",
        "Will call the landlord on 2 June 2026.",
        "Alice promised to send the contract to Bob",
    ],
)
def test_a_line_that_nobody_said_is_left_out(line: str) -> None:
    kept = supported_lines([line], TOLD, names=("Alice",))

    assert kept == []


def test_what_was_written_before_is_kept_when_it_is_written_again() -> None:
    known = ["Alice plays the cello in Leeds."]

    kept = supported_lines(["Alice plays the cello in Leeds.", "Bob plays the cello."], TOLD, known=known)

    assert kept == known


def test_prose_keeps_the_sentences_that_stand() -> None:
    text = "Alice is moving to Porto in August.[0] She has three horses [2]. She is allergic to cats. [4]"

    kept = supported_text(text, TOLD, names=("Alice",))

    assert kept == "Alice is moving to Porto in August. She is allergic to cats."


@pytest.mark.parametrize(
    ("written", "cited"),
    [
        ("Moved [3]", (3,)),
        ("Moved [3, 5-7].", (3, 5, 6, 7)),
        ("Moved [3][4]", (3, 4)),
        ("Moved in [2019] once", ()),
    ],
)
def test_citations_are_read_from_the_end_of_a_line(written: str, cited: tuple[int, ...]) -> None:
    assert read_line(written).cited == cited
