"""Times as people say them, in five languages, and what they come to on the day they are said."""

from __future__ import annotations

from datetime import date

import pytest

from nebo.reading.times.calendar_words import MONTHS, WEEKDAYS, plain
from nebo.reading.times.dates import find_due, find_later, find_when, iter_when
from nebo.reading.times.day_spans import format_day

MONDAY = date(2023, 5, 8)


def due_of(text: str) -> str | None:
    when = find_due(text, MONDAY)
    return when.due.isoformat() if when and when.due else None


@pytest.mark.parametrize(
    ("text", "label", "day"),
    [
        ("yesterday", "7 May 2023", date(2023, 5, 7)),
        ("last night", "7 May 2023", date(2023, 5, 7)),
        ("the day before yesterday", "6 May 2023", date(2023, 5, 6)),
        ("last Friday", "5 May 2023", date(2023, 5, 5)),
        ("next Friday", "12 May 2023", date(2023, 5, 12)),
        ("last week", "the week before 8 May 2023", None),
        ("this past weekend", "the weekend before 8 May 2023", None),
        ("next month", "June 2023", None),
        ("Friday 5th", "5 May 2023", date(2023, 5, 5)),
        ("on the 21st of next month", "21 June 2023", date(2023, 6, 21)),
        ("am 3. nächsten Monats", "3 June 2023", date(2023, 6, 3)),
        ("el 5 del mes que viene", "5 June 2023", date(2023, 6, 5)),
        ("le 3 du mois prochain", "3 June 2023", date(2023, 6, 3)),
        ("il 3 del mese prossimo", "3 June 2023", date(2023, 6, 3)),
        ("last year", "2022", None),
        ("last winter", "winter 2022", None),
        ("last June", "June 2022", None),
        ("three days ago", "5 May 2023", date(2023, 5, 5)),
        ("five months ago", "December 2022", None),
        ("about 3 years ago", "2020", None),
        ("two weekends ago", "two weekends before 8 May 2023", None),
        ("a few weeks ago", "a few weeks before 8 May 2023", None),
        ("in two days", "10 May 2023", date(2023, 5, 10)),
        ("recently", "around May 2023", None),
        ("since last Friday", "since 5 May 2023", date(2023, 5, 5)),
        ("letzten Freitag", "5 May 2023", date(2023, 5, 5)),
        ("vorgestern", "6 May 2023", date(2023, 5, 6)),
        ("vor zwei Wochen", "two weeks before 8 May 2023", None),
        ("vor drei Tagen", "5 May 2023", date(2023, 5, 5)),
        ("seit 2019", "since 2019", None),
        ("letzten Sommer", "summer 2022", None),
        ("el viernes pasado", "5 May 2023", date(2023, 5, 5)),
        ("hace tres días", "5 May 2023", date(2023, 5, 5)),
        ("anteayer", "6 May 2023", date(2023, 5, 6)),
        ("el mes pasado", "April 2023", None),
        ("vendredi dernier", "5 May 2023", date(2023, 5, 5)),
        ("il y a deux semaines", "two weeks before 8 May 2023", None),
        ("avant-hier", "6 May 2023", date(2023, 5, 6)),
        ("l'année dernière", "2022", None),
        ("venerdì scorso", "5 May 2023", date(2023, 5, 5)),
        ("tre giorni fa", "5 May 2023", date(2023, 5, 5)),
        ("l'altro ieri", "6 May 2023", date(2023, 5, 6)),
        ("la settimana scorsa", "the week before 8 May 2023", None),
    ],
)
def test_what_is_over_is_counted_back_from_its_day(text: str, label: str, day: date | None) -> None:
    when = find_when(f"So, {text}, you see", MONDAY)

    assert when is not None
    assert (when.label, when.day) == (label, day)
    assert f"So, {text}, you see"[when.start : when.end].endswith(text[-4:])


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("see the notary on friday", "2023-05-12"),
        ("call her Friday", "2023-05-12"),
        ("hand it in on fri", "2023-05-12"),
        ("renew it before june", "2023-05-31"),
        ("have it read by the 30th", "2023-05-30"),
        ("pack next week", "2023-05-21"),
        ("answer in two weeks", "2023-05-22"),
        ("sign it by EOD tomorrow", "2023-05-09"),
        ("do it tonight", "2023-05-08"),
        ("the form's due 12/03/2027", "2027-03-12"),
        ("the form's due 2027-03-12", "2027-03-12"),
        ("due 1st march", "2024-03-01"),
        ("by EOD friday", "2023-05-12"),
        ("June 3rd is the viva", "2023-06-03"),
        ("done by the end of the month", "2023-05-31"),
        ("before the end of the week", "2023-05-14"),
        ("Monday next week", "2023-05-15"),
        ("need the visa by june", "2023-06-01"),
        ("clear the loft this weekend", "2023-05-14"),
        ("Abgabe am 3. Juni", "2023-06-03"),
        ("bis zum 20. Bescheid geben", "2023-05-20"),
        ("bis nächsten Dienstag", "2023-05-09"),
        ("übermorgen abholen", "2023-05-10"),
        ("morgen früh anrufen", "2023-05-09"),
        ("bis Ende des Monats kündigen", "2023-05-31"),
        ("spätestens am 30. zahlen", "2023-05-30"),
        ("vor Weihnachten verschicken", "2023-12-24"),
        ("Freitagabend einkaufen", "2023-05-12"),
        ("in drei Wochen", "2023-05-29"),
        ("am 20.5. zum Amt", "2023-05-20"),
        ("übernächste Woche", "2023-05-28"),
        ("el 12 de junio", "2023-06-12"),
        ("antes del viernes", "2023-05-11"),
        ("pasado mañana", "2023-05-10"),
        ("mañana por la mañana", "2023-05-09"),
        ("la semana que viene", "2023-05-21"),
        ("pagarlo el 15", "2023-05-15"),
        ("antes del 20", "2023-05-19"),
        ("hasta el 20", "2023-05-20"),
        ("a finales de mayo", "2023-05-31"),
        ("dentro de tres días", "2023-05-11"),
        ("jusqu'au 20", "2023-05-20"),
        ("avant jeudi", "2023-05-10"),
        ("d'ici la fin du mois", "2023-05-31"),
        ("après-demain", "2023-05-10"),
        ("le 1er juin", "2023-06-01"),
        ("samedi prochain", "2023-05-13"),
        ("ce soir", "2023-05-08"),
        ("d'ici deux jours", "2023-05-10"),
        ("entro venerdì", "2023-05-12"),
        ("dopodomani", "2023-05-10"),
        ("entro fine mese", "2023-05-31"),
        ("prima di giovedì", "2023-05-10"),
        ("entro giugno", "2023-06-30"),
        ("tra un mese", "2023-06-08"),
        ("il 12 giugno", "2023-06-12"),
    ],
)
def test_a_deadline_is_the_last_day_that_is_in_time(text: str, due: str) -> None:
    assert due_of(text) == due


