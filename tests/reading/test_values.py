"""What exactly a sentence names."""

from __future__ import annotations

import pytest

from nebo.reading.facts.values import find_employer, find_job, find_person, find_project, find_value


@pytest.mark.parametrize(
    ("slot", "text", "value"),
    [
        ("home", "I live in Leeds with my two cats", "Leeds"),
        ("home", "we've just moved to São Paulo, Brazil", "São Paulo, Brazil"),
        ("home", "ich wohne seit 2019 in Bremen", "Bremen"),
        ("home", "Wir sind letzten Monat nach Wien gezogen", "Wien"),
        ("home", "Vivo en Buenos Aires desde 2020", "Buenos Aires"),
        ("home", "j'habite à Lyon", "Lyon"),
        ("home", "abito a Reggio Emilia da anni", "Reggio Emilia"),
        ("home", "We live in Ghent, May is when we came", "Ghent"),
        ("home", "I live in a small flat", ""),
        ("home", "Our new flat is in Rua do Sol, Braga, second floor", "Braga"),
        ("home", "j'habite Rue des Lilas à Lyon", "Lyon"),
        ("home", "I live in Via Roma", ""),
        ("home", "Got a place on the quay, moved in Saturday", ""),
        ("name", "My name is Sam O'Neil", "Sam O'Neil"),
        ("name", "ich heiße Jonas", "Jonas"),
        ("name", "Ich heisse übrigens seit gestern Ines Prado", "Ines Prado"),
        ("name", "Moin, ich bin der Jonas", "Jonas"),
        ("name", "I'm actually called Rosalind", "Rosalind"),
        ("name", "hi, i'm Nora", "Nora"),
        ("name", "I'm glad to be here", ""),
        ("name", "je m'appelle Zoé", "Zoé"),
        ("work", "I'm a software engineer at Skanska", "software engineer"),
        ("work", "trabajo de camarera en un bar", "camarera"),
        ("work", "I work at Norrbro", "Norrbro"),
        ("work", "Since I lost my job at Door Dash, things have been tough", ""),
        ("work", "I left Skanska and work at Norrbro now", "Norrbro"),
        ("work", "I've been working with Brittney since May", ""),
        ("timezone", "My timezone is Europe/Berlin", "Europe/Berlin"),
        ("timezone", "I'm in UTC+2 these days", "UTC+2"),
        ("birthday", "my birthday is March 3rd", "March 3rd"),
        ("birthday", "nací el 4 de julio de 1990", "4 de julio de 1990"),
        ("taste", "I like tea", ""),
    ],
)
def test_the_bare_value_of_a_slot(slot: str, text: str, value: str) -> None:
    assert find_value(slot, text) == value


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("My sister Hannah is vegan", "Hannah"),
        ("I have a dog named Rex", "Rex"),
        ("mein Bruder Jonas ist Zahnarzt", "Jonas"),
        ("mi hermana Lucía vive en Cádiz", "Lucía"),
        ("my betta fish, Bubbles, is two", "Bubbles"),
        ("My sister is vegan", ""),
        ("My wife teaches Maths", ""),
        ("Meine Frau unterrichtet Mathe", ""),
        ("Mi hermana mayor Ana es médica", "Ana"),
    ],
)
def test_whom_a_sentence_about_somebody_near_names(text: str, name: str) -> None:
    assert find_person(text) == name


@pytest.mark.parametrize(
    ("slot", "text", "name"),
    [
        ("work", "I lead the Gannet redesign at work.", "Gannet"),
        ("project", "We're building an app called Mosslight.", "Mosslight"),
        ("work", "Ich leite das Projekt Falke.", "Falke"),
        ("work", "Estoy trabajando en el proyecto Brisa.", "Brisa"),
        ("work", "Je travaille sur le projet Comète.", "Comète"),
        ("work", "Lavoro al progetto Aurora.", "Aurora"),
        ("project", "They gave me a project: Harrow, a site for a bakery.", "Harrow"),
        ("hobby", "Ich schreibe einen Roman namens Kaltlicht.", "Kaltlicht"),
        ("possession", "I'm building a kiln called Big Bertha.", "Big Bertha"),
        ("work", "I work at a company called Fjordbank.", ""),
        ("taste", "I read a book called Dune.", ""),
        ("work", "I'm on the Gannet project now.", "Gannet"),
        ("home", "We live in the Gannet building.", ""),
        ("pet", "I have a dog called Rufus.", ""),
        ("work", "This project is hard.", ""),
    ],
)
def test_a_project_is_named(slot: str, text: str, name: str) -> None:
    assert find_project(slot, text) == name


@pytest.mark.parametrize(
    ("text", "job", "employer"),
    [
        ("I work at St Bride's as a midwife on the labour ward", "midwife", "St Bride's"),
        ("I work for Nordlys Fisk", "", "Nordlys Fisk"),
        ("I work as a rigger for Nordlys Fisk", "rigger", "Nordlys Fisk"),
        ("Ich bin Glaser", "Glaser", ""),
        ("Ich arbeite jetzt bei Bosch als Dreher", "Dreher", "Bosch"),
        ("Soy maestra", "maestra", ""),
        ("ahora trabajo en Iberdrola como contable", "contable", "Iberdrola"),
        ("Je suis infirmière à Lyon", "infirmière", ""),
    ],
)
def test_what_somebody_works_as_is_told_from_whom_they_work_for(text: str, job: str, employer: str) -> None:
    assert (find_job(text), find_employer(text)) == (job, employer)


@pytest.mark.parametrize("text", ["I'm a night porter now", "I'm a night porter these days"])
def test_since_when_is_no_part_of_what_somebody_is(text: str) -> None:
    assert find_job(text) == "night porter"
