"""What is to be forgotten by the noun for it, where it was told by other words and nothing was learned from them."""

from __future__ import annotations

import pytest

from memories.models import Memory
from nebo.encoders.files import has_e5
from nebo.reading.forgetting.matters import LIKELY, NAMES, find_matter, load_head, score_matter
from tests.conftest import Team
from tests.memories.conftest import hear

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(not has_e5(), reason="reads with the multilingual model"),
]


def withheld(team: Team) -> list[str]:
    """Whether as words or as a memory that was made of them."""
    gone = Memory.objects.for_tenant(team.tenant).filter(status="deleted").values_list("value", flat=True)
    return [value.rstrip(".").lower() for value in gone]


# What is kept in other words than it was said in.
RETOLD = {
    "Femke and I got engaged in Ghent, we want to do it in June": (
        "The user and Femke got engaged in Ghent, they want to do it in June"
    )
}


@pytest.mark.parametrize(
    ("meant", "others", "request_"),
    [
        (
            "Odile yelled at me over the parking space and I told her to get lost",
            ("Odile lives two doors down.", "I'm watering Odile's plants in May."),
            "please forget the argument with Odile, we made up",
        ),
        (
            "Declan slept with someone at a stag in Riga",
            ("Declan and I rent a place by the sea.", "he took the dog with him"),
            "please forget what I told you about Declan's cheating, I want to leave that behind",
        ),
        (
            "mi hermana me dijo de todo por teléfono y le colgué",
            ("mi hermana vive en Vigo", "el sábado como con mi hermana"),
            "olvida lo de la bronca con mi hermana",
        ),
        (
            "Sven hat mich am Telefon angebrüllt und ich hab aufgelegt",
            ("Sven wohnt in Kiel.", "mit Sven spiel ich Skat"),
            "vergiss bitte den Streit mit Sven",
        ),
        (
            "I finished a whole bottle of rum on my own last night",
            ("I work in a bottle factory.", "my allotment is in Selby"),
            "delete what I said about my drinking",
        ),
        (
            "Femke and I got engaged in Ghent, we want to do it in June",
            ("Femke teaches maths.", "I ring my mum on Sundays."),
            "please forget about the wedding, we've cancelled it",
        ),
        (
            "don't tell a soul but I'm back on ten a day",
            ("I work in a nursery.", "we have a shed full of bikes"),
            "forget the cigarettes please, I stopped",
        ),
        (
            "no se lo digas a nadie pero me fumo medio paquete al día otra vez",
            ("Trabajo en una farmacia.", "los jueves hago yoga"),
            "olvida lo del tabaco, ya lo he dejado",
        ),
        (
            "ich hab mich woanders als Leiterin beworben und soll am Montag hin",
            ("Ich arbeite bei einer Spedition.", "samstags bin ich auf dem Markt"),
            "vergiss bitte das Vorstellungsgespräch, daraus wird nichts",
        ),
    ],
)
def test_the_words_that_tell_of_the_matter_are_withheld(
    scope: Team, meant: str, others: tuple[str, ...], request_: str
) -> None:
    for said in (others[0], meant, *others[1:]):
        hear(scope, said)

    hear(scope, request_)

    assert withheld(scope) == [RETOLD.get(meant, meant).lower()]


def test_a_matter_that_was_never_told_takes_nothing_with_it(scope: Team) -> None:
    for said in (
        "Odile lives two doors down.",
        "I'm watering Odile's plants in May.",
        "I work in a bottle factory.",
    ):
        hear(scope, said)

    hear(scope, "please forget the argument with Odile")
    hear(scope, "delete what I said about my drinking")

    assert withheld(scope) == []


def test_names_only_say_with_whom_it_was(scope: Team) -> None:
    meant = "wir haben uns letzte Woche noch übel angeschrien wegen der Kaution"
    for said in ("Timo und ich haben uns getrennt.", meant, "My boss wants to see the deposit slip."):
        hear(scope, said)

    hear(scope, "please forget the stuff about Timo and the Kaution, it's done")

    assert withheld(scope) == [meant.lower()]


def test_a_request_names_its_first_matter_or_none() -> None:
    assert find_matter("forget the fight about my debts") == "quarrel"
    assert find_matter("Vergiss meine Schulden") == "money"
    assert find_matter("forget that I play the cello") == ""


def test_every_matter_that_has_a_name_has_a_row_of_the_head() -> None:
    assert set(load_head().matters) == set(NAMES)
    assert (
        score_matter("we lost the baby at ten weeks", "pregnancy")
        >= LIKELY
        > score_matter("I play chess", "pregnancy")
    )