@pytest.mark.parametrize(
    "text",
    [
        "I swim every friday",
        "jeden Freitag zum Chor",
        "todos los viernes",
        "le lundi je nage",
        "il lunedì vado in palestra",
        "Good morning, guten Morgen",
        "trabajo por la mañana",
        "ich wohne hier",
        "I may go",
        "march on the spot",
        "the 2nd time and the 3rd floor",
        "be home by 5",
        "I have 3. And you?",
        "in the sun",
        "call me after Friday",
        "I've been here since Monday",
        "pay the invoice of 3 June",
        "die Rechnung vom 3. Juni",
        "la factura del 3 de junio",
        "what she said yesterday",
        "am 31. Juni",
        "hoy en día todo es caro",
    ],
)
def test_what_is_no_deadline_is_none(text: str) -> None:
    assert due_of(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "thank Rosa for the party she gave in May",
        "send back the lamp that came on Friday",
        "answer the letter I got on Friday",
        "return the book my sister lent me in June",
        "fix the fence the storm blew over in June",
        "die Lampe zurückschicken, die am Freitag kam",
        "das Fest bezahlen, das sie im Juni gegeben hat",
        "devolver la lámpara que llegó el viernes",
        "agradecer la cena que ha dado en junio",
        "renvoyer la lampe qui est arrivée vendredi",
        "restituire il libro che ha comprato venerdì",
    ],
)
def test_the_day_of_something_that_happened_is_no_deadline(text: str) -> None:
    assert due_of(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "get the car serviced on Friday",
        "I said I'd call on Friday",
        "I promised to call Rosa on Friday",
        "hand in the essay I wrote by Friday",
        "send the letter before she was due, on Friday",
        "return the lamp that broke, on Friday",
        "Ich muss die Lampe, die kaputt ist, am Freitag zurückbringen",
        "tengo que devolver la lámpara el viernes",
        "il faut que je rende la lampe vendredi",
    ],
)
def test_a_deadline_behind_something_that_happened_is_still_one(text: str) -> None:
    assert due_of(text) == "2023-05-12"


