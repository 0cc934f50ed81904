"""One sentence that tells two things, or tells one and asks for another, is read as two."""

from __future__ import annotations

import pytest

from nebo.reading.facts.statements import find_fact
from nebo.reading.meaning.reader import read_text


@pytest.mark.parametrize(
    ("said", "told", "asked"),
    [
        ("I play the cello, but delete what I said about tennis.", "I play the cello", "tennis"),
        ("Delete what you know about Tom; we broke up in March.", "we broke up in March.", "Tom"),
        (
            "We moved to Bonn in May, so please delete the old address.",
            "We moved to Bonn in May",
            "old address",
        ),
    ],
)
def test_the_request_and_what_is_told_are_apart(said: str, told: str, asked: str) -> None:
    sentences = read_text(said).sentences

    (request,) = [one for one in sentences if one.meaning.may_be("forget")]
    assert told in [one.text for one in sentences]
    assert asked in request.text and told not in request.text
    assert all(said[one.start : one.end] == one.text for one in sentences)


@pytest.mark.parametrize(
    "said",
    [
        "Delete the cello, the tennis and the piano.",
        "Delete my brother's number, not my sister's.",
        "Lösch bitte, wo ich wohne.",
        "I play the cello, but I gave up tennis.",
    ],
)
def test_one_request_and_one_statement_stay_whole(said: str) -> None:
    assert [one.text for one in read_text(said).sentences] == [said]


@pytest.mark.parametrize(
    ("said", "parts"),
    [
        (
            "I've been a vegetarian since I was fifteen, and walnuts make my throat swell up",
            ["I've been a vegetarian since I was fifteen", "walnuts make my throat swell up"],
        ),
        ("I'm Ines, I'm a product designer at Lumio.", ["I'm Ines", "I'm a product designer at Lumio."]),
        (
            "Ich wohne in Bremen, arbeite als Krankenschwester",
            ["Ich wohne in Bremen", "Ich arbeite als Krankenschwester"],
        ),
        ("J'habite à Lyon, je suis infirmière", ["J'habite à Lyon", "je suis infirmière"]),
        ("My brother Tom and I work at Google.", ["My brother Tom and I work at Google."]),
        (
            "I'm Nora, 34, a nurse in Graz, home is Linz on weekends",
            ["I'm Nora", "I'm 34", "I'm a nurse in Graz", "home is Linz on weekends"],
        ),
        ("so I'm Ruth. 41, structural engineer", ["so I'm Ruth.", "I'm 41", "I'm structural engineer"]),
        (
            "Ich bin Jo, 38, und unterrichte Physik in Kassel",
            ["Ich bin Jo", "Ich bin 38", "Ich unterrichte Physik in Kassel"],
        ),
        ("I'm allergic to nuts, cats and pollen", ["I'm allergic to nuts, cats and pollen"]),
        ("Vivo con mi marido y con mi suegra", ["Vivo con mi marido y con mi suegra"]),
        ("I have two kids, a dog and a parrot", ["I have two kids, a dog and a parrot"]),
        (
            "Soy Marisol, soy veterinaria y vivo en Zaragoza con mi pareja",
            ["Soy Marisol", "soy veterinaria", "vivo en Zaragoza con mi pareja"],
        ),
        ("Busco piso y trabajo", ["Busco piso y trabajo"]),
        (
            "Tengo dos gatas, Nube y Trufa, y soy alérgica al ibuprofeno",
            ["Tengo dos gatas, Nube y Trufa", "soy alérgica al ibuprofeno"],
        ),
        (
            "Our new flat is in Rua das Flores, Porto, third floor without a lift",
            ["Our new flat is in Rua das Flores, Porto, third floor without a lift"],
        ),
        (
            "They gave me a project: Maré, a site for a surf school.",
            ["They gave me a project: Maré, a site for a surf school."],
        ),
        (
            "If I get the job, I'll move to Oslo and my wife will follow",
            ["If I get the job, I'll move to Oslo and my wife will follow"],
        ),
    ],
)
def test_facts_that_answer_different_questions_are_apart(said: str, parts: list[str]) -> None:
    sentences = read_text(said).sentences

    assert [one.text for one in sentences] == parts
    assert all(said[one.start : one.end] in one.text for one in sentences)


def test_a_text_to_work_on_is_nobodys_own_words() -> None:
    for text in (
        "can you translate: I live in Paris",
        "Please translate this: I live in Paris. I'm a nurse.",
    ):
        facts = [find_fact(one, speaker="", on=None) for one in read_text(text).sentences]

        assert not any(facts), text


@pytest.mark.parametrize(
    "said",
    [
        "Lena, my niece, is allergic to hazelnuts.",
        "Lena, mi sobrina, es alérgica a las nueces.",
        "Priya Raman, our accountant, has two cats.",
    ],
)
def test_a_name_before_who_it_is_stays_with_what_is_told_of_them(said: str) -> None:
    (sentence,) = read_text(said).sentences

    assert sentence.text == said


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Lena, my niece, is allergic to hazelnuts.", "Lena, the user's niece, is allergic to hazelnuts."),
        ("Mel, my sister lives in Leeds.", "The user's sister lives in Leeds."),
    ],
)
def test_who_is_told_of_is_kept_and_who_is_spoken_to_is_not(said: str, kept: str) -> None:
    (sentence,) = read_text(said).sentences

    fact = find_fact(sentence, speaker="", on=None)

    assert fact is not None
    assert fact.value == kept
