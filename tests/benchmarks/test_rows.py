"""The rows that are asked of a running Nebo, and the scripted model that some of them need."""

from __future__ import annotations

import json

import httpx
import pytest

from benchmarks.rows.__main__ import ROWS
from benchmarks.rows.report import render_page, render_row, render_total
from benchmarks.rows.row import Outcome, Row, seen
from benchmarks.scripted import Script, scripted_model

EXTRACT = (
    'Answer {"preferences": [], "todos": []}\nt1: Pay the rent\n(before) user: I drink tea.\n[4] user: %s'
)


def outcome(*held: bool, unasked: str = "") -> Outcome:
    tea = Row("tea-known", "drinks", "Tea is remembered", lambda place: iter(()))
    return Outcome(tea, tuple(seen(one, "said", ["it", "was"]) for one in held), unasked)


def ask(url: str, prompt: str) -> httpx.Response:
    body = {"model": "scripted", "messages": [{"role": "user", "content": prompt}]}
    return httpx.post(f"{url}/chat/completions", json=body)


def test_each_row_has_a_name_of_its_own() -> None:
    assert len({row.id for row in ROWS}) == len(ROWS) == 83
    assert [row.id for row in ROWS if not (row.subject and row.name)] == []


def test_a_row_holds_where_all_its_cases_do_and_some_were_asked() -> None:
    assert outcome(True, True).holds
    assert not outcome(True, False).holds
    assert not outcome().holds


def test_what_does_not_hold_is_printed_with_what_was_seen() -> None:
    assert "FAILS    tea-known" in render_row(outcome(True, False))
    assert render_row(outcome(True, False)).count("seen: it | was") == 1
    assert render_row(outcome(True), verbose=True).count("seen: it | was") == 1
    assert "| `tea-known` | drinks | Tea is remembered | 1 of 2 | **doesn't** |" in render_page(
        [outcome(True, False)]
    )
    assert render_total([outcome(True), outcome(False), outcome(unasked="why")]) == (
        "1 of 2 rows hold; 1 of 2 cases; 1 not asked."
    )


def test_the_model_says_only_what_it_is_shown() -> None:
    with scripted_model() as (script, url):
        script.learns("I drink tea.", "Drinks tea.")
        script.closes("Rent's paid.", "Pay the rent")

        silent = json.loads(ask(url, EXTRACT % "Hello.").json()["choices"][0]["message"]["content"])
        told = json.loads(ask(url, EXTRACT % "Rent's paid.").json()["choices"][0]["message"]["content"])

    assert (silent["preferences"], silent["todos"]) == ([], [])
    (todo,) = told["todos"]
    assert (todo["message"], todo["done"], todo["text"], todo["known"]) == (4, True, "Pay the rent", "t1")


def test_the_model_fails_where_it_is_told_to() -> None:
    with scripted_model() as (script, url):
        script.fails_at("broken")

        assert (ask(url, "a broken lamp").status_code, ask(url, "a lamp").status_code) == (500, 200)


@pytest.mark.parametrize(
    "prompt, answer",
    [
        ("folded into a summary: the lamp is red", "the lamp is red."),
        ("the one task: paint the lamp, then sell it", "Sell the lamp"),
        ("the one task: nothing", "none"),
    ],
)
def test_summaries_and_tasks_are_made_of_what_stands_in_the_prompt(prompt: str, answer: str) -> None:
    script = Script()
    script.keeps("the lamp is red", "the lamp is blue")
    script.tasks += [("paint the lamp", "Paint the lamp"), ("sell it", "Sell the lamp")]

    assert script.answer("", prompt) == answer
