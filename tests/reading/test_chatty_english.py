"""What people tell an assistant in passing: small letters, names without a capital, a question behind a fact."""

from __future__ import annotations

from datetime import date

import pytest

from nebo.reading.facts.statements import find_fact
from nebo.reading.meaning.reader import read_text
from nebo.reading.requests.todos import find_todos

ON = date(2033, 5, 2)


def facts(text: str) -> list[str]:
    found = [find_fact(one, speaker="Tove", on=ON) for one in read_text(text).sentences]
    return [fact.value for fact in found if fact]


def todos(text: str) -> list[str]:
    return [todo.text for one in read_text(text).sentences for todo in find_todos(one, ON)]


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (
            "I'm lactose intolerant btw, so any recovery shake ideas without milk",
            "Tove is lactose intolerant.",
        ),
        ("I've given up squash, I box now", "Tove has given up squash, they box now."),
        ("I'm 54 and I run a little café on the harbour in Whitby.", "Tove is 54."),
        (
            "He's my dad, Wilfred. My dad Wilfred is 83 and on his own in Pickering.",
            "Tove's dad Wilfred is 83.",
        ),
        ("Our Freya is in Lisbon, teaching English, she's 26.", "Tove's Freya is 26."),
        ("Freya has a young man, Duarte, he's an architect.", "Freya's young man Duarte is an architect."),
        (
            "i share a flat in lochee with my mate baz, he does the cooking",
            "Tove's mate Baz does the cooking.",
        ),
        ("i'm a bus driver in dundee, earlies this year so im up at 4", "Tove is a bus driver in dundee."),
        ("I'm Marlon, 38, I'm a veterinary nurse in Norwich.", "Tove is Marlon."),
        (
            "what should I cook for 6 people, and mum cant have anything with shellfish, she swells up",
            "Tove's mum can't have anything with shellfish.",
        ),
        (
            "My cousin Joan, who's 71, still runs marathons",
            "Tove's cousin Joan, who's 71, still runs marathons.",
        ),
        ("It's Dougie's cousin Ewan I'm with", "Tove is with Dougie's cousin Ewan."),
        (
            "I got onto the physio course! Starts in September, I'm going part time at the practice from then.",
            "Tove is going part time at the practice from September.",
        ),
        (
            "got a dog as well, a lurcher, came from the rescue. named her pickle",
            "Tove got a dog as well, a lurcher, came from the rescue named her Pickle.",
        ),
        (
            "Change of plan with the wedding: they'll have it here in Whitby after all, the 8th of October.",
            "Change of plan with the wedding: they'll have it here in Whitby after all, the 8th of October.",
        ),
    ],
)
def test_a_fact_is_kept_apart_and_without_what_is_asked_behind_it(said: str, kept: str) -> None:
    assert kept in facts(said)


@pytest.mark.parametrize(
    ("said", "never"),
    [
        ("in a band, im on bass, shona sings and her brother callum's on drums", "is shona"),
        ("what should I cook for 6 people, and mum cant have anything with shellfish", "cook"),
        ("We got outbid on Sleights. Ah well.", "Ah well"),
        ("gig was mental. sold out, callum broke a cymbal", "Tove sold"),
        ("Freya has a young man, Duarte, he's an architect.", "Tove's young man"),
    ],
)
def test_nobody_is_given_what_is_somebody_elses(said: str, never: str) -> None:
    assert not any(never in fact for fact in facts(said))


@pytest.mark.parametrize(
    ("said", "acts"),
    [
        (
            "right so i need to book the medical, and find my passport, and ask my boss for a reference",
            ["Book the medical", "Find my passport", "Ask my boss for a reference"],
        ),
        (
            "Please. Order new menus, have the boiler looked at, and book a chimney sweep.",
            ["Order new menus", "Have the boiler looked at", "Book a chimney sweep"],
        ),
        ("I need to find a camp bed, paint the back gate", ["Find a camp bed", "Paint the back gate"]),
        ("first thing, remind me to renew my driver card", ["Renew my driver card"]),
        ("and book a removal van", ["Book a removal van"]),
        ("Write a poem about the sea, make it short, and add a title", []),
        ("Also book the hotel for my character in chapter two", []),
        ("A touch longer, and mention the cinnamon buns.", []),
    ],
)
def test_each_errand_of_a_list_is_to_be_done(said: str, acts: list[str]) -> None:
    assert todos(said) == acts
