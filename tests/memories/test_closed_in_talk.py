"""What ordinary, hasty talk leaves behind: old work, an old home, a diet, whom somebody has lost."""

from __future__ import annotations

from datetime import timedelta

import pytest

from memories.models import Memory
from personality.personas.editing import ensure_default_persona
from tests.conftest import Team
from tests.memories.conftest import SAID, hear, live

pytestmark = pytest.mark.django_db
LATER = SAID + timedelta(days=90)
# So much else is known that what is meant must be looked for.
BESIDE = (
    "My car is a blue Skoda.",
    "I play the tuba in a brass band.",
    "My flatmate Ulla paints boats.",
    "I have a dentist I like in Jever.",
    "My favourite soup is borscht.",
)


@pytest.mark.parametrize(
    ("told", "then", "over"),
    [
        ("i mend nets on the trawler Gesine, out of Büsum",
         "started on Monday at Havelock Rail, signals instead of nets",
         "nets on the trawler"),
        ("home situation: im in a tiny flat in norden with my sister tomma",
         "i live in leer now too, attic flat, since June",
         "norden"),
        ("im vegan since school so thats not changing",
         "im not vegan any more, since the new job i eat eggs", "vegan since school"),
        ("meine mutter, gundula, ist im heim in Verden", "mama ist am 3. Mai gestorben", "heim in Verden"),
        ("im allergic to penicillin, learned that in hospital",
         "das mit penicillin war quatsch, ist getestet: es ist amoxicillin",
         "is allergic to penicillin"),
        ("ich bin 33 und komm aus Fürth", "ich hab gesagt ich bin 33, bin aber 34 seit Juni", "bin 33"),
        ("ich bin 51, komm aus Fürth, hab zwei Hunde",
         "ich hab übrigens gesagt ich bin 51, bin aber 52 seit 3. August", "bin 51"),
    ],
)  # fmt: skip
def test_what_is_over_is_told_no_longer(scope: Team, told: str, then: str, over: str) -> None:
    for text in (told, *BESIDE):
        hear(scope, text)
    assert any(over in one.value for one in live(scope))

    hear(scope, then, at=LATER, thorough=True)

    assert not any(over in one.value for one in live(scope))
    assert len(live(scope)) >= len(BESIDE)


def test_what_was_told_in_confidence_is_over_as_well(scope: Team) -> None:
    hear(scope, "I smoke a pipe on the balcony.")
    default = ensure_default_persona(tenant=scope.tenant)
    Memory.objects.for_tenant(scope.tenant).update(persona=default)

    hear(scope, "I don't smoke any more, not even the pipe.", at=LATER, thorough=True)

    assert not any("smokes a pipe" in one.value for one in live(scope))


def test_who_only_means_to_move_lives_there_still(scope: Team) -> None:
    hear(scope, "home situation: im in a tiny flat in norden with my sister tomma")

    hear(scope, "nah. im moving out. if i find something ill take it", at=LATER, thorough=True)

    assert any("norden" in one.value for one in live(scope))


@pytest.mark.parametrize(
    ("told", "then", "kept"),
    [
        ("I live in a flat in Hexham with my sister Tomma", "I live in Ely now, attic flat", "sister is called Tomma"),
        ("Ich wohne in Kassel mit meinem Bruder Wim", "Ich wohne jetzt in Fulda", "Mein Bruder heißt Wim"),
        ("Vivo en Soria con mi hermana Leire", "ahora vivo en Burgos", "Mi hermana se llama Leire"),
    ],
)  # fmt: skip
def test_who_a_relative_is_outlasts_the_home_that_was_shared(
    scope: Team, told: str, then: str, kept: str
) -> None:
    hear(scope, told)

    hear(scope, then, at=LATER, thorough=True)

    values = [one.value for one in live(scope)]
    assert any(kept in value for value in values)
    assert not any(place in value for value in values for place in ("Hexham", "Kassel", "Soria"))
    (home,) = (one for one in Memory.objects.for_tenant(scope.tenant).filter(status="superseded"))
    assert home.superseded_by is not None and kept not in home.superseded_by.value
