"""What a relative time comes to stands beside it in the language of the sentence."""

from datetime import date

import pytest

from nebo.reading.facts.day_labels import label_in, with_day

SAID = date(2026, 3, 2)  # a Monday


@pytest.mark.parametrize(
    "said, told",
    [
        ("I moved last week", "I moved last week (the week before 2 March 2026)"),
        ("Wir sind letzte Woche umgezogen", "Wir sind letzte Woche (die Woche vor dem 2. März 2026) umgezogen"),
        ("Ich habe vor zwei Wochen gekündigt", "Ich habe vor zwei Wochen (zwei Wochen vor dem 2. März 2026) gekündigt"),
        ("Ayer firmé el contrato", "Ayer (1 de marzo de 2026) firmé el contrato"),
        ("Me mudé la semana pasada", "Me mudé la semana pasada (la semana antes del 2 de marzo de 2026)"),
        ("Hier j'ai signé le bail", "Hier (1 mars 2026) j'ai signé le bail"),
        ("La settimana scorsa ho cambiato lavoro",
         "La settimana scorsa (la settimana prima del 2 marzo 2026) ho cambiato lavoro"),
    ],
)  # fmt: skip
def test_a_day_stands_beside_a_relative_time(said: str, told: str) -> None:
    assert with_day(said, SAID) == told


@pytest.mark.parametrize(
    "label, told",
    [
        ("March 2026", "März 2026"),
        ("around March 2026", "etwa März 2026"),
        ("the weekend of 7 March 2026", "das Wochenende am 7. März 2026"),
        ("a few weeks before 8 May 2026", "einige Wochen vor dem 8. Mai 2026"),
        ("the end of May 2026", "Ende Mai 2026"),
        ("2025", "2025"),
        ("spring 2026", "spring 2026"),
        ("by 8 May 2026", "by 8 May 2026"),
    ],
)
def test_a_form_that_is_not_known_stays(label: str, told: str) -> None:
    assert label_in(label, "de") == told
    assert label_in(label, "en") == label
