"""A short correction, set into what was said."""

from __future__ import annotations

import pytest

from nebo.reading.meaning.put_right import put_right
from nebo.reading.requests.pointers import point_out


@pytest.mark.parametrize(
    ("known", "said", "right"),
    [
        (
            "The Larkspur deadline is 5 December.",
            "ach nee, 12 December",
            "The Larkspur deadline is 12 December.",
        ),
        (
            "Vivimos en Jávea y cerramos los lunes.",
            "los lunes no, los martes",
            "Vivimos en Jávea y cerramos los martes.",
        ),
        ("The shop opens at nine.", "no, ten", "The shop opens at ten."),
        (
            "Oma Gerda kam 1950 aus Elbing nach Kiel.",
            "Oma kam nicht aus Elbing sondern aus Allenstein",
            "Oma Gerda kam 1950 aus Allenstein nach Kiel.",
        ),
        (
            "My aunt moved to Derby in 1990.",
            "she moved not to Derby but to Durham",
            "My aunt moved to Durham in 1990.",
        ),
        ("The fair is on the 9th of March.", "no sorry, the 11th", "The fair is on the 11th of March."),
        ("Booked the vet for the 12th", "no wait, the vet's on the 14th", "Booked the vet for the 14th"),
        (
            "Isla has set a date, 15 September 2035, at a church in Dingwall.",
            "we can't do the 15th any more, it's the 22nd",
            "Isla has set a date, 22nd September 2035, at a church in Dingwall.",
        ),
        ("Her therapist is called Agnes.", "not Agnes, Annis", "Her therapist is called Annis."),
        (
            "Since August the user works at the Hotel Lindner am Prater.",
            "sorry, its the Hotel Lindauer, not Lindner, i keep getting it wrong",
            "Since August the user works at the Hotel Lindauer am Prater.",
        ),
        (
            "Vivo en Albarracín, con Trasgo y 40 colmenas.",
            "perdón, 45 colmenas, compré cinco más el martes",
            "Vivo en Albarracín, con Trasgo y 45 colmenas.",
        ),
    ],
)
def test_what_is_named_takes_the_place_of_its_like(known: str, said: str, right: str) -> None:
    assert put_right(known, said) == right


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("The shop opens at nine and closes at six.", "no, ten"),
        ("The shop opens on Monday at nine.", "no, Tuesday at ten"),
        ("The shop is green.", "no, ten"),
        ("The fair is on the 9th of March.", "no, 11 people came"),
        ("Lives in Leeds.", "sorry, I mean what I said"),
        ("My dentist is called Torsten.", "sorry, Torsten, he's Danish"),
        ("My aunt Bettine paints.", "Bettine moved to Lisbon, actually"),
    ],
)
def test_where_it_may_stand_for_two_things_or_none_nothing_is_put_right(known: str, said: str) -> None:
    assert put_right(known, said) == ""


def test_who_did_it_did_what_the_todo_says_by_its_own_verb() -> None:
    assert point_out("I rang them ages ago", "Ring the ward about Jo") == "I rang the ward about Jo"
    assert point_out("I called them", "Ring the ward") == ""
    assert point_out("they rang me", "Ring the ward") == ""


def test_somebody_elses_day_is_no_day_of_the_fact() -> None:
    moving = "Bruno is moving to Cádiz on 1 August, Wiebke too."

    assert put_right(moving, "Alma's turning five on 19 August, not four any more") == ""
    assert (
        put_right(moving, "no, Bruno moves on 19 August")
        == "Bruno is moving to Cádiz on 19 August, Wiebke too."
    )


@pytest.mark.parametrize(
    ("known", "stated", "right"),
    [
        (
            "Leads six fitters, off on Mondays",
            "sorry, I said six, it's eight",
            "Leads eight fitters, off on Mondays",
        ),
        ("Ich habe vier Leute im Laden", "ich sagte vier, es sind fünf", "Ich habe fünf Leute im Laden"),
        ("Doy clase los martes", "perdona, dije martes y es jueves", "Doy clase los jueves"),
        ("La festa è il 5 maggio", "ho detto sei, è otto", ""),
    ],
)
def test_what_was_said_is_named_beside_what_it_is(known: str, stated: str, right: str) -> None:
    assert put_right(known, stated).rstrip("s") == right.rstrip("s")


@pytest.mark.parametrize(
    ("known", "stated", "right"),
    [
        ("The mural comes in phase 3 of the renovation.", "I've finished phase 1, with the plumbing", ""),
        ("The oral exam is in week 3.", "no, it's week 5", "The oral exam is in week 5."),
        ("Die Prüfung kommt in Kapitel 9.", "Kapitel 2 hab ich durch", ""),
    ],
)
def test_one_stage_is_no_other(known: str, stated: str, right: str) -> None:
    assert put_right(known, stated) == right
