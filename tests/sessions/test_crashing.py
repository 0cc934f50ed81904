"""A turn is there as a whole or not at all, at whichever of its statements the process dies."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from memories.new_memory import NewMemory
from memories.storing.store import store_memory
from nebo.tenants.actor import Actor
from nebo.tenants.scoping import tenant_scope
from sessions.lifecycle.opening import open_session
from tests.conftest import Team

AGENT = Actor("key", "test")
LEFT_BEHIND = {
    "agent_sessions_message",
    "agent_sessions_sessionstate",
    "jobs_job",
    "memories_auditentry",
    "memories_entity",
    "memories_forgetrequest",
    "memories_memory",
    "memories_observation",
    "memories_todo",
    "memories_version",
    "search_chunk",
    "search_pendingembedding",
    "search_posting",
    "agent_sessions_session.next_seq",
    "search_corpus.length",
    "tenants_userprofile.memory_version",
}


def crash_at_each_statement(team: Team, session_id: object) -> list[dict[str, Any]]:
    command = [sys.executable, "-m", "tests.sessions.crashing", str(team.tenant.pk), str(session_id)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.slow
@pytest.mark.timeout(300)  # seconds; a process for each of some hundred statements
def test_a_turn_cut_off_at_any_statement_leaves_nothing_and_the_next_try_everything(
    committed_db: None, acme: Team
) -> None:
    with tenant_scope(acme.tenant):
        for name in ("Rex", "Ida"):
            new = NewMemory(value=f"Has a dog called {name}", key=f"dog-{name}")
            store_memory(tenant=acme.tenant, person=acme.person, new=new, actor=AGENT)
        session = open_session(tenant=acme.tenant, person=acme.person, key="chat").session

    before, *killed, whole = crash_at_each_statement(acme, session.pk)

    assert len(killed) > 50  # statements
    assert [attempt["rows"] for attempt in killed if attempt["rows"] != before["rows"]] == []
    assert not any(attempt["ended"] for attempt in killed)
    assert whole["ended"]
    grown = {name for name, count in whole["rows"].items() if count > before["rows"][name]}
    assert grown >= LEFT_BEHIND
