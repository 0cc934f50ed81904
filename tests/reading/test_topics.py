"""What the sentences of a message are about together, and whom one of them tells of."""

from __future__ import annotations

import pytest

from nebo.reading.facts.statements import find_fact
from nebo.reading.facts.subjects import NOBODY_KNOWN, Named, find_subject
from nebo.reading.facts.topics import follow_topics
from nebo.reading.meaning.reader import read_text
from nebo.reading.relations.judging import CLEAR, judge


def told(text: str) -> list[tuple[str, str]]:
    return [(one.project, one.sentence.text) for one in follow_topics(read_text(text).sentences)]


@pytest.mark.parametrize(
    ("text", "project", "said"),
    [
        (
            "An app for gardeners called Mosslight. We launch on 3 April.",
            "Mosslight",
            "We launch on 3 April.",
        ),
        ("Ich leite das Projekt Falke. Abgabe ist am 3. Mai.", "Falke", "Abgabe ist am 3. Mai."),
    ],
)
def test_a_sentence_is_about_the_project_that_one_before_it_named(text: str, project: str, said: str) -> None:
    assert told(text)[-1] == (project, said)


def test_two_things_told_of_a_project_can_change_by_themselves() -> None:
    text = "They gave me a project: Harrow, a site for a bakery. Deadline is 2 May, the client is Mrs Okafor."

    assert told(text)[1:] == [("Harrow", "Deadline is 2 May"), ("Harrow", "the client is Mrs Okafor.")]


@pytest.mark.parametrize(
    "said", ["My mum was a nurse.", "I fly to Rome on 3 May.", "We're getting married in June."]
)
def test_what_is_the_speakers_own_or_somebodys_is_no_projects(said: str) -> None:
    assert told(f"We're building an app called Mosslight. {said}")[-1] == ("", said)


def test_what_begins_is_told_by_the_sentence_before() -> None:
    text = "I've got a new job at the harbour. I start on 1 June."

    assert told(text) == [("", text)]


def test_that_something_begins_is_nothing_by_itself() -> None:
    (sentence,) = read_text("Empiezo el 1 de junio.").sentences

    assert find_fact(sentence, speaker="", on=None) is None


@pytest.mark.parametrize(
    ("text", "known", "person"),
    [
        ("Rasmus is our accountant and does the payroll.", NOBODY_KNOWN, "Rasmus"),
        ("Edeltraud sitzt jetzt im Büro in Emden.", {"Edeltraud": "person"}, "Edeltraud"),
        ("Fermín ya no trabaja en el puerto, ahora es taxista.", {"Fermín": "person"}, "Fermín"),
        ("Everybody in my family is tall.", NOBODY_KNOWN, ""),
        ("Kids need sleep.", NOBODY_KNOWN, ""),
        ("I love Edeltraud's cakes.", {"Edeltraud": "person"}, ""),
    ],
)
def test_whom_a_sentence_tells_of(text: str, known: Named, person: str) -> None:
    sentence = read_text(text).sentences[0]

    assert find_subject(sentence.meaning, text, known=known).person == person


def test_another_day_of_a_project_closes_the_first_and_nothing_else() -> None:
    (sentence,) = read_text("Harrow's deadline moved, it's 20 May now").sentences

    relation, chance = judge("Harrow: Deadline is 2 May.", sentence, project="Harrow")
    assert (relation, chance >= CLEAR) == ("changes", True)
    relation, _ = judge("Harrow: The client is Mrs Okafor.", sentence, project="Harrow")
    assert relation in ("beside", "other")


def test_what_is_taken_instead_closes_what_it_names() -> None:
    (sentence,) = read_text("We're taking CockroachDB for the shop instead of MariaDB.").sentences

    relation, chance = judge("We settled on MariaDB for the shop.", sentence)

    assert (relation, chance >= CLEAR) == ("changes", True)


def test_a_known_project_is_meant_in_small_letters_too() -> None:
    (sentence,) = read_text("kestrel slipped, launch is 9 June now").sentences
    fact = find_fact(sentence, speaker="Ines", on=None, matters=True, known={"Kestrel": "project"})

    assert fact is not None and (fact.value, fact.project) == (
        "Kestrel slipped, launch is 9 June now.",
        "Kestrel",
    )
