"""What a birth or a death leaves no room for, and what it says nothing of."""

from __future__ import annotations

import pytest

from nebo.reading.relations.ages import keeps_age
from nebo.reading.relations.births_and_deaths import has_been_born, has_died, who_is_left
from nebo.reading.relations.stays import is_back


@pytest.mark.parametrize(
    ("known", "stated"),
    [
        ("Our cat Miso sleeps on the router.", "miso passed away on sunday"),
        ("Gran lives with us.", "my nan has died"),
        ("My dog Rex hates postmen.", "we had to let him go, Rex was put down on Friday"),
        ("Meine Oma wohnt in Jena.", "Oma ist am Sonntag gestorben"),
        ("Mi gata Lila toma una pastilla cada noche.", "lila murió en mayo, de vieja"),
        ("Mon oncle vit à Brest.", "mon oncle est décédé hier"),
        ("Nonna vive a Lecce.", "nonna è mancata a marzo"),
    ],
)
def test_nothing_holds_of_who_has_died(known: str, stated: str) -> None:
    assert has_died(known, stated)


@pytest.mark.parametrize(
    ("known", "stated"),
    [
        ("Lena's dog Rex hates postmen.", "my phone died again"),
        ("Lena's dog is called Rex.", "Rex died in June"),
        ("Miso was a stray.", "Miso died in June"),
        ("Meine Oma wohnt in Jena.", "der Hund von Oma ist gestorben"),
        ("Mi gata Lila toma una pastilla.", "si lila muere me da algo"),
        ("Tom works at the bakery.", "Tom nearly died laughing"),
    ],
)
def test_who_they_were_stays_and_so_do_others(known: str, stated: str) -> None:
    assert not has_died(known, stated)


@pytest.mark.parametrize(
    ("known", "stated"),
    [
        ("Lena's sister Priya is pregnant, due in June.", "Priya had the baby on Monday, a boy"),
        ("My wife is pregnant.", "baby's here! both well"),
        ("Meine Schwester ist schwanger.", "meine Schwester hat ihr Kind bekommen, ein Mädchen"),
        ("Mi hermana está embarazada de siete meses.", "mi hermana dio a luz el lunes"),
        ("Léa est enceinte.", "Léa a accouché hier"),
        ("Mia cugina è incinta.", "è nata, mia cugina ha partorito stanotte"),
    ],
)
def test_nobody_expects_a_child_that_is_born(known: str, stated: str) -> None:
    assert has_been_born(known, stated)


@pytest.mark.parametrize(
    ("known", "stated"),
    [
        ("My wife is pregnant.", "My sister had a baby"),
        ("My wife is pregnant.", "Tom's baby was born yesterday"),
        ("My wife is pregnant.", "I was born in Ghent"),
        ("Meine Frau ist schwanger.", "ich bin in Gera geboren"),
        ("Mi hermana está embarazada.", "cuando nazca el bebé nos mudamos"),
        ("Maria teaches in Leeds.", "Maria had the baby"),
    ],
)
def test_another_birth_says_nothing_of_theirs(known: str, stated: str) -> None:
    assert not has_been_born(known, stated)


@pytest.mark.parametrize(
    ("known", "stated"),
    [
        ("La abuela está en el hospital desde el lunes.", "la abuela ya está en casa, mandona como siempre"),
        ("Mein Bruder liegt im Uniklinikum.", "mein Bruder ist wieder zuhause, läuft an Krücken"),
    ],
)
def test_who_is_home_again_lies_in_no_hospital(known: str, stated: str) -> None:
    assert is_back(known, stated)


def test_news_of_somebody_makes_them_no_older() -> None:
    assert keeps_age("My aunt Rosa is 78.", "aunt Rosa broke her hip")
    assert keeps_age("Mi tía tiene 78 años.", "mi tía se ha roto la cadera")
    assert not keeps_age("My aunt Rosa is 78.", "aunt Rosa is 79 now")
    assert not keeps_age("My aunt Rosa is 78 and lives in Hull.", "aunt Rosa lives in York now")


def test_who_the_mother_is_stays() -> None:
    born = "the baby's here, a girl, both well"

    assert who_is_left("Lena's wife Priya is pregnant, due in June.", born) == "Lena's wife is called Priya."
    assert (
        who_is_left("Jonas: Meine Freundin Ada ist schwanger.", "das Baby ist da!")
        == "Jonas: Meine Freundin heißt Ada."
    )
    assert who_is_left("Lena is pregnant.", born) == ""


def test_a_mother_is_meant_without_her_name() -> None:
    assert has_died("Meine Mutter Gerlinde ist im Heim in Verden.", "mama ist am 3. Mai gestorben")
    assert has_died("My mother Joan lives in Hexham.", "Mum died on Sunday")
    assert not has_died("Tom's mum lives in Hexham.", "Mum died on Sunday")
    assert not has_died("My sister Ida lives in Hexham.", "my sister Ute died on Sunday")
