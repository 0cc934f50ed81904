"""What people ask of each other is asked of no agent."""

from __future__ import annotations

from typing import Any

import pytest

from nebo.encoders.files import has_e5
from tests.sessions.conftest import Call

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(not has_e5(), reason="reads with the multilingual model"),
]


def post(call: Call, session_id: str, *messages: dict[str, Any]) -> list[str]:
    """The values that are decided in a turn."""
    answer = call("POST", f"sessions/{session_id}/turns/", {"messages": list(messages)})
    assert answer.status_code == 201, answer.content
    return [one["value"] for one in answer.json()["persona"]["decisions"]]


@pytest.mark.parametrize(
    "wish", ["please keep your answers short from now on", "bitte antworte mir ab jetzt nur kurz"]
)
def test_two_who_talk_among_themselves_wish_nothing_of_an_agent(
    call: Call, session_id: str, wish: str
) -> None:
    post(call, session_id, {"role": "user", "name": "Ann", "content": "hi Ben"})
    post(call, session_id, {"role": "user", "name": "Ben", "content": "hi Ann"})

    assert post(call, session_id, {"role": "user", "name": "Ann", "content": wish}) == []


def test_where_an_agent_talks_too_it_is_meant(call: Call, session_id: str) -> None:
    post(call, session_id, {"role": "user", "name": "Ann", "content": "hi Ben"})
    post(call, session_id, {"role": "user", "name": "Ben", "content": "hi Ann"})
    post(call, session_id, {"role": "assistant", "content": "Hello, both of you."})
    wish = {"role": "user", "name": "Ann", "content": "please keep your answers short from now on"}

    assert post(call, session_id, wish) != []
