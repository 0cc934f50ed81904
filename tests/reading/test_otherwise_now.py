"""What is another way from now on, what somebody has given up, and what is left of things that are counted."""

from datetime import date

import pytest

from nebo.reading.facts.statements import find_fact
from nebo.reading.meaning.put_right import put_right
from nebo.reading.meaning.reader import read_text
from nebo.reading.relations.endings import taken_from_list
from nebo.reading.relations.judging import CLEAR, judge

SAID = date(2026, 3, 2)


def is_over(known: str, said: str) -> bool:
    (sentence,) = read_text(said).sentences
    kind, chance = judge(known, sentence)
    return kind in ("changes", "ends") and chance >= CLEAR


@pytest.mark.parametrize(
    "known, said",
    [
        ("The newsletter goes out every Friday.", "newsletter's only once a month from now on"),
        ("Meine Frau Silke macht Nachtschicht.", "Silke hat jetzt auf Frühschicht gewechselt"),
        ("Mi hermano Íñigo hace noches en el puerto.", "Íñigo ha pasado a turno de tarde"),
        ("The user volunteers at the food bank on Tuesdays.", "jacked in the food bank, too much on"),
        ("The user plays bass in a band called Rust.", "I've given up the band"),
        ("Singt im Kirchenchor in Ulm.", "den Chor hab ich an den Nagel gehängt"),
        ("Ich spiele Geige im Orchester.", "Das Orchester haben wir aufgegeben"),
    ],
)
def test_it_gives_way(known: str, said: str) -> None:
    assert is_over(known, said)


@pytest.mark.parametrize(
    "known, said",
    [
        ("Meine Frau Silke kommt aus Ulm.", "Silke hat jetzt auf Frühschicht gewechselt"),
        ("The user has a dog called Rex.", "Rex sleeps in the kitchen from now on"),
        ("Works at Siemens in Munich.", "I no longer eat lunch at Siemens"),
        ("The user sings in a choir.", "I gave up sugar"),
    ],
)
def test_what_else_is_known_stays(known: str, said: str) -> None:
    assert not is_over(known, said)


@pytest.mark.parametrize(
    "known, said, left",
    [
        ("The user has two cats, a dog and three hens.", "We rehomed the hens last week",
         "The user has two cats and a dog."),
        ("The user has a boat and a caravan.", "Sold the boat!", "The user has a caravan."),
        ("Wir haben sechs Hühner, zwei Gänse und einen Esel.", "die Gänse haben wir abgegeben, keine Lust mehr",
         "Wir haben sechs Hühner und einen Esel."),
        ("Tenemos dos gatos, un perro y una tortuga.", "La tortuga murió ayer", "Tenemos dos gatos y un perro."),
        ("The user has two cats and a dog.", "We now have three dogs", None),
        ("The user has a boat and a caravan.", "We haven't sold the boat", None),
    ],
)  # fmt: skip
def test_what_is_left_of_things_that_are_counted(known: str, said: str, left: str | None) -> None:
    assert taken_from_list(known, said) == left


def test_another_day_at_another_place_is_no_day_of_the_old_place() -> None:
    stall = "Saturdays I'm on the market in Malton."
    assert put_right(stall, "we've given up Malton in fact, Sundays in Thirsk and in Ripon now") == ""
    assert (
        put_right("Choir is on Tuesdays in Leeds.", "it's Fridays in Otley now")
        == "Choir is on Fridays in Otley."
    )


@pytest.mark.parametrize(
    "said, person",
    [
        ("martin's moved to Aberdeen for work so the kids are with me now", "Martin"),
        ("Karin ist nach Kiel gezogen, ich besuch sie im Herbst", "Karin"),
        ("Lucía se ha mudado a Vigo y me ha dejado el gato", "Lucía"),
        ("Bea moved to Ghent and I miss her", "Bea"),
    ],
)
def test_where_somebody_else_moved_is_no_home_of_the_speaker(said: str, person: str) -> None:
    (sentence,) = read_text(said).sentences

    fact = find_fact(sentence, speaker="", on=SAID, matters=True)

    assert fact is not None
    assert (fact.person, fact.key, fact.detail) == (person, "", "")


@pytest.mark.parametrize(
    "said, value",
    [
        (
            "starting at the auction mart in Hexham in july",
            "The user is starting at the auction mart in Hexham in July.",
        ),
        ("now renting a flat in Hove with Sam", "The user is now renting a flat in Hove with Sam."),
    ],
)
def test_what_is_under_way_is_told_of_the_speaker(said: str, value: str) -> None:
    (sentence,) = read_text(said).sentences

    fact = find_fact(sentence, speaker="", on=SAID, matters=True)

    assert fact is not None
    assert fact.value == value


def test_another_verb_of_the_speaker_has_its_own_objects() -> None:
    read = read_text("soy maestra, doy lengua y música en un colegio de Soria")

    assert [one.text for one in read.sentences] == ["soy maestra, doy lengua y música en un colegio de Soria"]
