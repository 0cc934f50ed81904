"""What a sentence settles of things to do, where it says so beside something else."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID, uuid4

import pytest

from memories.learning.todo_relations import relate_todos
from memories.models import Todo
from nebo.reading.meaning.reader import read_text
from tests.conftest import Team
from tests.memories.conftest import hear


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


def test_what_is_done_beside_it_is_done_too() -> None:
    known = {uuid4(): "Résilier le bail", uuid4(): "Trouver un déménageur"}
    text = "le bail est résilié, et mon père est venu avec sa camionnette, donc plus besoin de déménageur"
    (sentence,) = read_text(text).sentences

    related = {known[one.object_id]: one.relation for one in relate_todos(sentence, known)}

    assert related == {"Résilier le bail": "done", "Trouver un déménageur": "dropped"}


def test_each_part_says_of_its_own_thing_that_it_worked() -> None:
    todos = ["Umzugswagen buchen", "Jule den schlüssel geben", "Strom ummelden"]

    assert settled(todos, "umzugswagen hat geklappt, schlüssel hat jule auch") == todos[:2]


@pytest.mark.parametrize(
    ("todo", "text"),
    [
        ("Dringend n neues fahrradschloss besorgen", "fahrradschloss hab ich übrigens längst"),
        ("Comprar cajas", "las cajas las conseguí gratis en el súper"),
        ("Comprar un sofá", "el sofá ya lo tengo"),
        ("Acheter un canapé", "le canapé, je l'ai trouvé sur leboncoin"),
        ("Comprare un divano", "il divano ce l'ho"),
        ("Pagar el seguro", "el seguro lo pagué la semana pasada, se me pasó decírtelo"),
    ],
)
def test_what_one_has_or_did_a_while_ago_is_done(todo: str, text: str) -> None:
    assert settled([todo, "Llamar a la inmobiliaria", "Strom ummelden"], text) == [todo]


@pytest.mark.parametrize(
    ("todo", "text"),
    [
        ("Racheter des chaussons d'escalade", "les chaussons j'en ai plus besoin, forcément"),
        ("Trouver un déménageur", "mon père est venu avec sa camionnette, donc plus besoin de déménageur"),
        ("Ein Sofa kaufen", "das sofa brauch ich nich mehr"),
        ("Comprar cajas", "las cajas ya no hacen falta"),
        ("Comprare un divano", "il divano non mi serve più"),
    ],
)
def test_what_is_needed_no_more_is_dropped(todo: str, text: str) -> None:
    (sentence,) = read_text(text).sentences
    key = uuid4()

    assert [one.relation for one in relate_todos(sentence, {key: todo, uuid4(): "Strom ummelden"})] == [
        "dropped"
    ]


@pytest.mark.parametrize(
    ("todo", "text"),
    [
        ("Mir n sofa kaufen", "sofa hab ich noch nich"),
        ("Comprar un sofá", "el sofá lo tengo que medir"),
        ("Comprare un divano", "il divano ce l'ho da misurare"),
        ("Den Schlüssel abgeben", "den schlüssel hab ich noch im auto"),
    ],
)
def test_what_one_has_not_or_has_otherwise_is_open(todo: str, text: str) -> None:
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


def test_what_was_noted_in_another_language_is_done_where_one_alone_can_be_meant() -> None:
    todos = ["Renew my seafarer's card", "Buy new curtains", "Llamar al fontanero"]

    assert settled(todos, "La tarjeta de marino ya la renové") == ["Renew my seafarer's card"]
    assert settled(todos, "El coche ya lo lavé") == []


@pytest.mark.parametrize(
    ("todos", "text"),
    [
        (["Call the notary about the deed", "Order a lamp for the hall"], "notary sorted, hall lamp too"),
        (
            ["Die Steuer fertig haben", "Den Klempner zurückrufen"],
            "Steuer und Klempner sind natürlich längst durch",
        ),
        (
            ["Pagar el abono", "Llevar el coche al taller"],
            "lo del abono ya está resuelto. y el coche también",
        ),
        (["Rendre les clés"], "les clés c'est fait"),
        (["Order two saws", "Find a joiner"], "saws and joiner sorted weeks ago"),
        (["Buscar un gestor", "Pagar el IBI"], "gestor e IBI resueltos hace semanas"),
        (
            ["Renew the lease", "Ana needs a new helmet"],
            "lease got sorted, took ages. helmet too though it's scratched",
        ),
    ],
)
def test_what_is_over_is_told_in_the_fewest_words(todos: list[str], text: str) -> None:
    assert sorted(settled(["Mend the gate", *todos], text)) == sorted(todos)


@pytest.mark.parametrize(
    "text",
    [
        "once the notary is done we move",
        "the notary isn't done",
        "der Notar ist noch nicht durch",
        "all done!",
    ],
)
def test_what_is_not_over_yet_is_open(text: str) -> None:
    assert settled(["Call the notary about the deed", "Den Notar anrufen"], text) == []


@pytest.mark.django_db
def test_a_reflexive_verb_alone_says_that_it_is_done(scope: Team) -> None:
    hear(scope, "tengo que registrarme en Soria y renovar el carné", at=datetime.now(UTC))

    hear(scope, "ya me registré. hace un frío que pela", at=datetime.now(UTC))

    texts = {one.text: one.status for one in Todo.objects.for_tenant(scope.tenant)}
    assert [status for text, status in texts.items() if text.startswith("Registrarme")] == ["done"]
    assert [status for text, status in texts.items() if text.startswith("Renovar")] == ["open"]
