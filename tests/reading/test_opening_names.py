"""Who says at first only a name and an age."""

import pytest

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
