"""What somebody still has to do: that a sentence says so, and the act in its words."""

from __future__ import annotations

from datetime import date

import pytest

from nebo.reading.meaning.reader import read_text
from nebo.reading.requests.todos import FoundTodo, act_of, find_todo, find_todos
from nebo.reading.times.dates import find_due
from nebo.reading.wording.named_thing import name_thing

TODAY = date(2031, 3, 5)


def find(text: str) -> list[FoundTodo]:
    return [found for one in read_text(text).sentences if (found := find_todo(one, TODAY))]


@pytest.mark.parametrize(
    "text, act",
    [
        ("gotta get the boiler serviced", "Get the boiler serviced"),
        ("I'll send you the file tonight", "Send you the file"),
        ("need to water the plants", "Water the plants"),
        ("I have to water the neighbour's tomatoes.", "Water the neighbour's tomatoes"),
        ("Den TÜV für den Bulli muss ich auch noch machen lassen", "Den TÜV für den Bulli machen lassen"),
        ("Erinnere mich daran, dass ich die Steuererklärung abgeben muss.", "Die Steuererklärung abgeben"),
        ("mi devi ricordare di pagare il commercialista", "Pagare il commercialista"),
    ],
)
def test_words_that_lead_up_to_an_act_make_up_for_some_doubt(text: str, act: str) -> None:
    assert [found.text for found in find(text)] == [act]


@pytest.mark.parametrize(
    "text",
    [
        "I'll see you tonight",
        "I'm going to be a grandmother",
        "I have to say that was fun",
        "Do I have to sign this?",
        "My sister has to see her dentist",
        "I have to get up at six every day",
    ],
)
def test_the_same_words_without_a_thing_to_do_make_none(text: str) -> None:
    assert find(text) == []


@pytest.mark.parametrize(
    ("text", "act", "due"),
    [
        ("next week i have to hand in my grades by friday", "Hand in my grades", date(2026, 12, 4)),
        ("Den Keller bis übermorgen aufräumen", "Den Keller aufräumen", date(2026, 11, 25)),
        ("nächste Woche muss ich bis Freitag die Noten abgeben", "Die Noten abgeben", date(2026, 12, 4)),
        ("Book the ferry before midsummer", "Book the ferry", date(2027, 6, 23)),
        ("call Ana by friday", "Call Ana", date(2026, 11, 27)),
    ],
)
def test_a_day_within_the_words_is_found_and_leaves_the_act(text: str, act: str, due: date) -> None:
    when = find_due(text, date(2026, 11, 23))  # a Monday

    assert when is not None and when.due == due
    assert act_of(text, when) == act


@pytest.mark.parametrize(
    ("text", "acts"),
    [
        (
            "I have to register with a doctor, and get the deposit back from Mr Whitmore.",
            ["Register with a doctor", "Get the deposit back from Mr Whitmore"],
        ),
        (
            "and I have to tell the gas people, and find someone to take the piano",
            ["Tell the gas people", "Find someone to take the piano"],
        ),
        ("I must ring mum, pay the rent and book a table.", ["Ring mum", "Pay the rent", "Book a table"]),
        (
            "Ich muss im Klinikum kündigen, eine Schule für Jonte finden und einen Umzugswagen mieten.",
            ["Im Klinikum kündigen", "Eine Schule für Jonte finden", "Einen Umzugswagen mieten"],
        ),
        (
            "Tengo que dar de alta la luz y contratar internet.",
            ["Dar de alta la luz", "Contratar internet"],
        ),
        ("Devo chiamare il medico e comprare il pane.", ["Chiamare il medico", "Comprare il pane"]),
    ],
)
def test_each_thing_to_do_is_one_of_its_own(text: str, acts: list[str]) -> None:
    found = [todo for one in read_text(text).sentences for todo in find_todos(one, TODAY)]

    assert [todo.text for todo in found] == acts


@pytest.mark.parametrize(
    "text",
    [
        "Remind me to buy bread and milk.",
        "Ich muss noch Brot und Milch kaufen.",
        "I need to write and send the letter to Ana.",
        "I have to pick up Tom and Ana at five.",
    ],
)
def test_one_thing_to_do_with_several_stays_one(text: str) -> None:
    assert len([todo for one in read_text(text).sentences for todo in find_todos(one, TODAY)]) == 1


