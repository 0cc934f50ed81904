"""What a sentence settles of things to do, where it says so beside something else."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest

from memories.learning.todo_relations import relate_todos
from nebo.reading.meaning.reader import read_text


def settled(todos: list[str], text: str) -> list[str]:
    known: dict[UUID, str] = {uuid4(): todo for todo in todos}
    before, found = "", []
    for sentence in read_text(text).sentences:
        related = relate_todos(sentence, known, before=before)
        found += [known[one.object_id] for one in related if one.relation == "done" and one.chance >= 0.9]
        before = sentence.text
    return found


@pytest.mark.parametrize(
    ("todo", "text"),
    [
        ("Eine Schule für Jonte finden", "Jonte kommt in die Vigeliusschule, das hat geklappt."),
        ("Eine Schule für Jonte finden", "Jonte kommt in die Vigeliusschule. Das hat endlich geklappt!"),
        ("Eine Schule für Jonte finden", "Mit der Schule hat alles geklappt."),
        ("Die Krankenkasse wegen dem Zuschuss anrufen", "krankenkasse hat sich erledigt, die zahlen"),
        ("Buscar piso", "Lo del piso salió bien"),
        ("Trouver une crèche pour Léo", "La crèche pour Léo, ça a marché."),
        ("Nachthemden kaufen", "nachthemden hat mir werner dann gekauft"),
    ],
)
def test_what_worked_out_is_done_by_what_is_told_beside_it(todo: str, text: str) -> None:
    assert settled(["Einen Umzugswagen mieten", todo, "Jonte zum Turnen anmelden"], text) == [todo]


@pytest.mark.parametrize(
    ("todo", "text"),
    [
        ("Eine Schule für Jonte finden", "Das mit der Schule hat nicht geklappt."),
        ("Eine Schule für Jonte finden", "In der Schule hat heute alles geklappt"),
        ("Karten für Schalke besorgen", "Schalke hat gewonnen, das hat geklappt"),
        ("Den Umzugswagen mieten", "den Umzugswagen hat mir noch keiner gemietet"),
    ],
)
def test_what_worked_otherwise_or_not_at_all_settles_nothing(todo: str, text: str) -> None:
    assert settled([todo], text) == []


def test_where_two_things_are_named_alike_neither_is_done() -> None:
    todos = ["Eine Schule für Jonte finden", "Eine Schule für Jonte besuchen"]

    assert settled(todos, "Jonte kommt in die Vigeliusschule, das hat geklappt.") == []


@pytest.mark.parametrize(
    ("todo", "text"),
    [
        ("Book the climbing wall", "Climbing wall was a hit."),
        ("Tell Dionne's mum", "Dionne's mum came too."),
        ("Ring the bank", "the bank was a five minute job"),
        ("Paint the back gate", "Oh and the gate is green now, Neville did it in his good trousers."),
    ],
)
def test_what_has_taken_place_is_done(todo: str, text: str) -> None:
    assert settled(["Hire a marquee", todo], text) == [todo]
