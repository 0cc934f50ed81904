"""The task of a session, whoever reads its messages first: the turn itself, extraction or a compaction."""

from __future__ import annotations

import pytest

from nebo.tenants.scoping import tenant_scope
from sessions.compaction.run import compact_session
from sessions.learning.extraction import extract_session
from sessions.models import Session
from tests.conftest import Team
from tests.sessions.conftest import Call
from tests.sessions.test_jobs import claimed, talk

pytestmark = pytest.mark.django_db

OLD = "Help me write the speech for my aunt's birthday."
NEW = "The speech is finished. Now help me plan the trip to Lisbon."
CHATTER = [
    (role, text)
    for number in range(10)
    for role, text in (
        ("user", f"The tram was late again, {number} minutes this time, and it rained the whole way."),
        ("assistant", "That sounds tiring."),
    )
]


def task(team: Team, session_id: str) -> str:
    with tenant_scope(team.tenant):
        return Session.objects.for_tenant(team.tenant).get(pk=session_id).active_task


def read_all(team: Team, session_id: str) -> None:
    for _ in range(6):
        extract_session(claim=claimed(team, session_id, "extract"), trigger="flush")


@pytest.mark.parametrize("first", ["extract", "compact"])
def test_a_task_at_the_head_of_a_long_turn_counts_whoever_reads_it_first(
    call: Call, session_id: str, acme: Team, first: str
) -> None:
    talk(call, session_id, ("user", OLD))
    talk(call, session_id, ("user", NEW), *CHATTER)

    if first == "extract":
        read_all(acme, session_id)
    compact_session(claim=claimed(acme, session_id, "compact"))
    read_all(acme, session_id)

    assert "Lisbon" in task(acme, session_id)


@pytest.mark.parametrize("first", ["extract", "compact"])
def test_a_task_begun_since_outlives_one_that_was_read_late(
    call: Call, session_id: str, acme: Team, first: str
) -> None:
    talk(call, session_id, ("user", OLD), *CHATTER)
    talk(call, session_id, ("user", "Forget the speech, help me plan the trip to Lisbon."))
    begun = task(acme, session_id)

    if first == "extract":
        read_all(acme, session_id)
    compact_session(claim=claimed(acme, session_id, "compact"))
    read_all(acme, session_id)

    assert "Lisbon" in begun
    assert task(acme, session_id) == begun
