"""What a name tells of an end, and what it doesn't: who left is who was hired, whose name is taken does as before."""

from __future__ import annotations

import pytest

from nebo.reading.facts.stumps import is_stump
from nebo.reading.facts.values import find_value
from nebo.reading.meaning.reader import read_text
from nebo.reading.relations.judging import CLEAR, judge


def is_over(known: str, stated: str) -> bool:
    kind, chance = judge(known, read_text(stated).sentences[0])
    return kind in ("changes", "ends") and chance >= CLEAR


@pytest.mark.parametrize(
    ("known", "stated"),
    [
        ("I've hired an apprentice, he's called Idris and starts on Monday", "Idris left, he's gone to sea"),
        ("My boss is called Oluf", "Oluf retired in spring"),
        ("Rosa rents a flat on Park Row, top floor.", "Since May we live in Shipley"),
        ("Travaille chez Decathlon", "j'ai quitté Decathlon, je suis prof maintenant"),
        (
            "We went with Bootstrap for the landing page.",
            "scrap Bootstrap, we're going with Bulma for the landing page",
        ),
    ],
)
def test_what_is_said_to_be_over_of_somebody_by_name_is_over(known: str, stated: str) -> None:
    assert is_over(known, stated)


@pytest.mark.parametrize(
    ("known", "stated"),
    [
        ("I live with my girlfriend Ines", "Ines and I got engaged on Sunday!"),
        ("My husband Pavel is a tiler", "I go by Rosa Dvorak now, I took Pavel's name"),
        (
            "I can't have lactose, even a splash of milk ruins my day",
            "I get lactose pills now so a bit of cheese is fine",
        ),
        ("I can't eat gluten", "I bought gluten-free bread"),
    ],
)
def test_what_only_names_somebody_or_eases_something_ends_nothing(known: str, stated: str) -> None:
    assert not is_over(known, stated)


def test_who_is_spoken_of_must_stand_somewhere() -> None:
    assert is_stump("I said seven in June but she was six then")
    assert not is_stump("I said my daughter was seven but she was six then")
    assert not is_stump("me he pasado a Linux")


def test_a_place_has_all_of_its_name() -> None:
    assert find_value("home", "we moved to Bradford on Avon") == "Bradford on Avon"
    assert find_value("home", "I live in Leeds on the third floor") == "Leeds"


@pytest.mark.parametrize(
    ("known", "stated"),
    [
        (
            "I've still got dad's old dinghy, a Mirror, called Kittiwake, sat in the garden under a tarp.",
            "sold Kittiwake!! to a lovely couple from Bala",
        ),
        ("Has a motorbike, a Norton.", "I sold the Norton on Sunday"),
        ("Ich habe eine Vespa.", "ich hab die Vespa verkauft"),
    ],
)
def test_what_was_sold_is_no_longer_theirs(known: str, stated: str) -> None:
    assert is_over(known, stated)


@pytest.mark.parametrize(
    ("known", "stated"),
    [
        ("Has a motorbike, a Norton.", "I sold my painting of a Norton"),
        ("Owns a flat in Hull.", "my sister sold her flat last week"),
        ("Has a boat called Petrel.", "I sold my bike"),
    ],
)
def test_what_another_sold_or_is_something_else_stays(known: str, stated: str) -> None:
    assert not is_over(known, stated)


@pytest.mark.parametrize(
    ("known", "said", "relation"),
    [
        (
            "Nacho: Vivo con mi hermana Lucía en Ruzafa, compartimos piso.",
            "Ya vivimos en Benimaclet, tenemos una terraza enorme.",
            "changes",
        ),
        ("Nacho: Vivo con mi hermana Lucía en Ruzafa.", "Mi hermana se queda en Ruzafa.", "beside"),
        (
            "Owen has started running along the river, three times a week.",
            "I'm down to running once a week because of my Achilles.",
            "changes",
        ),
        ("Nacho: Aitana es de Bilbao.", "Me equivoqué: Aitana no es vegetariana, es vegana.", "other"),
        ("Nacho: Aitana es vegetariana.", "Me equivoqué: Aitana no es vegetariana, es vegana.", "changes"),
    ],
)
def test_only_what_is_meant_gives_way(known: str, said: str, relation: str) -> None:
    (sentence,) = read_text(said).sentences
    kind, chance = judge(known, sentence)

    assert kind == relation
    assert relation != "changes" or chance >= CLEAR
