"""What a name tells of an end, and what it doesn't: who left is who was hired, whose name is taken does as before."""

from __future__ import annotations

import pytest

from nebo.reading.facts.stumps import is_stump
from nebo.reading.facts.values import find_value
from nebo.reading.meaning.reader import read_text
from nebo.reading.relations.judging import CLEAR, judge, left_over


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
        (
            "I found an accountant, Mr Adeyemi, he's brilliant.",
            "Mr Adeyemi retired, the books are with a woman called Fern now",
        ),
        (
            "I'm going to put an offer in on a house in Nairn",
            "the house in Nairn fell through. survey found rot",
        ),
        ("Owen and I got engaged on Saturday.", "So, we're married! It was perfect"),
        (
            "Ruaridh is allergic to shellfish.",
            "Ruaridh had tests and it's not shellfish after all, it's sulphites",
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
        ("My sister got engaged on Saturday.", "So, we're married!"),
        ("My boss Kasia has two dogs", "Kasia's left already, she got a job at the library"),
    ],
)
def test_what_only_names_somebody_or_eases_something_ends_nothing(known: str, stated: str) -> None:
    assert not is_over(known, stated)


def test_who_is_spoken_of_must_stand_somewhere() -> None:
    assert is_stump("I said seven in June but she was six then")
    assert not is_stump("I said my daughter was seven but she was six then")
    assert not is_stump("me he pasado a Linux")
    assert is_stump("Denise takes it on from April")
    assert is_stump("Maureen's called it Dolly")
    assert not is_stump("Denise takes the books on from April")
    assert not is_stump("Tom hates it when people are late")


def test_what_only_names_the_same_person_says_nothing_again() -> None:
    (sentence,) = read_text("My mum Jean can talk but loses words").sentences

    for known in ("My mum Jean had a stroke on Sunday.", "Ruth's mum Jean had a stroke on Sunday."):
        assert judge(known, sentence)[0] != "same"
    assert judge("I live in Bristol", read_text("well, Bristol is home for me").sentences[0])[0] == "same"


def test_of_two_things_that_one_fact_says_the_other_is_left() -> None:
    known = "Owen eats around seven, and Wednesdays they're at climbing."
    (sentence,) = read_text("I gave up climbing, there's just no time").sentences

    assert judge(known, sentence)[0] == "changes"
    assert left_over(known, sentence) == "Owen eats around seven."
    assert not left_over("Owen climbs with Tom, and Wednesdays they're at climbing.", sentence)


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
