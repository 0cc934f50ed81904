"""A name that reads like another word makes no supposition, question or quotation of what is told of somebody, and
a place that the reader barely knows hides no move.
"""

import pytest

from nebo.reading.meaning.reader import read_sentence, read_text
from nebo.reading.meaning.strange_names import UNMEANT
from nebo.reading.relations.judging import CLEAR
from nebo.reading.relations.said_parts import judge_said


def is_meant(text: str) -> bool:
    meaning = read_sentence(text)
    return max(meaning.chances[kind] for kind in UNMEANT) < 0.5


@pytest.mark.parametrize(
    "text",
    [
        "Makesh left the company last Friday",
        "Makesh has handed in his notice",
        "Makesh resigned last week",
        "Makesh quit in May",
        "Whatley is my line manager",
        "Makesh hat die Firma am Freitag verlassen",
        "Makesh dejó la empresa el viernes",
        "Ifeoma moved to Leeds",
    ],
)
def test_what_is_told_of_somebody_is_told_whatever_they_are_called(text: str) -> None:
    assert is_meant(text)


@pytest.mark.parametrize(
    "text",
    [
        "Imagine left the company",
        "Suppose Makesh left the company",
        "Makesh would leave the company if they let him",
        "Makesh might leave the company",
        "Makesh left the company?",
        "What if Makesh left the company",
        "Angenommen, Makesh hätte die Firma verlassen",
        "Imagínate que Makesh deja la empresa",
    ],
)
def test_what_is_supposed_or_asked_is_still(text: str) -> None:
    assert not is_meant(text)


def test_the_name_stays_as_it_was_written() -> None:
    (sentence,) = read_text("Makesh left the company last Friday").sentences

    assert sentence.text.startswith("Makesh")
    assert sentence.meaning.chances["event"] > 0.5


def is_over(known: str, said: str) -> bool:
    judged = [judge_said(known, sentence) for sentence in read_text(said).sentences]
    return any(kind in ("changes", "ends") and chance >= CLEAR for kind, chance in judged)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("Lives in Ely", "We moved to Hull this month"),
        ("Lives in Ely", "We've moved to Hull"),
        ("Lives in Diss", "Moved to Goole on Saturday, boxes everywhere"),
        ("Lives in Ely", "I've been living in Hull since May"),
        ("Vive en Soria", "Nos hemos mudado a Teruel este mes"),
        ("Vive en Soria", "Me he mudado a Teruel"),
        ("Vive en Soria", "nos acabamos de mudar a Teruel"),
        ("Wohnt in Bamberg", "Wir sind im März nach Coburg gezogen"),
        ("Vive a Lecce", "Ci siamo trasferiti a Trani questo mese"),
    ],
)
def test_a_move_is_one_to_whatever_place(known: str, said: str) -> None:
    assert is_over(known, said)


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("Lives in Ely", "I was in Hull this month"),
        ("Lives in Ely", "We're visiting Hull this week"),
        ("Lives in Ely", "My brother moved to Hull"),
        ("Lives in Ely", "My office moved to Hull"),
        ("Lives in Ely", "We moved the piano to Hull"),
        ("Lives in Ely", "we moved to Hull when I was six"),
        ("Lives in Ely", "We almost moved to Hull"),
        ("Lives in Ely", "I'd love to move to Hull"),
        ("Lives in Ely", "We lived in Hull for a year"),
        ("Vive en Soria", "Nos conocimos en Teruel"),
    ],
)
def test_who_has_not_moved_lives_where_they_did(known: str, said: str) -> None:
    assert not is_over(known, said)
