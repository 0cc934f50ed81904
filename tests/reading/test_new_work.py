"""The day from which somebody works elsewhere, told beforehand; what else begins or is left is none."""

from __future__ import annotations

from datetime import date

import pytest

from nebo.reading.meaning.reader import read_text
from nebo.reading.relations.judging import CLEAR, judge
from nebo.reading.relations.new_work import (
    find_change_of_work,
    find_closing,
    is_own_work,
    names_the_same,
    names_what_closes,
)

SAID = date(2031, 2, 10)


def days(text: str) -> list[date]:
    found = (find_change_of_work(sentence, SAID) for sentence in read_text(text).sentences)
    return [day for day in found if day]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("From 1 April I'm at the Children's Hospital, paediatric physio", date(2031, 4, 1)),
        (
            "I start at the Industriemuseum on 1 July, so the workshop closes at the end of June",
            date(2031, 7, 1),
        ),
        ("I've been hired by Siemens from March", date(2031, 3, 1)),
        ("They took me on at the library from Monday", date(2031, 2, 17)),
        ("i handed in my notice at the bakery, last day is 30 june", date(2031, 6, 30)),
        ("ab oktober mach ich ne ausbildung zum pfleger, an der uniklinik göttingen", date(2031, 10, 1)),
        ("ab 1. Dezember bin ich bei Tjark, Solar", date(2031, 12, 1)),
        ("dejo el despacho en septiembre", date(2031, 9, 1)),
        ("je commence chez Renault en mars", date(2031, 3, 1)),
        ("inizio a lavorare alla Fiat a giugno", date(2031, 6, 1)),
    ],
)
def test_the_day_of_a_new_job_is_found(text: str, day: date) -> None:
    assert days(text) == [day]


def test_what_is_packed_in_ends_at_once_whatever_begins_later() -> None:
    assert days("I've packed teaching in, I start as a data analyst at the council on Monday") == [SAID]
    assert days("I packed the books in boxes, I start at the council on Monday") != [SAID]


@pytest.mark.parametrize(
    "text",
    [
        "I'm starting at the gym on Monday",
        "I start my diet on Monday",
        "from 1 May I'm on holiday in Spain",
        "I got the job done on Monday",
        "I'm leaving for Spain on 3 June",
        "I'm starting a podcast in March",
        "I quit the choir in June",
        "my sister starts at Siemens in May",
        "from Monday I'm in Berlin for a conference",
        "ab Oktober mach ich einen Spanischkurs an der VHS",
        "ich hör ab März mit dem Rauchen auf",
        "empiezo clases de yoga en marzo",
        "dejo el tabaco en enero",
    ],
)
def test_what_else_begins_or_is_left_is_no_change_of_work(text: str) -> None:
    assert days(text) == []


def test_only_where_somebody_works_is_over_with_a_job() -> None:
    assert is_own_work("I'm a physio at the Kingsdown clinic in Bristol", "work")
    assert is_own_work("Dilys teaches chemistry at a comp in Ludlow.", "education")
    assert is_own_work("Ich arbeite als Krankenschwester im Klinikum Kassel.", "work")
    assert is_own_work("Bruno is a second engineer on a container ship.", "work")
    assert not is_own_work("Ich arbeite als Lehrerin in Kassel.", "work")
    assert not is_own_work("Ich bin Buchbinderin aus Lübeck.", "work")
    assert not is_own_work("Studies law at Leeds", "education")
    assert not is_own_work("Works at the bar on the side", "work")


def test_who_rises_where_they_work_stays_there() -> None:
    assert names_the_same("Works at Siemens", "From May I'm head of sales at Siemens")
    assert not names_the_same("Works at Siemens", "From May I'm at Bosch")


def test_what_closes_is_named_by_its_noun() -> None:
    (sentence,) = read_text(
        "I start at the museum on 1 July, so the workshop closes at the end of June"
    ).sentences

    assert find_closing(sentence) == "workshop"
    assert names_what_closes("Runs a tiny workshop behind the church.", sentence)
    assert not names_what_closes("Runs a choir.", sentence)


@pytest.mark.parametrize(
    "text",
    [
        "started on Monday at Havelock Rail, signal boxes instead of buses",
        "I've just started as a welder at the shipyard",
        "hab letzte Woche bei der Müllabfuhr angefangen",
        "he empezado de conserje en un colegio",
        "die Gärtnerei hab ich gekündigt, der Rücken",
        "und die Apotheke hab ich zum 31.1. gekündigt, das Knie",
        "last day at the dairy was Friday",
    ],
)
def test_what_has_begun_or_been_left_already_ends_the_old_work_at_once(text: str) -> None:
    assert days(text) == [SAID]


@pytest.mark.parametrize(
    "text",
    [
        "I started at the gym last week",
        "started with the piano on Monday",
        "die Wohnung hab ich gekündigt",
        "hab mit dem Klettern angefangen",
        "last day in Spain was lovely",
        "my sister started at Siemens",
    ],
)
def test_what_else_has_begun_ends_no_work(text: str) -> None:
    assert days(text) == []


def test_the_day_of_a_job_told_by_its_day_alone() -> None:
    assert days("got it! start the 3rd of march, trainee bus driver") == [date(2031, 3, 3)]
    assert days("Start 1. März, Hausmeister im Rathaus") == [date(2031, 3, 1)]


@pytest.mark.parametrize(
    ("known", "said", "is_over"),
    [
        ("The user is a junior tailor at Rook & Sons.", "I'm senior tailor as of today", True),
        ("The user is a trainee florist.", "I'm head florist now", True),
        ("The user is a junior tailor.", "my boss is a senior tailor", False),
        ("The user is a junior tailor.", "I want to be a senior tailor one day", False),
    ],
)
def test_who_rises_is_no_longer_what_they_were(known: str, said: str, is_over: bool) -> None:
    kind, chance = judge(known, read_text(said).sentences[0])

    assert (kind in ("changes", "ends") and chance >= CLEAR) is is_over
