"""What words bear out, and what they don't: cases in five languages, none of which the checks were made from alone."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import NamedTuple

import pytest

from nebo.reading.support.claims import weigh_claim
from nebo.reading.support.quoted import QuoteInContext
from nebo.reading.support.tasks import supported_due, weigh_settled, weigh_task
from nebo.reading.support.verdicts import Support
from nebo.reading.support.wishes import weigh_style

FOLDER = Path(__file__).parent / "support_cases"
ON = date(2026, 5, 28)
TRUE_AT_LEAST = 0.75  # share of truthful rewordings that code alone can tell


class Case(NamedTuple):
    language: str
    question: str
    message: str
    quote: str
    claim: str


def cases(name: str) -> Iterator[Case]:
    for line in (FOLDER / name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield Case(*line.split("|"))


def said(quote: str, message: str = "", before: str = "") -> QuoteInContext:
    message = message or quote
    return QuoteInContext(quote, message, message.find(quote), before, ON, ("Alice",))


def weigh(case: Case) -> Support:
    return weigh_claim(case.claim, said(case.quote or case.message, case.message, case.question))


def test_nothing_that_the_words_dont_say_is_supported() -> None:
    found = [(case, weigh(case)) for case in cases("invented.txt")]

    believed = [case for case, support in found if support.holds]
    refused = sum(support.grade == "unsupported" for _, support in found)
    print(f"{len(found)} inventions: {len(believed)} believed, {refused} refused, the rest unclear")
    assert len(found) >= 140
    assert believed == []
    assert refused >= 0.8 * len(found)


def test_most_truthful_rewordings_need_no_second_question() -> None:
    found = [(case, weigh(case)) for case in cases("truthful.txt")]

    told = [case for case, support in found if support.holds]
    refused = [case for case, support in found if support.grade == "unsupported"]
    print(
        f"{len(found)} truthful rewordings: {len(told)} supported, {len(refused)} refused, the rest unclear"
    )
    assert len(found) >= 140
    assert len(told) >= TRUE_AT_LEAST * len(found)
    assert len(refused) <= 0.05 * len(found)


@pytest.mark.parametrize(
    ("task", "quote"),
    [
        ("Call mom", "I will call mom tomorrow"),
        ("Send the slides to Bob by Friday.", "I need to send Bob the slides by Friday"),
        ("Pagar el alquiler", "Tengo que pagar el alquiler antes del viernes"),
        ("Renew passport", "can you remind me to renew my passport?"),
    ],
)
def test_what_is_to_be_done_is_said_to_be(task: str, quote: str) -> None:
    assert weigh_task(task, said(quote)).holds


@pytest.mark.parametrize(
    ("task", "quote"),
    [
        ("Buy a boat", "I will call mom"),
        ("Send Bob the slides", "I sent Bob the slides"),
        ("Pay the rent", "don't pay the rent"),
        ("Send Rakesh the slides", "I need to send Bob the slides by Friday"),
        ("Call mom at 9", "I will call mom tomorrow"),
    ],
)
def test_nothing_else_is_to_be_done(task: str, quote: str) -> None:
    assert not weigh_task(task, said(quote)).holds


@pytest.mark.parametrize(
    ("quote", "claimed", "due"),
    [
        ("I need to send it by Friday", date(2026, 5, 29), date(2026, 5, 29)),
        ("I need to send it by Friday", date(2026, 7, 1), date(2026, 5, 29)),
        ("I need to send it", date(2026, 7, 1), None),
    ],
)
def test_a_due_day_is_the_one_that_was_said(quote: str, claimed: date, due: date | None) -> None:
    assert supported_due(claimed, said(quote)) == due


@pytest.mark.parametrize(
    ("task", "quote", "settled"),
    [
        ("Call the dentist", "I called the dentist", True),
        ("Steuererklärung abgeben", "Steuererklärung ist abgegeben", True),
        ("Pagar el alquiler", "ya pagué el alquiler", True),
        ("Call the dentist", "I'll call the dentist later", False),
        ("Pay the rent", "I haven't paid the rent", False),
        ("Pay the rent", "lovely weather", False),
    ],
)
def test_what_is_done_is_said_to_be(task: str, quote: str, *, settled: bool) -> None:
    assert weigh_settled(task, said(quote)).holds == settled


@pytest.mark.parametrize(
    ("wish", "quote", "grade"),
    [
        ("Wants short answers", "Keep it short", "supported"),
        ("Wants answers in German", "antworte mir auf Deutsch", "supported"),
        ("Doesn't want emojis", "no emojis please", "supported"),
        ("Wants long detailed answers", "please keep your answers short", "unsupported"),
        ("Wants answers in French", "antworte mir auf Deutsch", "unsupported"),
        ("Prefers answers in Spanish", "thanks that helps a lot", "unsupported"),
        ("Has a dry sense of humour", "well that went swimmingly, like the Titanic", "unclear"),
    ],
)
def test_a_wish_is_asked_for_and_a_manner_is_never_plain(wish: str, quote: str, grade: str) -> None:
    assert weigh_style(wish, said(quote)).grade == grade
