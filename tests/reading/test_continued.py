"""What somebody tells in two sentences is one fact; what stands by itself stays so."""

from __future__ import annotations

from datetime import date

import pytest

from nebo.reading.facts.statements import find_fact
from nebo.reading.meaning.reader import read_text

DAY = date(2032, 5, 1)


def list_facts(text: str) -> list[str]:
    sentences = read_text(text).sentences
    facts = [find_fact(sentence, speaker="Ruth", on=DAY) for sentence in sentences]
    return [fact.value for fact in facts if fact]


@pytest.mark.parametrize(
    ("text", "both"),
    [
        ("the kitten's here. she's called Blodwen and she's tabby and evil", ("kitten", "Blodwen")),
        ("Huw and I are getting married btw. registry office, 18 December, tiny", ("married", "18 December")),
        ("sold Kittiwake!! to a lovely couple from Bala. got 550.", ("Kittiwake", "Bala", "550")),
        ("Our budget is 1,400 a month and it has to take a cat. Her name's Pudding.", ("cat", "Pudding")),
        ("Wir haben einen Hund! Einen Mischling aus dem Tierheim, er heißt Fiete.", ("Hund", "Fiete")),
        ("I've got two kids, Nell (9) and Rory who's 13 and mostly grunts", ("two kids", "Nell", "Rory")),
    ],
)
def test_what_two_sentences_tell_is_one_fact(text: str, both: tuple[str, ...]) -> None:
    (fact,) = list_facts(text)

    assert all(word in fact for word in both)


def test_a_fact_of_two_sentences_cites_both() -> None:
    text = "the kitten's here. she's called Blodwen and she's tabby and evil"
    (sentence,) = read_text(text).sentences

    assert text[sentence.start : sentence.end] == text


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("I live in Leeds. My sister Ana teaches maths in Hull.", 2),
        ("Ich wohne in Kiel. Meine Schwester Ana arbeitet in Lübeck.", 2),
        ("Wir wohnen jetzt in Freiburg, im Stadtteil Vauban. Überall Fahrräder.", 1),
        ("I'm vegan. Remind me to call the vet tomorrow.", 1),
    ],
)
def test_what_stands_by_itself_stays_so(text: str, count: int) -> None:
    assert len(list_facts(text)) == count
    assert len(read_text(text).sentences) == 2


def test_what_asks_or_orders_is_never_joined() -> None:
    sentences = read_text("The kitten's here. Forget what I said about her.").sentences

    assert [sentence.text for sentence in sentences][-1].startswith("Forget")


@pytest.mark.parametrize(
    "text", ["What a day. It was so much fun!", "thank you!! more money, more meetings."]
)
def test_chatter_in_two_sentences_stays_chatter(text: str) -> None:
    assert list_facts(text) == []


def test_she_is_whom_the_clause_before_names() -> None:
    facts = list_facts("Huw's ex is called Sioned, she has a border terrier called Mab")

    assert any(fact.startswith(("Sioned has", "Ruth: Sioned has")) for fact in facts)
    assert not any("Huw has" in fact for fact in facts)


def test_an_announcement_is_no_part_of_a_fact() -> None:
    assert "The user is Ruth." in [
        fact.value
        for sentence in read_text("hi, ok so bit of background, I'm Ruth, 41").sentences
        if (fact := find_fact(sentence, speaker="", on=DAY))
    ]


def test_nobody_is_meant_by_a_word_or_two_before_them() -> None:
    assert list_facts(
        "Relieved mostly. She's keeping the house, I've found a flat in Hull and move on 2 March."
    ) == ["Ruth has found a flat in Hull and moves on 2 March."]


@pytest.mark.parametrize(
    "text",
    [
        "I started a little app with my mate Farouk, it's called Pawline.",
        "I started a podcast with my sister Lena. It's called Night Bus.",
        "Ich habe mit meinem Bruder Jan eine Band, die heißt Nachtbus.",
    ],
)
def test_a_thing_is_called_so_and_not_who_has_a_name(text: str) -> None:
    facts = list_facts(text)

    assert facts
    assert not [
        fact for fact in facts if fact.startswith(("Ruth's mate", "Ruth's sister", "Ruth: mein Bruder"))
    ]
