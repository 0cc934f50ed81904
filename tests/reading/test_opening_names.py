"""Who says at first only a name and an age."""

from datetime import date

import pytest

from nebo.reading.facts.statements import find_fact
from nebo.reading.meaning.reader import read_text


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("tomasz, 41, i drive a night bus", "I'm Tomasz"),
        ("Lioba, 52, ich arbeite in einer Gärtnerei", "Ich bin Lioba"),
        ("hey! ruairi, 23, based in Sligo", "I'm Ruairi"),
    ],
)
def test_they_say_who_they_are(text: str, first: str) -> None:
    assert first in [one.text for one in read_text(text).sentences]


@pytest.mark.parametrize(
    "text",
    [
        "Maisie, 3, has a cold",
        "lena, 34, is my new boss",
        "my sister, 41, lives in Sligo",
        "room, 41, i booked it",
    ],
)
def test_others_and_things_are_not_the_speaker(text: str) -> None:
    assert not any(one.text.startswith(("I'm ", "Ich bin ")) for one in read_text(text).sentences)


def test_a_bare_verb_tells_how_the_speaker_lives() -> None:
    first, *_ = read_text("live with my grandad pat, he's got a bad hip").sentences

    assert first.text.startswith("I live with my grandad")


def test_someone_new_is_known_by_the_name() -> None:
    texts = [one.text for one in read_text("seeing someone, nadia, she's a plumber").sentences]

    assert any("Nadia" in text and "plumber" in text and "someone" not in text for text in texts)


def test_a_trade_and_where_somebody_is_from_are_two_things() -> None:
    texts = [one.text for one in read_text("Ich bin Tischlerin aus Husum").sentences]

    assert texts == ["Ich bin Tischlerin", "ich bin aus Husum"]


def test_from_passion_is_no_place() -> None:
    texts = [one.text for one in read_text("Ich bin Lehrerin aus Leidenschaft").sentences]

    assert texts == ["Ich bin Lehrerin aus Leidenschaft"]


def name_in(text: str) -> str:
    facts = [find_fact(one, speaker="", on=date(2031, 1, 1)) for one in read_text(text).sentences]
    return next((fact.detail for fact in facts if fact and fact.key == "name"), "")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("I'm Harriet and I've just moved here", "Harriet"),
        ("so i'm lucy. 27, florist", "Lucy"),
        ("Hello! This is Deepika, I'm new to this", "Deepika"),
        ("name's Gareth, I drive a tram", "Gareth"),
        ("Hey, Imogen speaking! new laptop", "Imogen"),
        ("Moin, Wiebke mein Name, ich wohne in Emden", "Wiebke"),
        ("Ich bins, der Holger", "Holger"),
        ("Ainhoa por aquí, tengo 31", "Ainhoa"),
        ("moi c'est Baptiste, j'habite à Brest", "Baptiste"),
    ],
)
def test_a_name_is_heard_however_it_is_given(text: str, name: str) -> None:
    assert name_in(text) == name


@pytest.mark.parametrize(
    "text",
    [
        "I'm Scottish and I like rain",
        "I'm exhausted and my feet hurt",
        "it's Tuesday, I have to go",
        "It's Lisbon. I love it there.",
        "i'm done. my shift is over",
        "I'm vegetarian and I cook a lot",
        "Hi, it's Easter, I bake all day",
        "dinner here, i cook",
    ],
)
def test_what_somebody_is_gives_no_name(text: str) -> None:
    assert name_in(text) == ""
