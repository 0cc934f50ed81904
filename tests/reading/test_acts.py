"""What says that one did what was to be done, and what tells somebody else's act."""

from __future__ import annotations

import pytest

from nebo.reading.requests.acts import (
    is_done_for_me,
    is_others_act,
    is_settled,
    names_matter,
    says_done,
    tells_caused,
    tells_of_oneself,
    tells_own_act,
)


@pytest.mark.parametrize(
    ("todo", "text"),
    [
        ("Send Blumen Kessler the deposit", "deposit sent to the florist!"),
        ("Send the landlord the meter readings", "meter readings went off ages ago"),
        ("Send the subs", "Subs are in."),
        ("Den Keller aufräumen", "der Keller ist aufgeräumt"),
        ("Die GEZ kündigen", "GEZ hab ich gekündigt"),
        ("Pagar el alquiler", "el alquiler está pagado"),
        ("Appeler le notaire", "j'ai appelé le notaire"),
    ],
)
def test_the_past_of_its_verb_beside_what_it_names_says_a_todo_done(todo: str, text: str) -> None:
    assert says_done(text, todo)


@pytest.mark.parametrize(
    ("todo", "text"),
    [("Call the plumber", "I should call the plumber"), ("Buy bread", "the bread here is terrible")],
)
def test_neither_its_verb_nor_what_it_names_is_enough(todo: str, text: str) -> None:
    assert not says_done(text, todo)


@pytest.mark.parametrize(
    ("todo", "text"),
    [
        ("Send the florist the deposit", "the florist sent the deposit back"),
        ("Oma anrufen", "Oma hat angerufen"),
        ("Tell Rosa about the meeting", "Rosa told me about the meeting"),
        ("Comprare il regalo per Giulia", "Giulia ha preso un regalo per noi"),
    ],
)
def test_what_the_one_it_is_about_did_is_their_own_act(todo: str, text: str) -> None:
    assert is_others_act(text, todo)


@pytest.mark.parametrize(
    ("todo", "text"),
    [
        ("Get the plumber to fix the sink", "the plumber fixed the sink"),
        ("Send the invoice to Halvard", "halvard has his invoice now"),
        ("Send the florist the deposit", "deposit sent to the florist"),
        ("Pay the rent", "the rent has been paid"),
    ],
)
def test_what_was_brought_about_is_nobody_elses_act(todo: str, text: str) -> None:
    assert not is_others_act(text, todo)


def test_an_own_act_without_a_time_is_this_one() -> None:
    assert tells_own_act("hab gerade den Rasen gemäht", "Den Rasen mähen")
    assert not tells_own_act("I called the plumber in 2019", "Call the plumber")


def test_what_somebody_feels_is_no_doing_of_theirs() -> None:
    assert tells_of_oneself("I got bread on the way home")
    assert not tells_of_oneself("I love my dentist")


@pytest.mark.parametrize(
    ("todo", "text"),
    [
        ("Get Anwen's eyes tested some time", "had Anwen's eyes tested, she needs glasses"),
        ("Have the boiler serviced", "we've finally had the boiler serviced"),
        ("Get my hair cut", "got my hair cut"),
    ],
)
def test_what_one_had_others_do_is_done(todo: str, text: str) -> None:
    assert tells_caused(text, todo)
    assert tells_own_act(text, todo)


@pytest.mark.parametrize(
    ("todo", "text"),
    [
        ("Get Anwen's eyes tested", "had Huw's eyes tested"),
        ("Get Anwen's eyes tested", "had meant to have Anwen's eyes tested"),
        ("Get Anwen's eyes tested", "had a lovely day with Anwen, her eyes are so blue"),
        ("Get the car washed", "my brother had the car washed"),
        ("Get the car washed", "I have to get the car washed"),
    ],
)
def test_what_others_had_done_or_something_else_is_not(todo: str, text: str) -> None:
    assert not tells_caused(text, todo)


def test_what_one_had_done_at_another_time_needs_more_than_its_words() -> None:
    assert not tells_own_act("I had the roof fixed in 2019", "Get the roof fixed")


@pytest.mark.parametrize(
    ("todo", "text"),
    [
        ("Nachthemden kaufen", "nachthemden hat mir werner gekauft"),
        ("Comprar cuerdas", "las cuerdas me las ha comprado mi padre"),
        ("Acheter des chaussures", "mon mari m'a acheté des chaussures"),
    ],
)
def test_what_another_did_for_one_is_done(todo: str, text: str) -> None:
    assert is_done_for_me(text, todo)


@pytest.mark.parametrize(
    ("todo", "text"),
    [
        ("Oma anrufen", "Oma hat mich angerufen"),
        ("Nachthemden für die Reha kaufen", "Werner hat mir Nachthemden gezeigt"),
        ("Winterreifen bestellen", "Werner hat mir Blumen bestellt"),
    ],
)
def test_what_another_did_otherwise_settles_nothing(todo: str, text: str) -> None:
    assert not is_done_for_me(text, todo)


def test_what_is_to_be_done_counts_before_for_whom() -> None:
    assert names_matter("Karten für Schalke besorgen", "karten hab ich gekriegt")
    assert not names_matter("Karten für Schalke besorgen", "Schalke hat gewonnen")


def test_what_is_on_its_way_or_what_one_is_now_is_settled() -> None:
    assert is_settled("We're registered at the Collingwood practice, finally", "Register us with a GP")
    assert is_settled("The form went in, they paid up", "Do a form for the sick pay")
    assert not is_settled("The form went in the bin", "Do a form for the sick pay")
    assert not is_settled("The payslips are in the drawer", "Send the payslips")
    assert not is_settled("We're registered at the Collingwood practice", "Register the car")
