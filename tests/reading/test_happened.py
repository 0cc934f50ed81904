"""Errands of which people only tell what came of them."""

from __future__ import annotations

import pytest

from nebo.reading.requests.happened import has_happened


@pytest.mark.parametrize(
    ("todo", "said"),
    [
        ("Book the climbing wall", "Climbing wall was a hit."),
        ("Tell Dionne's mum", "Dionne's mum came too."),
        ("Ring the bank", "the bank was a five minute job"),
        ("Ring the vet about Pickle's limp", "pickles leg was only a thorn, vet took two minutes"),
        ("Ask my boss for a reference", "gaffer wrote me a cracking reference"),
        ("Book a chimney sweep", "the sweep's been, black as your hat"),
        ("Paint the back gate", "the gate is green now, Neville did it in his good trousers"),
        ("Order new menus", "The menus came and they've spelt scallops wrong"),
        ("Order the cake", "The cake was delicious"),
        ("Invite Lena", "Lena came with her kids"),
        ("Book the medical", "medical was last week, fine, bit of a high bp but ok"),
        ("Have the boiler looked at", "the boiler just needed a new valve"),
        ("Find a camp bed", "They slept on the camp bed, poor things, it's a horror."),
        ("Do the tax return", "the tax return took forever"),
        ("Ask the bank about a loan", "The bank said yes, so the bakery is happening!"),
    ],
)
def test_what_took_place_was_seen_to(todo: str, said: str) -> None:
    assert has_happened(said, todo)


@pytest.mark.parametrize(
    ("todo", "said"),
    [
        ("Book the climbing wall", "The climbing wall was closed."),
        ("Book the climbing wall", "The climbing wall was fully booked."),
        ("Tell Dionne's mum", "Dionne's mum was furious that nobody told her."),
        ("Ring the bank", "the bank was engaged all day"),
        ("Ring the plumber", "the plumber never came"),
        ("Call Grandma", "Grandma came over"),
        ("Ask Tom about the boat", "Tom came along"),
        ("Book the band", "The band was brilliant at Tom's wedding"),
        ("Book the restaurant", "The restaurant was lovely last time"),
        ("Find a camp bed", "They slept on the floor"),
        ("Book the medical", "the medical is next week"),
        ("Hire a van", "Rob's van was great"),
        ("Book the climbing wall", "The wall was painted"),
    ],
)
def test_what_was_only_spoken_of_is_still_to_do(todo: str, said: str) -> None:
    assert not has_happened(said, todo)
