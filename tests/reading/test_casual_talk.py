"""What people type in passing: feelings amid a fact, quips behind it, a month for another, somebody else in a place."""

from __future__ import annotations

import pytest

from nebo.reading.facts.statements import find_fact
from nebo.reading.meaning.put_right import put_right
from nebo.reading.meaning.reader import read_sentence, read_text
from nebo.reading.relations.judging import CLEAR, judge
from nebo.reading.words.fillers import without_fillers
from nebo.reading.words.hasty import write_words
from nebo.reading.words.naming import named_words


def facts(text: str, **known: str) -> list[str]:
    found = [find_fact(one, speaker="Tove", on=None, known=known or {}) for one in read_text(text).sentences]
    return [fact.value for fact in found if fact]


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("im allergic to cats apparently, great timing", "Tove is allergic to cats."),
        ("I'm vegan, shocking I know", "Tove is vegan."),
        ("i prefer metric units obviously", "Tove prefers metric units."),
        ("te dije Funes pero mi vieja vive en Roldán, me confundí", "Tove: Mi vieja vive en Roldán."),
        ("che, laburo de electricista en Rosario", "Tove: Laburo de electricista en Rosario."),
        ("me hicieron encargado!", "Me hicieron encargado."),
        ("My sister unfortunately has MS", "Tove's sister has MS."),
        ("my flatmate Sam is moving to Leeds :(", "Tove's flatmate Sam is moving to Leeds."),
        ("no me gusta nada el cilantro jaja", "Tove: No me gusta nada el cilantro."),
        ("we adopted a cat!! named Bagel", "Tove adopted a cat named Bagel."),
        ("we r goin to Kerry in July w my parents", "Tove is going to Kerry in July with their parents."),
        ("workin nights at the Mercy mostly", "Tove is working nights at the Mercy mostly."),
        ("hav 2 kids Finn (7) and Aoife (4)", "Tove has 2 kids Finn (7) and Aoife (4)."),
        ("hiya, my names Callie, im a midwife in Cork", "Tove is a midwife."),
        ("we got a puppy lol, hes called Biscuit", "Tove got a puppy, he's called Biscuit."),
        (
            "So, wir wohnen jetzt in Freiburg, im Stadtteil Vauban.",
            "Tove: Wir wohnen jetzt in Freiburg, im Stadtteil Vauban.",
        ),
        ("So from August I'm head of analytics, which is mad.", "From August Tove is head of analytics."),
        (
            "Gareth came down for the weekend and we talked it all out.",
            "Tove: Gareth came down for the weekend and we talked it all out.",
        ),
        (
            "I keep Friday dinners with Ines, alternating between The Olive and The Hearth; how can I keep it fresh?",
            "Tove keeps Friday dinners with Ines, alternating between The Olive and The Hearth.",
        ),
        (
            "Books, films, and real-life experiences all fire up my creativity.",
            "Books, films, and real-life experiences all fire up Tove's creativity.",
        ),
        (
            "I'm using Flask, Flask-CORS, and Flask-SQLAlchemy to handle the login requests.",
            "Tove is using Flask, Flask-CORS, and Flask-SQLAlchemy to handle the login requests.",
        ),
        ("Mein Bruder wohnt übrigens in Ulm", "Tove: Mein Bruder wohnt in Ulm."),
        ("Ruaridh's allergic to shellfish so none of that", "Ruaridh is allergic to shellfish."),
        ("Well that's me retired. They gave us a clock.", "Tove is retired."),
        ("I'm a paramedic up in Inverness", "Tove is a paramedic."),
        (
            "Mum's here. She's brought her budgie, Sultan, who screams.",
            "Tove's mum has brought her budgie, Sultan.",
        ),
        (
            "So it's Zofia's nephew Marek who does the counter now.",
            "Zofia's nephew Marek does the counter now.",
        ),
        (
            "I'm about to leave that and open a bakery with my friend Zofia",
            "Tove is about to open a bakery with their friend Zofia.",
        ),
        (
            "My husband Benedikt's from Freiburg and we're thinking of moving there next year",
            "Tove's husband Benedikt is from Freiburg.",
        ),
    ],
)
def test_a_fact_said_in_passing_is_kept_without_the_passing(said: str, kept: str) -> None:
    assert kept in facts(said)


@pytest.mark.parametrize(
    "text",
    ["Wir sind u. a. in Ulm", "siete u ocho", "The W hotel", "James moved to Galway", "a ratio of 2 to 1"],
)
def test_what_is_spelt_out_already_stays(text: str) -> None:
    assert write_words(text) == text


@pytest.mark.parametrize(
    "said",
    [
        "Here is my code for the parser using spaCy.",
        "Given that it's May 2025 and I'm focused on my taxes",
        "I'm allergic to Mondays, great timing",
        "I live in the office, kill me now",
        "im livid",
    ],
)
def test_a_joke_and_a_mood_stay_out(said: str) -> None:
    assert facts(said) == []


def test_whoever_greets_and_says_a_name_is_called_so() -> None:
    assert "Tove is Tove." in facts("hey! im tove, i just moved to Aarhus for my phd")


def test_a_bare_name_is_somebody_whom_the_person_told_of() -> None:
    assert facts("Malte ist übrigens Vegetarier", Malte="person") == ["Tove: Malte ist Vegetarier."]
    assert facts("Malte ist übrigens Vegetarier") == []


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("My bus is late, unfortunately.", "My bus is late."),
        ("quick update: we moved to Leeds", "we moved to Leeds"),
        ("The two things: a hammer and a saw", "The two things: a hammer and a saw"),
        ("Apparently my boss is leaving.", "Apparently my boss is leaving."),
        ("Tom is leaving apparently.", "Tom is leaving apparently."),
        ("Is it obviously wrong?", "Is it obviously wrong?"),
        ("Unfortunately", "Unfortunately"),
    ],
)
def test_what_may_be_hearsay_or_asks_keeps_its_words(text: str, bare: str) -> None:
    assert without_fillers(text) == bare


def test_another_month_puts_a_fact_right() -> None:
    known = "Tove's sister Wiebke is getting married in May."
    stated = read_text("no wait, wedding is in june, may was full").sentences[0]

    assert judge(known, stated)[0] == "changes"
    assert judge(known, stated)[1] >= CLEAR
    assert put_right(known, stated.text) == "Tove's sister Wiebke is getting married in June."


def test_what_was_told_of_one_is_not_true_of_who_comes_after() -> None:
    known = "Tove's supervisor is called Jens, he is super strict."

    assert put_right(known, "Jens isnt my supervisor anymore, its Karoline now") == (
        "Tove's supervisor is called Karoline."
    )
    assert put_right("My boss is Xaver, he's French", "not Xaver, Xavier") == "My boss is Xavier, he's French"


def test_a_request_typed_in_haste_names_only_what_it_is_about() -> None:
    assert named_words("dont mention my headache thing again") == {"headache"}
    assert named_words("please don't bring up my divorce anymore") == {"divorce"}


def test_a_sentence_goes_on_behind_a_cry() -> None:
    first, *_ = read_text("we got a dog!! called Otto. Great!").sentences

    assert first.text == "we got a dog called Otto."
    assert read_sentence("we got a dog called Otto").worth["good"] > 0.5
