"""Wishes for some cases alone leave all other answers as they were wished for; of two amounts the newer holds."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conftest import Team
from tests.memories.conftest import Call, caller

pytestmark = pytest.mark.django_db


@pytest.fixture
def call(db: None, acme: Team) -> Call:
    return caller(acme)


def _ask(call: Call, *texts: str) -> dict[str, Any]:
    """What stands once somebody has said this, one turn each."""
    session = call("POST", "sessions/", {"user": "alice", "key": "chat"}).json()["id"]
    for text in texts:
        answer = call("POST", f"sessions/{session}/turns/", {"messages": [{"role": "user", "content": text}]})
        assert answer.status_code == 201
    fields: dict[str, Any] = call("GET", "users/alice/personality/").json()["overlay"]["fields"]
    return fields


@pytest.mark.parametrize(
    ("wished", "case"),
    [
        ("keep answers short pls", "longer answers are fine from now on when its about organs"),
        ("be brief please", "go into more detail on anything medical"),
        ("be brief please", "you can be more detailed if we talk about gardening"),
        ("please no emojis", "emojis are fine if I'm being silly"),
        ("keep it formal", "when it's about football you can be casual"),
    ],
)
def test_a_wish_for_a_case_keeps_it(call: Call, wished: str, case: str) -> None:
    fields = _ask(call, wished, case)

    assert fields.pop("rules") == [case]
    assert len(fields) == 1


@pytest.mark.parametrize(
    ("wished", "then", "value"),
    [
        ("be brief please", "you can be more detailed if you like", "detailed"),
        ("be brief please", "more detail please, if that's ok", "detailed"),
        ("keep answers short", "actually I'd like long answers from now on", "detailed"),
    ],
)
def test_a_politeness_is_no_case(call: Call, wished: str, then: str, value: str) -> None:
    assert _ask(call, wished, then) == {"response_length": value}


@pytest.mark.parametrize(
    ("wished", "then"),
    [
        ("give me 5 bullet points each time", "keep answers to 10 words"),
        ("three sentences max please", "from now on answer in ten words at most"),
    ],
)
def test_of_two_amounts_the_newer_holds(call: Call, wished: str, then: str) -> None:
    assert _ask(call, wished, then) == {"rules": [then]}


def test_a_case_takes_no_rule_back(call: Call) -> None:
    wishes = ("answers in 3 sentences max please", "you can go on for longer when i ask about rigging")

    assert _ask(call, *wishes) == {"rules": list(wishes)}


def test_what_is_no_amount_stays(call: Call) -> None:
    wishes = ("always end with one question", "keep answers to 10 words")

    assert _ask(call, *wishes) == {"rules": list(wishes)}