def test_a_bare_weekday_points_the_way_it_is_asked() -> None:
    past, ahead = find_when("on Friday", MONDAY), find_when("on Friday", MONDAY, future=True)

    assert past is not None
    assert ahead is not None
    assert (past.day, ahead.day) == (date(2023, 5, 5), date(2023, 5, 12))


def test_the_deadline_is_told_from_another_day_beside_it() -> None:
    assert due_of("I'm away tomorrow so the report has to be in by thursday") == "2023-05-11"
    assert due_of("the photos from last weekend, send them on Saturday") == "2023-05-13"


def test_a_date_that_names_its_year_is_complete() -> None:
    whole, half = find_when("3 June 2027", MONDAY), find_when("3 June", MONDAY)

    assert whole is not None
    assert half is not None
    assert (whole.is_complete, half.is_complete) == (True, False)


def test_every_time_of_a_text_is_found_in_its_order() -> None:
    labels = [when.label for when in iter_when("yesterday Rome, tomorrow Oslo", MONDAY)]

    assert labels == ["7 May 2023", "9 May 2023"]


def test_without_a_day_nothing_is_resolved() -> None:
    assert find_when("yesterday", None) is None


def test_the_last_days_of_a_leap_year_and_of_the_calendar_are_no_trouble() -> None:
    assert due_of("on 29 February") == "2024-02-29"
    assert find_when("next year", date(9999, 12, 31), future=True) is None
    assert format_day(date(2024, 2, 29)) == "29 February 2024"


@pytest.mark.parametrize("names", [*MONTHS, *WEEKDAYS])
def test_folding_keeps_every_letter_where_it_was(names: str) -> None:
    assert len(plain(names)) == len(names)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("not tomorrow, Monday instead", date(2023, 5, 15)),
        ("she gets it a week later", date(2023, 5, 16)),
        ("dos días más tarde", date(2023, 5, 11)),
        ("vom 9. auf den 17. verschoben", date(2023, 5, 17)),
        ("jetzt erst do 18.", date(2023, 5, 18)),
        ("erst nächstes Wochenende, also Samstag 20.", date(2023, 5, 20)),
        ("some other time", None),
    ],
)
def test_what_is_put_off_is_due_later_than_it_was(text: str, day: date | None) -> None:
    assert find_later(text, MONDAY, than=date(2023, 5, 9)) == day


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("take Biscuit to the vet on Thursday at 3", "2023-05-11"),
        ("ring the bank on Friday, at 10", "2023-05-12"),
        ("rendez-vous jeudi à 3", "2023-05-11"),
        ("take Biscuit to the vet on Thursday the 18th", "2023-05-18"),
        ("ring the bank at 3", None),
    ],
)
def test_what_stands_behind_at_is_an_hour(text: str, due: str | None) -> None:
    assert due_of(text) == due


def test_somebodys_last_day_is_not_yesterday() -> None:
    assert list(iter_when("my last day at the bakery was hard", MONDAY)) == []
