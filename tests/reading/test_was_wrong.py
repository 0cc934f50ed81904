"""That something known was wrong is told by its matter alone, in few words; look-alikes end nothing."""

from __future__ import annotations

import pytest

from nebo.reading.meaning.reader import read_text
from nebo.reading.relations.judging import CLEAR, judge


def ends(known: str, said: str) -> bool:
    found = [judge(known, one) for one in read_text(said).sentences]
    return any(kind in ("ends", "changes") and chance >= CLEAR for kind, chance in found)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("Joan is allergic to latex, found out in hospital.", "the latex thing was nonsense, it's the powder"),
        ("Joan is allergic to latex.", "latex is fine after all"),
        ("Joan can't have peanuts.", "turns out i can eat peanuts again"),
        ("Joan: Ich bin allergisch gegen Nüsse, also bitte aufpassen.", "das mit den Nüssen stimmt doch nicht"),
        ("Joan: Ich vertrag keinen Sellerie.", "Sellerie vertrag ich doch"),
        ("Joan: Soy alérgica a la penicilina.", "lo de la penicilina era falsa alarma"),
        ("Joan is vegan since 2019 so that's never going to happen.", "im not vegan any more, i eat eggs now"),
    ],
)  # fmt: skip
def test_what_was_wrong_is_over(known: str, said: str) -> None:
    assert ends(known, said)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("Joan is allergic to latex.", "the latex gloves are fine"),
        ("Joan is allergic to peanuts.", "I can eat a few peanuts if they are roasted"),
        ("Joan works at Penrose.", "the Penrose thing was a pain"),
        ("Joan: Ich vertrag keinen Sellerie.", "das mit dem Hund war Quatsch"),
        ("Joan: Soy alérgica a la penicilina.", "lo de la mudanza era mentira"),
        ("Joan isn't vegan.", "I'm not vegan"),
    ],
)
def test_what_is_about_something_else_ends_nothing(known: str, said: str) -> None:
    assert not ends(known, said)


@pytest.mark.parametrize(
    ("known", "stated", "is_over"),
    [
        ("The user is allergic to strawberries.", "es sind gar nicht die Erdbeeren", True),
        ("The user is allergic to shellfish.", "al final los mariscos no eran, puedo comerlos", True),
        ("The user is allergic to penicillin.", "es sind gar nicht die Erdbeeren", False),
        ("The user is allergic to shellfish.", "no son los vecinos los que hacen ruido", False),
        ("The user has a cat.", "es sind gar nicht die Erdbeeren", False),
    ],
)
def test_what_was_not_it_is_told_in_any_language(known: str, stated: str, is_over: bool) -> None:
    kind, chance = judge(known, read_text(stated).sentences[0])

    assert (kind in ("changes", "ends") and chance >= CLEAR) is is_over
