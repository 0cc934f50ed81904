"""What a workspace decides about sensitive matters holds for what is brought along from elsewhere, and over MCP."""

from __future__ import annotations

import json

import pytest

from nebo.product.governance.models import Import
from nebo.tenants.scoping import tenant_scope
from sessions.models import Message
from tests.conftest import Team
from tests.governance.test_imports import send
from tests.governance.test_sensitive_classes import HARMLESS, ILL, NEVER, decide, kept_out, memories
from tests.jobs.inline import run_jobs
from tests.mcp.conftest import Wire, key_of

pytestmark = pytest.mark.django_db

NOTES = {
    "results": [{"id": "1", "memory": "Has epilepsy"}, {"id": "2", "memory": "Plays the cello on Sundays"}]
}


@pytest.mark.parametrize(
    ("choice", "states"), [("learn", ["active"]), ("review", ["quarantined"]), ("never", [])]
)
def test_notes_of_another_system_come_in_as_decided(acme: Team, choice: str, states: list[str]) -> None:
    decide(acme, health=choice)
    data = json.dumps(NOTES).encode()

    foreseen = counts_of(acme, data, dry_run=True)
    assert memories(acme, "cello") == []
    stored = counts_of(acme, data, dry_run=False)

    assert foreseen == stored
    assert [status for status, _ in memories(acme, "epilepsy")] == states
    assert [status for status, _ in memories(acme, "cello")] == ["active"]
    assert stored["left_out"] == (choice == "never")
    assert stored["in_review"] == (choice == "review")


def counts_of(team: Team, data: bytes, *, dry_run: bool) -> dict[str, int]:
    asked = send(team, data, f"source=mem0&dry_run={str(dry_run).lower()}")
    assert asked.status_code == 202, asked.content
    run_jobs(team.tenant)
    with tenant_scope(team.tenant):
        counts = Import.objects.for_tenant(team.tenant).latest("requested_at").counts
    return {name: counts.get(name, 0) for name in ("memories", "in_review", "left_out")}


def test_a_conversation_that_is_imported_is_learned_from_as_decided(acme: Team) -> None:
    decide(acme, health="never")
    said = [{"role": "Ana", "role_type": "user", "content": text} for text in (ILL, HARMLESS)]
    zep = {"sessions": [{"session_id": "s", "user_id": "ana", "messages": said}]}

    assert send(acme, json.dumps(zep).encode(), "source=zep").status_code == 202
    run_jobs(acme.tenant)
    run_jobs(acme.tenant)  # what the import left to be read

    with tenant_scope(acme.tenant):
        assert Message.objects.for_tenant(acme.tenant).filter(content=ILL).exists()
    assert memories(acme, "diabetes") == []
    assert [status for status, _ in memories(acme, "Porto")] == ["active"]
    assert "health" in kept_out(acme)


def test_the_tools_of_mcp_are_no_way_around(acme: Team) -> None:
    decide(acme, health="never")
    wire = Wire(key_of(acme, "bob"))

    wire.call("add_messages", messages=[{"role": "user", "content": ILL}], conversation="chat")
    refused = wire.call("add_memory", value="Has epilepsy.")

    assert memories(acme, "diabetes") == memories(acme, "epilepsy") == []
    assert NEVER in json.dumps(refused)
