"""Forty answers as models really give them."""

from __future__ import annotations

import json
import time
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memories.extraction.parsing import Extraction, parse_extraction

TEA = {"key": "Preference/Hot_Drink", "value": "Prefers tea over coffee", "explicit": True}
SARAH = {"key": "person/sarah", "value": "Sarah is Sam's wife", "explicit": False}
GOOD = {"preferences": [TEA], "entities": [SARAH], "decisions": [], "styles": [], "artifacts": []}
TEXT = json.dumps(GOOD)


def values(answer: str) -> list[str]:
    return [fact.value for fact in parse_extraction(answer).facts]


BOTH = ["Prefers tea over coffee", "Sarah is Sam's wife"]
ANSWERS_WITH_BOTH = {
    "plain": TEXT,
    "pretty": json.dumps(GOOD, indent=4),
    "fenced": f"```json\n{TEXT}\n```",
    "fenced without a language": f"```\n{TEXT}\n```",
    "inline backticks": f"`{TEXT}`",
    "prose before": f"Sure! Here is what I found:\n\n{TEXT}",
    "prose after": f"{TEXT}\n\nLet me know if you need more.",
    "prose with braces before": f"The shape {{key: value}} and {{}} are used. {TEXT}",
    "an example object before": f'E.g. {{"note": "x"}}. Now: {TEXT}',
    "thinking before": f"<think>I should list {{facts}} [1] [2]</think>{TEXT}",
    "byte order mark": "\ufeff" + TEXT,
    "trailing commas": TEXT.replace("}]", "},],").replace("[]}", "[],}"),
    "comments": TEXT.replace('"entities"', '/* people */ "entities"').replace(
        '"styles"', '\n// none\n"styles"'
    ),
    "single quotes": str(GOOD),
    "bare keys": TEXT.replace('"preferences"', "preferences").replace('"key"', "key"),
    "raw line breaks in strings": TEXT.replace("tea over", "tea\nover"),
    "truncated in a third fact": TEXT.replace('"decisions": []', '"decisions": [{"key": "decision/db", "val'),
    "truncated in a string": TEXT[: TEXT.index(', "decisions"')].rstrip("]")
    + ', {"key": "x", "value": "half a sen',
    "truncated right after": TEXT[: TEXT.index(', "decisions"')],
    "array at the top": json.dumps([TEA, {**SARAH, "category": "entity"}]),
    "wrapped in a name": json.dumps({"facts": [TEA, SARAH]}),
    "wrapped in result": f'{{"result": {TEXT}}}',
    "the same array twice": (
        f'{{"preferences": [{json.dumps(TEA)}], "preferences": [], "entities": [{json.dumps(SARAH)}], "entities": []}}'
    ),
    "the same fact twice": json.dumps({"preferences": [TEA, TEA], "entities": [SARAH]}),
    "objects instead of arrays": json.dumps({"preferences": TEA, "entities": SARAH}),
    "nulls among facts": json.dumps(
        {"preferences": [None, TEA, 7, []], "entities": [SARAH], "decisions": None}
    ),
    "a huge number beside": TEXT.replace('"decisions": []', f'"decisions": [{{"value": {"9" * 5000}}}]'),
}


@pytest.mark.parametrize("answer", ANSWERS_WITH_BOTH.values(), ids=ANSWERS_WITH_BOTH.keys())
def test_facts_are_read_out_of_a_messy_answer(answer: str) -> None:
    found = [" ".join(value.split()) for value in values(answer)]

    assert found[:2] == BOTH


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "   ",
        "No durable facts here.",
        "{}",
        "[]",
        "null",
        "```json\n```",
        "{{{{{{",
        "[[[[[",
        '{"preferences": []}',
        "}{",
        '"text"',
        "{'",
    ],
)
def test_an_answer_without_facts_gives_none(answer: str) -> None:
    assert parse_extraction(answer) == Extraction()


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (4, "4"),
        (4.0, "4"),
        (2.5, "2.5"),
        (True, "yes"),
        (["tea", "mate"], "tea, mate"),
        ({"drink": "tea", "hot": True}, "drink: tea; hot: yes"),
        ("  spaced  ", "spaced"),
        ("nul\x00 and \u202ebidi", "nul and bidi"),
    ],
)
def test_a_value_of_another_kind_becomes_text(value: Any, expected: str) -> None:
    assert values(json.dumps({"preferences": [{"key": "k", "value": value}]})) == [expected]


@pytest.mark.parametrize("value", [None, "", "  ", [], {}, float("nan"), float("inf")])
def test_a_fact_without_a_value_is_left_out(value: Any) -> None:
    assert values(json.dumps({"preferences": [{"key": "k", "value": value}]})) == []


@pytest.mark.parametrize(
    ("explicit", "confidence"),
    [
        (True, 0.9),
        (False, 0.6),
        (None, 0.75),
        ("true", 0.9),
        ("no", 0.6),
        ("perhaps", 0.75),
        (1, 0.9),
        ({}, 0.75),
    ],
)
def test_explicit_gives_the_confidence(explicit: Any, confidence: float) -> None:
    (fact,) = parse_extraction(json.dumps({"preferences": [{**TEA, "explicit": explicit}]})).facts

    assert fact.confidence == confidence