def test_each_of_several_has_its_own_day_or_that_of_all() -> None:
    told = (
        "I need to call the vet tomorrow and finish the report by Friday. "
        "I must pay the rent and book a table by Friday."
    )
    found = [todo for one in read_text(told).sentences for todo in find_todos(one, TODAY)]

    assert [(todo.text, todo.due) for todo in found] == [
        ("Call the vet", date(2031, 3, 6)),
        ("Finish the report", date(2031, 3, 7)),
        ("Pay the rent", date(2031, 3, 7)),
        ("Book a table", date(2031, 3, 7)),
    ]


def test_what_is_taken_back_in_the_same_breath_is_no_todo() -> None:
    taken_back, led = (
        read_text(text).sentences[0]
        for text in ("book the ferret a vet appointment lol no thats Priscillas job", "I've to book the van")
    )

    assert not find_todos(taken_back, date(2031, 5, 19))
    assert [todo.text for todo in find_todos(led, date(2031, 5, 19))] == ["Book the van"]


@pytest.mark.parametrize(
    ("text", "acts"),
    [
        (
            "faut que je prenne rdv chez l'ophtalmo et que je rende les bulletins avant le 25 janvier",
            ["Prendre rdv chez l'ophtalmo", "Rendre les bulletins"],
        ),
        (
            "il faut que je résilie le bail et que je trouve un déménageur",
            ["Résilier le bail", "Trouver un déménageur"],
        ),
        ("faut aussi que je rachète des chaussons d'escalade", ["Racheter des chaussons d'escalade"]),
        (
            "muss noch: umzugswagen buchen, strom ummelden, jule den schlüssel geben",
            ["Umzugswagen buchen", "Strom ummelden", "Jule den schlüssel geben"],
        ),
    ],
)
def test_each_act_is_one_as_somebody_would_note_it(text: str, acts: list[str]) -> None:
    (sentence,) = read_text(text).sentences

    assert [found.text for found in find_todos(sentence, TODAY)] == acts


@pytest.mark.parametrize(
    ("text", "acts"),
    [
        (
            "Ed needs new boots by monday, and I have to renew the van insurance before the 20th",
            ["Ed needs new boots", "Renew the van insurance"],
        ),
        (
            "can you remind me I need to ring the vet, and get a card for Ana",
            ["Ring the vet", "Get a card for Ana"],
        ),
        ("I've got to invoice the council and find a plumber", ["Invoice the council", "Find a plumber"]),
        ("ich muss die Oma anrufen und ich muss noch Milch kaufen", ["Die Oma anrufen", "Milch kaufen"]),
        ("tengo que llamar al banco y también tengo que comprar pan", ["Llamar al banco", "Comprar pan"]),
        ("If it rains, I have to call the roofer", []),
    ],
)
def test_a_clause_that_is_led_up_to_by_itself_is_one_of_its_own(text: str, acts: list[str]) -> None:
    found = [todo.text for one in read_text(text).sentences for todo in find_todos(one, TODAY)]

    assert found == acts


@pytest.mark.parametrize(
    "text",
    [
        "Did my knee in at football, so im out till june, scan on the 3rd",
        "went to the council about the permit, they said come back friday",
        "I'll be off for six weeks after that",
    ],
)
def test_what_somebody_did_or_will_be_is_nothing_to_do(text: str) -> None:
    assert [todo for one in read_text(text).sentences for todo in find_todos(one, TODAY)] == []


def test_what_is_to_be_remembered_and_what_is_to_be_done_of_it_are_two() -> None:
    said = "Remember that my dad Olaf would love a new fishing rod, I want to buy one before Friday."

    note, errand = read_text(said).sentences

    assert note.meaning.is_sure("remember")
    assert [todo.text for todo in find_todos(errand, date(2026, 3, 2))] == ["Buy a new fishing rod"]


def test_one_is_what_the_clause_before_names() -> None:
    assert name_thing("We need a new boiler", "I have to order one by Friday") == (
        "I have to order a new boiler by Friday"
    )
    assert name_thing("My sister has two kids", "I have to ring one of them") == "I have to ring one of them"
    assert name_thing("She wants a bike", "I have to fix one thing") == "I have to fix one thing"
