"""Several things to do behind a colon, each by itself and due by its own day."""

from datetime import date

import pytest

from nebo.reading.meaning.reader import read_text
from nebo.reading.requests.todos import find_todos

SAID = date(2026, 3, 2)  # a Monday


def todos(said: str) -> list[tuple[str, date | None]]:
    return [
        (one.text, one.due) for sentence in read_text(said).sentences for one in find_todos(sentence, SAID)
    ]


@pytest.mark.parametrize(
    "said, texts",
    [
        ("still need to: return the keys, pay Gavin, and chase the plumber",
         ["Return the keys", "Pay Gavin", "Chase the plumber"]),
        ("To do today: vet, parcel for Ines, tyres", ["Vet", "Parcel for Ines", "Tyres"]),
        ("Muss noch: Blumen gießen, Rezept für Oma, und den Müll rausbringen",
         ["Blumen gießen", "Rezept für Oma", "Den Müll rausbringen"]),
        ("Pendientes: recoger el traje, felpudo nuevo y llamar al fontanero",
         ["Recoger el traje", "Felpudo nuevo", "Llamar al fontanero"]),
        ("À faire: les courses, appeler Odile", ["Les courses", "Appeler Odile"]),
        ("Da fare: pagare il bollo, spesa", ["Pagare il bollo", "Spesa"]),
    ],
)  # fmt: skip
def test_a_list_behind_a_colon_is_several_things(said: str, texts: list[str]) -> None:
    assert [text for text, _ in todos(said)] == texts


def test_each_is_due_by_its_own_day_or_by_the_one_of_all() -> None:
    assert todos("Things I have to do: send the deposit by Friday, call Mo") == [
        ("Send the deposit", date(2026, 3, 6)),
        ("Call Mo", None),
    ]
    assert {due for _, due in todos("To do by Thursday: mow the lawn, fix the gate")} == {date(2026, 3, 5)}


@pytest.mark.parametrize(
    "said",
    [
        "My week is simple: work, sleep and football",
        "I have two sisters: Ada and Joan",
        "The stew needs: beef, two carrots and a bay leaf",
        "Ich habe: Kopfweh, Husten und Fieber",
        "I need three things from you: a title, a summary and tags",
    ],
)
def test_what_is_listed_otherwise_is_nothing_to_do(said: str) -> None:
    assert todos(said) == []
