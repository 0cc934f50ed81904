"""Which of a person's rules a sentence is about: read by the words and the meaning of both."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest

from nebo.reading.meaning.reader import read_text
from nebo.reading.requests.forms import read_language_rule, speaks_of_address
from personality.models import PersonaOverlay
from personality.wishes.finding import find_withdrawals
from personality.wishes.relations import RelatedRule, _relate
from personality.wishes.withdrawals import _fit


def related(rules: list[str], text: str) -> list[tuple[str, str]]:
    """Which rule, and how, the one that fits best first."""
    ids: dict[UUID, str] = {uuid4(): rule for rule in rules}
    overlay = PersonaOverlay(fields={"rules": rules})
    found = [one for one in _relate(read_text(text), overlay, ids) if isinstance(one, RelatedRule)]
    return [(ids[one.object_id], one.relation) for one in sorted(found, key=lambda one: -_fit(one))]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("longer answers are ok now", "please keep your answers under three sentences"),
        ("ya no hace falta que seas breve de noche", "si te escribo de noche, sé breve"),
        ("de noche puedes escribir largo otra vez", "si te escribo de noche, sé breve"),
        ("you can write as much as you like again", "please keep your answers under three sentences"),
    ],
)
def test_the_rule_whose_words_and_condition_fit_is_the_one_taken_back(text: str, meant: str) -> None:
    rules = ["si te escribo de noche, sé breve", "please keep your answers under three sentences"]

    assert related(rules, text)[0] == (meant, "ends")


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("when I write in German, answer in German", "answer in English even if I write German"),
        ("when I write in German, answer in German", "si te escribo en alemán, contesta en inglés"),
        ("bitte sieze mich", "du kannst mich ruhig duzen"),
    ],
)
def test_another_answer_under_the_same_condition_changes_the_rule(rule: str, text: str) -> None:
    assert related([rule], text) == [(rule, "changes")]


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("when I write in German, answer in German", "when I write in French, answer in French"),
        ("bitte sieze mich", "meine Kollegen duzen mich"),
        ("Address them as Boss", "my boss was a joke today"),
        ("please don't use bullet points", "the bullet points in my report are wrong"),
    ],
)
def test_what_is_about_something_else_leaves_a_rule_alone(rule: str, text: str) -> None:
    assert related([rule], text) == []


def test_a_form_of_address_is_dropped_by_its_name() -> None:
    rule = "Address them as Boss"

    assert related([rule], "Boss was a joke, drop it, just use my name") == [(rule, "ends")]


def test_what_allows_one_case_stands_beside_the_rule() -> None:
    rule = "please don't use bullet points"

    assert related([rule], "bullet points are ok for shopping lists") == [(rule, "beside")]
    assert related([rule], "bullet points are fine again") == [(rule, "ends")]


def test_the_language_of_the_answers_is_told_from_what_the_person_writes_in() -> None:
    assert read_language_rule("auch wenn ich Deutsch schreibe, antworte auf Englisch") == (
        "English",
        frozenset({"German"}),
    )
    assert speaks_of_address("puedes tutearme") and not speaks_of_address("usted es muy amable")


def test_what_somebody_else_says_takes_back_no_wish() -> None:
    said = "Discutí con Rubén, el del grupo. Dice que ya no ensayo lo suficiente."

    assert find_withdrawals(said, read_text(said)) == []
