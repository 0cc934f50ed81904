"""What is kept for good: the stream of events, the journal over it, and who did what to whose memory."""

from __future__ import annotations

import pytest

from memories.models import AuditEntry, Memory
from nebo.tenants.scoping import tenant_scope
from sessions.models import Compaction, Message, Snapshot
from tests.conftest import Team
from tests.jobs.inline import run_jobs
from tests.memories.conftest import Call, caller


@pytest.fixture
def call(committed_db: None, acme: Team) -> Call:
    return caller(acme)


def converse(call: Call, turns: int) -> str:
    session = str(call("POST", "sessions/", {"user": "alice", "key": "long"}).json()["id"])
    for number in range(turns):
        said = (
            "I prefer tea over coffee." if number == 0 else f"This is turn number {number} about the garden."
        )
        turn = {"messages": [{"role": "user", "content": said}, {"role": "assistant", "content": "I see."}]}
        assert call("POST", f"sessions/{session}/turns/", turn).status_code == 201
    return session


def actions_of(team: Team) -> list[tuple[str, str]]:
    with tenant_scope(team.tenant):
        rows = (
            AuditEntry.objects.for_tenant(team.tenant).filter(person_id=team.person.pk).order_by("at", "id")
        )
        return list(rows.values_list("action", "object_id"))


def test_a_compaction_is_journalled_with_a_structured_snapshot(call: Call, acme: Team) -> None:
    session = converse(call, 12)
    call("POST", f"sessions/{session}/extract/")
    run_jobs(acme.tenant, kind="extract")
    before = [
        message["content"] for message in call("GET", f"sessions/{session}/messages/").json()["results"]
    ]

    call("POST", f"sessions/{session}/compact/")
    (job,) = run_jobs(acme.tenant, kind="compact")

    assert job.state == "succeeded", job.error
    with tenant_scope(acme.tenant):
        journal = Compaction.objects.for_tenant(acme.tenant).get(session_id=session)
        snapshot = Snapshot.objects.for_tenant(acme.tenant).get(compaction=journal)
        folded = Message.objects.for_tenant(acme.tenant).filter(compacted=True)
        assert (journal.seq_from, journal.seq_to) == (1, folded.count())
    assert journal.summary_after
    assert any("tea" in preference for preference in snapshot.preferences)
    assert all(
        isinstance(part, list)
        for part in (snapshot.facts, snapshot.tasks, snapshot.open_loops, snapshot.constraints)
    )
    after = [message["content"] for message in call("GET", f"sessions/{session}/messages/").json()["results"]]
    assert after == before, "the events themselves stay as they were said"


def test_every_upsert_and_every_deletion_is_in_the_log(call: Call, acme: Team) -> None:
    made = call("POST", "users/alice/memories/", {"value": "Plays the cello", "key": "cello"}).json()
    path = f"memories/{made['id']}/"
    call("PATCH", path, {"value": "Plays the viola"})
    call("DELETE", path)
    call("POST", f"{path}restore/")
    call("DELETE", f"{path}?purge=true")

    told = [action for action, object_id in actions_of(acme) if object_id == made["id"]]

    assert [action for action in told if action != "memory.read"] == [
        "memory.created",
        "memory.updated",
        "memory.deleted",
        "memory.restored",
        "memory.purged",
    ]
    with tenant_scope(acme.tenant):
        entries = AuditEntry.objects.for_tenant(acme.tenant).values_list("detail", flat=True)
        assert "cello" not in str(list(entries))


@pytest.mark.parametrize(
    ("path", "body", "action"),
    [
        ("users/alice/search/", {"query": "tea"}, "memory.searched"),
        ("users/alice/recall/", {"query": "tea", "min_similarity": 0.1}, "memory.recalled"),
        ("users/alice/tool/", {"action": "search", "query": "tea"}, "memory.searched"),
        ("sessions/{session}/context/", {"query": "tea or coffee"}, "context.read"),
    ],
)
def test_what_an_agent_was_shown_is_in_the_log(
    call: Call, acme: Team, path: str, body: dict[str, str], action: str
) -> None:
    session = converse(call, 1)
    run_jobs(acme.tenant)
    with tenant_scope(acme.tenant):
        known = {str(pk) for pk in Memory.objects.for_tenant(acme.tenant).values_list("pk", flat=True)}
    assert known

    answer = call("POST", path.format(session=session), body)

    assert answer.status_code == 200, answer.content
    with tenant_scope(acme.tenant):
        entries = list(
            AuditEntry.objects.for_tenant(acme.tenant).filter(actor__startswith="key:", action=action)
        )
    assert len(entries) == 1
    assert set(entries[0].detail["memories"]) <= known
    assert entries[0].detail["count"] == len(entries[0].detail["memories"])
    assert entries[0].detail["count"] >= 1
    assert entries[0].request_id == answer["X-Request-ID"]
