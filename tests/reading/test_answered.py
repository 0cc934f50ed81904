"""A few words that answer a question are read as the statement that they are."""

from __future__ import annotations

import pytest

from nebo.reading.facts.statements import find_fact
from nebo.reading.meaning.answered import state_answer
from nebo.reading.meaning.reader import read_text


@pytest.mark.parametrize(
    ("asked", "answer", "stated"),
    [
        ("Nice to meet you. Where do you live?", "In Ghent.", "I live in Ghent"),
        ("Where did you grow up?", "Bristol", "I grew up in Bristol"),
        (
            "What instrument do you play?",
            "The bass, since I was fifteen.",
            "I play the bass, since I was fifteen",
        ),
        ("And what do you do for a living?", "Nurse at the Mercy.", "I'm a nurse at the Mercy"),
        ("What do you do?", "Mending old sails, mostly.", "I'm mending old sails, mostly"),
        ("What do you do?", "Lighting technician.", "I'm a lighting technician"),
        ("What are you saving for?", "For a cargo bike.", "I'm saving for a cargo bike"),
        ("What are you saving for?", "A cargo bike.", "I'm saving for a cargo bike"),
        ("Are you saving for something?", "Yes, for a cargo bike.", "I'm saving for a cargo bike"),
        ("What's your sister called?", "Ana.", "My sister is called Ana"),
        ("How old is your son?", "Seven.", "My son is seven years old"),
        ("Do you have any allergies?", "Yes, penicillin.", "I'm allergic to penicillin"),
        ("Are you allergic to anything?", "Yes, to nuts.", "I'm allergic to nuts"),
        ("Are you a vegetarian?", "No.", "I'm not a vegetarian"),
        ("Do you have a garden?", "Yeah, Ruth!", "I have a garden"),
        ("What's your dog called?", "Yeah, Luna!", "My dog is called Luna"),
        ("Do you have kids?", "Two, Leo and Vera.", "I have two kids, Leo and Vera"),
        ("Who do you live with?", "My husband, Tom.", "I live with my husband, Tom"),
        ("Wo arbeitest du?", "Bei der Post in Kiel.", "Ich arbeite bei der Post in Kiel"),
        ("Welches Instrument spielst du?", "Cello.", "Ich spiele Cello"),
        ("Wie heißt deine Schwester?", "Ana", "Meine Schwester heißt Ana"),
        ("Bist du allergisch gegen etwas?", "Ja, gegen Nüsse.", "Ich bin allergisch gegen Nüsse"),
        (
            "¿Qué instrumento tocas?",
            "El bajo, desde los quince años.",
            "Toco el bajo, desde los quince años",
        ),
        ("¿Dónde vives?", "En Valencia, con mi hermana.", "Vivo en Valencia, con mi hermana"),
        ("¿Tienes hijos?", "Dos, Leo y Vera.", "Tengo dos hijos, Leo y Vera"),
    ],
)
def test_an_answer_is_the_statement_that_it_is(asked: str, answer: str, stated: str) -> None:
    assert state_answer(asked, answer) == stated


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("What do you do for a living?", "I'm a nurse"),  # says it by itself
        ("Who takes him there?", "My husband, Tom."),  # him: only the talk knows whom
        ("Shall I make a list?", "Yes please."),
        ("What would you like me to write?", "A poem."),
        ("Where do you live? And what do you do?", "In Ghent."),  # which of the two?
        ("I live in Kiel.", "In Ghent."),
        ("Are you ready?", "Yes."),
        ("Are you happy for me to send all mails to this address?", "Yes."),
        ("", "In Ghent."),
    ],
)
def test_where_it_is_not_plain_nothing_is_stated(asked: str, answer: str) -> None:
    assert state_answer(asked, answer) == ""


def test_an_answer_is_kept_with_its_question_and_cites_the_answer() -> None:
    said = "El bajo, desde los quince años. Mi grupo se llama Marea Baja."
    first, second = read_text(said, asked="¡Qué bien! ¿Qué instrumento tocas?").sentences
    fact = find_fact(first, speaker="Nacho", on=None)

    assert fact is not None and fact.value == "Nacho: Toco el bajo, desde los quince años."
    assert said[fact.start : fact.end] == "El bajo, desde los quince años."
    assert first.leans and not second.leans


@pytest.mark.parametrize(
    "said",
    ["El bajo, desde los quince años.", "The bass, since I was fifteen.", "Leo and Vera.", "Mostly Italian."],
)
def test_without_its_question_an_answer_tells_nothing(said: str) -> None:
    facts = [find_fact(one, speaker="Nacho", on=None) for one in read_text(said).sentences]

    assert facts == [None]
