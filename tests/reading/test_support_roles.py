"""Who does it to whom, and what was only asked: claims that share every word with their quote."""

from __future__ import annotations

import pytest

from nebo.reading.support.claims import weigh_claim
from nebo.reading.support.quoted import QuoteInContext

SWAPPED = [
    ("Kalle owes me a favour", "The user owes Kalle a favour."),
    ("Jaan taught Mart chess when they were kids", "Mart taught Jaan chess."),
    ("Jaan hat Mart Schach beigebracht", "Mart hat Jaan Schach beigebracht."),
    ("I lent Pekka 50 euros", "Pekka lent the user 50 euros."),
    ("my boss Lena hired Tom in May", "Tom hired Lena."),
    ("mum lent my brother her car", "The user's brother lent mum a car."),
]
ASKED = [
    ("i asked Anika whether she left Nokia", "Anika left Nokia."),
    ("no idea whether Tom quit", "Tom quit."),
    ("I wonder if Pia moved to Turku", "Pia moved to Turku."),
    ("ich frage mich ob Pia nach Turku gezogen ist", "Pia ist nach Turku gezogen."),
]
SAID = [
    ("Kalle owes me a favour", "Kalle owes the user a favour."),
    ("I lent Pekka 50 euros", "The user lent Pekka 50 euros."),
    ("Pekka lent me 50 euros", "The user borrowed 50 euros from Pekka."),
    ("Mart was taught chess by Jaan", "Jaan taught Mart chess."),
    ("Ola and Nils run a café", "Nils and Ola run a café."),
    ("my boss Lena hired Tom in May", "Lena hired Tom in May."),
]


def grade(quote: str, claim: str) -> str:
    return weigh_claim(claim, QuoteInContext(quote, quote, 0)).grade


@pytest.mark.parametrize(("quote", "claim"), [*SWAPPED, *ASKED])
def test_what_is_turned_round_or_only_asked_is_refused(quote: str, claim: str) -> None:
    assert grade(quote, claim) == "unsupported"


@pytest.mark.parametrize(("quote", "claim"), SAID)
def test_the_same_told_from_the_other_side_stands(quote: str, claim: str) -> None:
    assert grade(quote, claim) == "supported"