def test_the_array_decides_the_category_and_the_rest_falls_back_to_what_is_known() -> None:
    row = {
        "key": "Style/Dry_Humor", "value": "Likes dry wit", "category": "entity", "type": "alien", "fact_type": 3,
        "tags": "wit, Humor,, wit",
        "importance": "critical", "message": "[12]", "quote": "dry wit", "entity": "Sarah", "entity_type": "Person",
    }  # fmt: skip

    (fact,) = parse_extraction(json.dumps({"styles": [row]})).facts

    assert (fact.category, fact.key, fact.type, fact.fact_type) == (
        "style",
        "style/dry-humor",
        "profile",
        "fact",
    )
    assert (fact.tags, fact.importance, fact.message, fact.quote) == (("wit", "humor"), 3, 12, "dry wit")
    assert (fact.entity_label, fact.entity_type) == ("Sarah", "person")


@pytest.mark.parametrize(
    ("given_", "expected"), [(-4, 0), (9, 3), ("2", 2), (1.6, 2), ("x", 1), (None, 1), ([], 1), (1e400, 1)]
)
def test_importance_stays_between_0_and_3(given_: Any, expected: int) -> None:
    (fact,) = parse_extraction(json.dumps({"preferences": [{**TEA, "importance": given_}]})).facts

    assert fact.importance == expected


def test_strings_stand_for_facts_and_get_a_key_of_their_words() -> None:
    (fact,) = parse_extraction('{"preferences": ["Lives in Berlin with two cats"]}').facts

    assert (fact.key, fact.value) == (
        "preference/lives-in-berlin-with-two-cats",
        "Lives in Berlin with two cats",
    )


def test_braces_in_strings_are_text() -> None:
    assert values('{"artifacts": [{"key": "a", "value": "if (x) { return \\"}\\" }"}]}') == [
        'if (x) { return "}" }'
    ]


def test_todos_are_read_with_their_day() -> None:
    row = {
        "kind": "commitment",
        "text": "Call mom",
        "due": "2023-05-09",
        "done": "no",
        "message": 3,
        "quote": "call mom",
    }

    (todo, plain, other) = parse_extraction(
        json.dumps({"todos": [row, "Buy milk", {"kind": "?", "text": "X", "due": "soon"}]})
    ).todos

    assert (todo.kind, todo.text, todo.due, todo.done, todo.message) == (
        "commitment",
        "Call mom",
        date(2023, 5, 9),
        False,
        3,
    )
    assert (plain.kind, plain.text, plain.due) == ("commitment", "Buy milk", None)
    assert (other.kind, other.due) == ("commitment", None)


def test_long_values_are_cut_at_a_word_and_keys_at_128() -> None:
    (fact,) = parse_extraction(
        json.dumps({"preferences": [{"key": "k" * 300, "value": "word " * 900}]})
    ).facts

    assert len(fact.key) == 128
    assert len(fact.value) <= 2048
    assert fact.value.endswith("word…")


def _deep(depth: int) -> str:
    return '{"a":' * depth + "1" + "}" * depth


HUGE = {
    "two megabytes of facts": json.dumps(
        {"preferences": [{"key": f"k{n}", "value": "x" * 100} for n in range(15_000)]}
    ),
    "two megabytes of prose": "word { " * 300_000,
    "opening brackets": "[" * 2_000_000,
    "opening braces": "{" * 2_000_000,
    "deep nesting": _deep(100_000),
    "deep nesting before the facts": _deep(50_000) + TEXT,
    "one endless string": '{"preferences": [{"key": "a", "value": "' + "y" * 2_000_000,
    "backslashes": '{"preferences": ["' + "\\" * 2_000_000,
    "comment marks": '{"preferences": [' + "/*" * 500_000,
    "quotes": '{"preferences": [' + '"' * 1_000_001,
    "known names": '{"preferences": ' * 100_000,
}


@pytest.mark.parametrize("answer", HUGE.values(), ids=HUGE.keys())
def test_a_huge_answer_is_read_in_bounded_time_and_number(answer: str) -> None:
    started = time.process_time()
    found = parse_extraction(answer)

    assert time.process_time() - started < 5.0
    assert len(found.facts) <= 200


@given(st.text())
def test_no_text_makes_the_parser_fail(answer: str) -> None:
    parse_extraction(answer)


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_no_shape_makes_the_parser_fail(shape: Any) -> None:
    for name in ("preferences", "todos", "entities"):
        parse_extraction(
            json.dumps({name: [shape, {"value": shape, "tags": shape, "entity": shape, "due": shape}]})
        )


@given(st.integers(0, len(TEXT)))
def test_a_cut_answer_gives_whole_facts_or_none(length: int) -> None:
    assert set(values(TEXT[:length])) <= set(BOTH)
