"""What follows a turn: extraction from the watermark on, compaction without loss, closing with a summary."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from memories.models import Memory, Observation
from nebo.jobs.claims import Claim, claim_job
from nebo.jobs.models import Job
from nebo.tenants.scoping import tenant_scope
from sessions.compaction.run import compact_session
from sessions.learning.extraction import extract_session
from sessions.lifecycle.closing import close_session
from sessions.models import Compaction, Message, Session, SessionSummary, Snapshot
from sessions.scheduling import schedule
from tests.conftest import Team
from tests.sessions.conftest import Call

pytestmark = pytest.mark.django_db


def talk(call: Call, session_id: str, *lines: tuple[str, str]) -> None:
    messages = [
        {"role": role, "name": "Alice" if role == "user" else "", "content": text} for role, text in lines
    ]
    answer = call("POST", f"sessions/{session_id}/turns/", {"messages": messages})
    assert answer.status_code == 201, answer.content


def claimed(team: Team, session_id: str, kind: str) -> Claim:
    with tenant_scope(team.tenant):
        session = Session.objects.for_tenant(team.tenant).select_related("tenant").get(pk=session_id)
        job = schedule(tenant=team.tenant, session=session, kind=kind)
        Job.objects.for_tenant(team.tenant).filter(pk=job.pk).update(due_at="2020-01-01T00:00:00Z")
    claim = claim_job(tenant_id=team.tenant.pk, job_id=job.pk)
    assert claim is not None
    return claim


def session_of(team: Team, session_id: str) -> Session:
    with tenant_scope(team.tenant):
        return Session.objects.for_tenant(team.tenant).get(pk=session_id)


def values(team: Team) -> list[str]:
    with tenant_scope(team.tenant):
        return list(
            Memory.objects.for_tenant(team.tenant).filter(status="active").values_list("value", flat=True)
        )


def test_extraction_keeps_the_quoted_turn_and_moves_the_watermark(
    call: Call, session_id: str, acme: Team
) -> None:
    talk(
        call, session_id, ("user", "I adopted a puppy called Biscuit last spring."), ("assistant", "Lovely!")
    )

    extract_session(claim=claimed(acme, session_id, "extract"), trigger="idle")

    assert session_of(acme, session_id).extracted_seq == 2
    with tenant_scope(acme.tenant):
        seen = Observation.objects.for_tenant(acme.tenant).exclude(quote="").first()
        assert seen is not None
        message = Message.objects.for_tenant(acme.tenant).get(pk=seen.message_id)
    assert message.content[seen.quote_start : seen.quote_end] == seen.quote


def test_flush_and_idle_never_do_the_same_work_twice(call: Call, session_id: str, acme: Team) -> None:
    talk(call, session_id, ("user", "I adopted a puppy called Biscuit last spring."))
    extract_session(claim=claimed(acme, session_id, "flush"), trigger="flush")
    with tenant_scope(acme.tenant):
        before = Observation.objects.for_tenant(acme.tenant).count()

    extract_session(claim=claimed(acme, session_id, "extract"), trigger="idle")

    with tenant_scope(acme.tenant):
        assert Observation.objects.for_tenant(acme.tenant).count() == before


def test_a_flush_waits_while_the_idle_extraction_of_its_session_runs(
    call: Call, session_id: str, acme: Team
) -> None:
    talk(call, session_id, ("user", "I adopted a puppy called Biscuit last spring."))
    running = claimed(acme, session_id, "extract")
    with tenant_scope(acme.tenant):
        session = Session.objects.for_tenant(acme.tenant).select_related("tenant").get(pk=session_id)
        flush = schedule(tenant=acme.tenant, session=session, kind="flush")

    assert claim_job(tenant_id=acme.tenant.pk, job_id=flush.pk) is None

    extract_session(claim=running, trigger="idle")
    with tenant_scope(acme.tenant):
        Job.objects.for_tenant(acme.tenant).filter(pk=flush.pk).update(due_at="2020-01-01T00:00:00Z")
    assert claim_job(tenant_id=acme.tenant.pk, job_id=flush.pk) is not None


def test_a_long_import_is_read_in_batches_and_nothing_is_left(
    call: Call, session_id: str, acme: Team
) -> None:
    lines = [("user", f"Today's note number {n}. " + "x" * 480) for n in range(70)]
    talk(call, session_id, *lines)

    extract_session(claim=claimed(acme, session_id, "extract"), trigger="idle")

    read = session_of(acme, session_id).extracted_seq
    assert 0 < read < 70
    with tenant_scope(acme.tenant):
        assert Job.objects.for_tenant(acme.tenant).filter(kind="extract", state="queued").count() == 1
    rounds = 0
    while session_of(acme, session_id).extracted_seq < 70:
        extract_session(claim=claimed(acme, session_id, "flush"), trigger="flush")
        rounds += 1
    assert rounds <= 35


def test_compaction_folds_all_but_ten_and_loses_nothing(call: Call, session_id: str, acme: Team) -> None:
    talk(call, session_id, *[("user", f"We planned item {n} of the trip to Bergen.") for n in range(30)])

    compact_session(claim=claimed(acme, session_id, "compact"))

    session = session_of(acme, session_id)
    listed = call("GET", f"sessions/{session_id}/messages/?limit=100").json()["results"]
    assert [message["compacted"] for message in listed] == [True] * 20 + [False] * 10
    assert session.compaction_count == 1
    assert session.recovering
    assert session.summary
    assert session.live_tokens == sum(message["tokens"] for message in listed[20:])
    with tenant_scope(acme.tenant):
        journal = Compaction.objects.for_tenant(acme.tenant).get()
        assert Snapshot.objects.for_tenant(acme.tenant).filter(compaction=journal).exists()
    assert (journal.seq_from, journal.seq_to, journal.kept) == (1, 20, 10)


def test_a_second_compaction_keeps_the_first_summary_within_the_next(
    call: Call, session_id: str, acme: Team
) -> None:
    talk(call, session_id, *[("user", f"Karin booked cabin number {n} in Bergen.") for n in range(14)])
    compact_session(claim=claimed(acme, session_id, "compact"))
    first = session_of(acme, session_id).summary
    talk(call, session_id, *[("user", f"Ole wants to see museum number {n}.") for n in range(14)])

    compact_session(claim=claimed(acme, session_id, "compact"))

    session = session_of(acme, session_id)
    assert session.summary.startswith(first[:100])
    assert len(session.summary) > len(first)
    assert session.compaction_count == 2


def test_nothing_is_folded_when_ten_or_fewer_are_left(call: Call, session_id: str, acme: Team) -> None:
    talk(call, session_id, *[("user", f"Line {n}.") for n in range(10)])
    claim = claimed(acme, session_id, "compact")

    compact_session(claim=claim)

    assert session_of(acme, session_id).compaction_count == 0
    assert job_result(acme, claim.job_id) == {"folded": 0}


def test_closing_summarises_and_ends_the_session(call: Call, session_id: str, acme: Team) -> None:
    talk(
        call,
        session_id,
        ("user", "Remind me to call my sister Ingrid on Friday about the cabin in Bergen."),
        ("assistant", "I will."),
    )

    close_session(claim=claimed(acme, session_id, "close"))

    assert session_of(acme, session_id).ended_at is not None
    with tenant_scope(acme.tenant):
        summary = SessionSummary.objects.for_tenant(acme.tenant).get()
    assert summary.one_liner


def job_result(team: Team, job_id: UUID) -> dict[str, Any]:
    with tenant_scope(team.tenant):
        result: dict[str, Any] = Job.objects.for_tenant(team.tenant).get(pk=job_id).result
        return result


def test_a_signal_is_in_the_very_next_context(call: Call, session_id: str) -> None:
    talk(call, session_id, ("user", "My name is Alice Johansen and I prefer green tea."))

    context = call("POST", f"sessions/{session_id}/context/", {"query": "What should I drink?"}).json()

    assert "Alice Johansen" in context["stable"]
    assert "green tea" in context["stable"]


def test_an_extracted_memory_is_in_the_very_next_context(call: Call, session_id: str, acme: Team) -> None:
    talk(call, session_id, ("user", "I always take the tram to work."))
    extract_session(claim=claimed(acme, session_id, "extract"), trigger="idle")

    context = call("POST", f"sessions/{session_id}/context/", {"query": "commute"}).json()

    assert any("tram" in value for value in values(acme))
    assert "tram" in context["stable"] + context["dynamic"]
