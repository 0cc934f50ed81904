"""What stands near to a fact and leaves it as it is: another relative's news, an application, a lasting contract."""

from __future__ import annotations

from datetime import date

import pytest

from nebo.reading.meaning.reader import read_text
from nebo.reading.relations.judging import CLEAR, judge
from nebo.reading.relations.new_work import find_change_of_work, is_own_work, names_what_closes


def is_over(known: str, told: str) -> bool:
    judged = [judge(known, sentence) for sentence in read_text(told).sentences]
    return any(kind in ("changes", "ends") and chance >= CLEAR for kind, chance in judged)


@pytest.mark.parametrize(
    ("known", "told"),
    [
        # applied for, and not got
        (
            "Ich bin altenpfleger in nem heim in bergedorf.",
            "die fahrerei nach bergedorf nervt, ich hab mich hier im heim in adendorf beworben",
        ),
        ("Je travaille à la mairie de Brest.", "j'ai postulé à la mairie de Quimper"),
        ("Lavoro al museo di Siena.", "ho fatto domanda al museo di Lucca"),
        # peace with somebody else
        ("Jule und ich haben uns getrennt.", "mit papa hab ich mich ausgesprochen, er macht jetzt n entzug"),
        # news of whom the fact names besides
        (
            "Mon père Yvon est pêcheur au Croisic.",
            "je remange du poisson depuis un mois, mon père est ravi",
        ),
        (
            "Los domingos comemos siempre en casa de mi madre, Carmen, que vive en Coria.",
            "lo de mi madre no era nada, gracias a dios, la biopsia salió limpia",
        ),
        # done for good, whatever became of it
        ("Priya founded the company.", "Priya left the company"),
        ("Tom started the choir in Otley.", "Tom has left the choir"),
        ("The user co-founded Birchworks with Ana.", "I've left Birchworks"),
        ("Jonas hat den Verein gegründet.", "Jonas hat den Verein verlassen"),
        ("Lucía fundó la cooperativa.", "Lucía dejó la cooperativa en mayo"),
        # the same job for good
        (
            "Me ha salido trabajo de cocinera en un colegio de Camas, empiezo el 4 de abril.",
            "me han hecho fija en el colegio!!",
        ),
    ],
)
def test_it_leaves_the_fact_alone(known: str, told: str) -> None:
    assert not is_over(known, told)


@pytest.mark.parametrize(
    ("known", "told"),
    [
        ("Ich hab mich mit meinem bruder gestritten.", "mit meinem bruder hab ich mich wieder vertragen"),
        ("Mein Vater arbeitet bei Bosch.", "mein Vater hat bei Bosch aufgehört"),
        ("Lavoro al museo di Siena.", "adesso lavoro al museo di Lucca"),
    ],
)
def test_what_tells_of_the_same_still_ends_it(known: str, told: str) -> None:
    assert is_over(known, told)


def test_what_closes_on_a_day_is_left_with_that_day() -> None:
    (sentence,) = read_text("pues ya está, cierro el bar el 31 de marzo").sentences
    known = "Llevo un bar en Triana."

    assert find_change_of_work(sentence, date(2033, 3, 14)) == date(2033, 3, 31)
    assert names_what_closes(known, sentence)
    assert is_own_work(known, "work", all_of_it=True)
    assert not names_what_closes("Doy clases en Triana.", sentence)


def test_a_job_that_somebody_came_by_begins_on_its_day() -> None:
    (sentence,) = read_text("me ha salido trabajo de cocinera en un colegio, empiezo el 4 de abril").sentences

    assert find_change_of_work(sentence, date(2033, 3, 14)) == date(2033, 4, 4)


@pytest.mark.parametrize(
    "known, said, over",
    [
        ("My sister likes olives.", "my sister can't stand olives", True),
        ("My boss loves the open office.", "my boss can't bear the open office", True),
        ("Meine Schwester mag Oliven.", "meine Schwester kann Oliven nicht ausstehen", True),
        ("A mi hermana le gustan las aceitunas.", "mi hermana no soporta las aceitunas", True),
        ("My sister is a vegan.", "my sister hates olives.", False),
        ("My sister hates olives.", "my sister can't stand olives", False),
    ],
)
def test_who_dislikes_a_thing_likes_it_no_longer_and_keeps_the_rest(
    known: str, said: str, over: bool
) -> None:
    (sentence,) = read_text(said).sentences

    kind, chance = judge(known, sentence)

    assert (kind == "changes" and chance >= CLEAR) is over


@pytest.mark.parametrize(
    "known, said",
    [
        (
            "I'm building a stock app for my aunt's pharmacy in Derby.",
            "the shop has two tills, closes at six",
        ),
        ("I'm writing a guide for my gran's pottery.", "The pottery has three wheels and opens at nine"),
        ("Ich baue eine Webseite für den Hofladen meiner Tante.", "der Laden hat vier Kassen, zu um sechs"),
    ],
)
def test_what_a_thing_is_like_leaves_the_work_for_it(known: str, said: str) -> None:
    (sentence, *_) = read_text(said).sentences

    kind, chance = judge(known, sentence)

    assert kind not in ("same", "changes", "ends") or chance < CLEAR
