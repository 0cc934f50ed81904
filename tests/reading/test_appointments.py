"""Appointments that people tell of, and the day on which they are."""

from datetime import date

import pytest

from nebo.reading.meaning.reader import read_text
from nebo.reading.requests.appointments import find_appointment

SAID = date(2031, 12, 3)


@pytest.mark.parametrize(
    "text, act, day",
    [
        ("booked the dentist for the 12th", "Booked the dentist", 12),
        ("no wait dentist is the 14th", "Dentist", 14),
        ("I have an essay on fractions due 16 December, 2000 words", "Essay on fractions", 16),
        ("nein, Zahnarzt ist am 14.", "Zahnarzt", 14),
        ("no, espera, el dentista es el 14", "El dentista", 14),
    ],
)
def test_an_appointment_has_its_day(text: str, act: str, day: int) -> None:
    (sentence,) = read_text(text).sentences

    found = find_appointment(sentence, SAID)

    assert found is not None
    assert (found.text, found.due) == (act, date(2031, 12, day))


@pytest.mark.parametrize(
    "text",
    [
        "Paid the rent on the 1st",
        "I saw the dentist on the 12th",
        "my sister has the dentist on Friday",
        "the film comes out on the 12th",
        "booked the dentist",
        "my birthday is on the 12th",
        "I have a baby due 16 December",
        "so i'm leaving Harlow at the end of December",
        "ich kündige am 31. Dezember",
    ],
)
def test_what_is_over_or_anothers_is_none(text: str) -> None:
    (sentence,) = read_text(text).sentences

    assert find_appointment(sentence, SAID) is None
