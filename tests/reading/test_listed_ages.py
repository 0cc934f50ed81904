"""An age that a list gives is put right by itself; and a slip that is owned up to is no part of what is kept."""

from __future__ import annotations

from datetime import date

import pytest

from nebo.reading.facts.statements import find_fact
from nebo.reading.meaning.reader import read_text
from nebo.reading.relations.ages import ages_differ, set_age


@pytest.mark.parametrize(
    ("known", "stated", "now"),
    [
        (
            "Tenemos dos niños: Lola, de 12, y Álvaro, de 9.",
            "Álvaro tiene 10, los cumplió en enero",
            "Tenemos dos niños: Lola, de 12, y Álvaro, de 10.",
        ),
        (
            "Wir haben zwei Kinder, Mia (4) und Tom (7)",
            "Tom ist jetzt 8",
            "Wir haben zwei Kinder, Mia (4) und Tom (8)",
        ),
    ],
)
def test_the_age_of_one_of_a_list_is_set(known: str, stated: str, now: str) -> None:
    assert ages_differ(known, stated)
    assert set_age(known, stated) == now


@pytest.mark.parametrize("stated", ["Tom is at 8 Baker Street", "Tom turns 8 in May", "Tom is 7"])
def test_what_is_no_other_age_sets_none(stated: str) -> None:
    assert not ages_differ("we have two kids, Mia, 4, and Tom, 7", stated)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("me equivoqué antes, Álvaro tiene 10", "Álvaro tiene 10."),
        ("mi sono sbagliata, Elia fa la terza media", "Elia fa la terza media."),
        ("je me suis plantée, l'escalade c'est le jeudi", "L'escalade c'est le jeudi."),
    ],
)
def test_the_slip_itself_is_left_out(text: str, value: str) -> None:
    facts = [
        find_fact(one, speaker="", on=date(2033, 1, 1), matters=True) for one in read_text(text).sentences
    ]

    assert [fact.value for fact in facts if fact] == [value]


def test_an_age_of_somebody_elses_friend_is_not_theirs() -> None:
    known = "Has a daughter, Sunniva, who is 9"

    assert not ages_differ(known, "Sunniva's best friend Kaja turned 10 on Sunday")
    assert ages_differ(known, "Sunniva's 10 now")
