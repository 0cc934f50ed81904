"""Whether a sentence tells what is yet to come."""

import pytest

from nebo.reading.relations.plans import tells_ahead


@pytest.mark.parametrize(
    "text",
    [
        "Hedda's moving to Tromsø in spring",
        "Hedda will move to Tromsø",
        "I start on 1 July",
        "I want to move to York",
        "Hedda zieht im Frühjahr nach Tromsø",
        "Hedda will nach Tromsø ziehen",
        "Am 1. Oktober fang ich da die Ausbildung an",
        "Mi hermana se muda a Tromsø en primavera",
        "Voy a mudarme a Vigo",
        "Nos mudaremos a Vigo",
        "on déménage à Rennes en mai",
        "On va déménager à Rennes",
        "Mi trasferisco a Roma a maggio",
    ],
)
def test_a_plan_is_told_by_its_verb(text: str) -> None:
    assert tells_ahead(text)


@pytest.mark.parametrize(
    "text",
    [
        "Hedda's in Tromsø now",
        "Hedda moved to Tromsø in spring",
        "We've moved to York",
        "My will is with the notary",
        "The deadline is 5 December",
        "I've told the bakery I'm done at the end of August",
        "Hedda ist im März nach Tromsø gezogen",
        "Wir wohnen seit Mai in Kiel",
        "Hedda ya vive en Tromsø",
        "Mi hermana se mudó a Tromsø",
        "Es enfermera en Vigo",
        "on vient de déménager à Rennes",
        "ci siamo trasferiti a Roma",
    ],
)
def test_what_holds_or_has_happened_is_no_plan(text: str) -> None:
    assert not tells_ahead(text)
