"""Of a request to forget, the clause that asks is read; why somebody asks names nothing that is meant."""

from __future__ import annotations

import pytest

from nebo.reading.forgetting.clause import without_reasons
from nebo.reading.meaning.reader import read_text


def asked(said: str) -> str:
    return without_reasons(read_text(said).sentences[-1]).text


@pytest.mark.parametrize(
    ("said", "clause"),
    [
        (
            "Moira apologised, we're fine again, please forget that row about the house",
            "please forget that row about the house",
        ),
        ("Olvida lo de la bronca con Nando, fue una tontería", "Olvida lo de la bronca con Nando"),
        ("Please forget that, she told me in confidence.", "Please forget that"),
        ("Vergiss das bitte, das war nur ein Scherz.", "Vergiss das bitte"),
        ("Vergiss bitte die Sache mit Frau Polat, alles ist gut", "Vergiss bitte die Sache mit Frau Polat"),
    ],
)
def test_reasons_before_and_behind_a_request_are_cut_off(said: str, clause: str) -> None:
    assert asked(said) == clause


@pytest.mark.parametrize(
    "said",
    [
        "Please forget my address, my phone number and my email",
        "forget everything about Tom, Anna and the boat, please",
        "Please forget that row about the house",
    ],
)
def test_a_list_and_a_plain_request_stay_whole(said: str) -> None:
    assert asked(said) == said
