"""What a team has written is read at once, wherever it is read; only what is older comes from the replica."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection

from benchmarks.standby import Standby
from nebo.postgres.replica import Recent
from nebo.tenants.scoping import operator_scope
from tests.conftest import Team
from tests.replica.conftest import Agent, ask_primary, ask_standby, key_of, let_catch_up

ROUNDS = 200
HELD_EVERY = 4  # rounds, in which the replica shows nothing new until it has been read


def store(agent: Agent, number: int) -> str:
    told = agent.call(
        "post", "users/alice/memories/", {"key": f"fact_{number}", "value": f"Owns boat {number}."}
    )
    return str(told["id"])


def test_what_was_just_written_is_read_in_each_of_200_rounds(agent: Agent, standby: Standby) -> None:
    stale = []
    for number in range(ROUNDS):
        held = number % HELD_EVERY == 0
        if held:
            ask_standby(standby, "SELECT pg_wal_replay_pause()")

        memory = store(agent, number)

        shown = agent.call("get", f"memories/{memory}/")
        asked = {"query": f"boat {number}", "limit": 50, "sources": ["memory"]}
        found = agent.call("post", "users/alice/search/", asked)["results"]
        if shown == 404 or memory not in {hit["memory_id"] for hit in found}:
            stale.append(number)
        if held:
            ask_standby(standby, "SELECT pg_wal_replay_resume()")
        elif number % HELD_EVERY == 1:
            let_catch_up(standby)
            assert agent.call("get", f"memories/{memory}/") != 404

    by = agent.read_by()
    assert stale == []
    assert by["replica"] >= ROUNDS // HELD_EVERY
    assert by["primary: behind"] >= 2 * ROUNDS // HELD_EVERY
    assert by["primary: writes"] == by["primary: failed"] == by["primary: gone"] == 0


def test_one_teams_writing_sends_no_other_team_to_the_primary(
    agent: Agent, acme: Team, rival: Team, standby: Standby
) -> None:
    other = Agent(key_of(rival))
    store(agent, 1)
    store(other, 1)
    other.call("get", "users/alice/memories/")
    let_catch_up(standby)
    ask_standby(standby, "SELECT pg_wal_replay_pause()")
    try:
        before = other.read_by()["replica"], other.read_by()["primary: behind"]
        store(agent, 2)

        listed = other.call("get", "users/alice/memories/")["results"]

        assert [memory["value"] for memory in listed] == ["Owns boat 1."]
        assert (other.read_by()["replica"], other.read_by()["primary: behind"]) == (before[0] + 1, before[1])
    finally:
        ask_standby(standby, "SELECT pg_wal_replay_resume()")


def test_reading_moves_no_position(agent: Agent, standby: Standby) -> None:
    store(agent, 1)
    agent.call("get", "users/alice/memories/")
    let_catch_up(standby)
    ask_standby(standby, "SELECT pg_wal_replay_pause()")
    try:
        before = agent.read_by()["replica"]

        for _ in range(5):
            agent.call("post", "users/alice/search/", {"query": "boat"})

        assert agent.read_by()["replica"] == before + 5
    finally:
        ask_standby(standby, "SELECT pg_wal_replay_resume()")


@pytest.mark.parametrize(("allowed_s", "by"), [(3600.0, "replica"), (0.0, "primary: behind")])
def test_what_others_wrote_may_be_as_old_as_the_settings_allow(
    agent: Agent, acme: Team, standby: Standby, settings: Any, allowed_s: float, by: str
) -> None:
    store(agent, 1)
    let_catch_up(standby)
    agent.call("get", "users/alice/memories/")
    ask_standby(standby, "SELECT pg_wal_replay_pause()")
    try:
        settings.REPLICA_STALENESS_S = allowed_s
        with operator_scope():
            acme.person.save(using="operator")
        before = agent.read_by()[by]

        agent.call("get", "users/alice/memories/")

        assert agent.read_by()[by] == before + 1
    finally:
        ask_standby(standby, "SELECT pg_wal_replay_resume()")


def test_a_position_must_be_no_older_than_allowed() -> None:
    now = [100.0]
    recent = Recent(clock=lambda: now[0])

    assert recent.least(1000, within_s=5.0) == 1000
    now[0] += 3.0
    assert recent.least(2000, within_s=5.0) == 1000
    now[0] += 3.0
    assert recent.least(3000, within_s=5.0) == 2000
    now[0] += 60.0
    assert recent.least(4000, within_s=5.0) == 4000


def test_after_a_crash_of_the_primary_everything_counts_as_just_written(agent: Agent, acme: Team) -> None:
    store(agent, 1)
    with connection.cursor() as cursor:
        cursor.execute("SELECT needed, reached FROM nebo_find_position(%s)", [acme.tenant.pk])
        known = cursor.fetchone()
    ask_primary("TRUNCATE tenants_position")

    with connection.cursor() as cursor:
        cursor.execute("SELECT needed, reached FROM nebo_find_position(%s)", [acme.tenant.pk])
        needed, reached = cursor.fetchone()

    assert known[0] <= known[1]
    assert needed == reached
