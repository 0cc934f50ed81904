"""What somebody can't have any more is kept, though it sounds like something that ended."""

from __future__ import annotations

import pytest

from nebo.reading.facts.intolerances import cannot_have
from nebo.reading.facts.statements import is_worth_keeping
from nebo.reading.meaning.reader import read_text


@pytest.mark.parametrize(
    "said",
    [
        "i can't eat shellfish any more, says the doctor",
        "I'm not allowed to drink coffee these days",
        "ich vertrag leider keinen Weizen mehr, meint die Ärztin",
        "Nüsse vertrage ich überhaupt nicht",
        "ich darf keinen Zucker mehr essen",
        "ya no puedo comer marisco, dice el médico",
        "je ne supporte plus le gluten",
        "non posso più mangiare latticini",
    ],
)
def test_what_somebody_cannot_have_any_more_is_worth_keeping(said: str) -> None:
    assert any(map(is_worth_keeping, read_text(said).sentences))


@pytest.mark.parametrize(
    "said",
    [
        "i can't eat any more, that was huge",
        "I can't have this argument any more",
        "I can't drink another drop",
        "ich kann nicht mehr",
        "ich vertrage mich mit Jonas",
        "my dog can't eat chocolate",
        "ya no puedo más",
    ],
)
def test_who_is_full_or_tired_or_another_is_not_meant(said: str) -> None:
    assert not any(map(cannot_have, read_text(said).sentences))
