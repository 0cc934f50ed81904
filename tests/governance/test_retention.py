"""Retention: each kind of thing goes after its tenant's window, nothing goes before, and every run says what went."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import timezone

from memories.audit.sealing import seal_all
from memories.models import AuditEntry, Memory, Observation
from memories.new_memory import NewObservation
from memories.storing.edit import confirm_memory, delete_memory, pin_memory, restore_memory
from nebo.api.models import IdempotencyRecord
from nebo.jobs.models import Job
from nebo.jobs.periodic import list_periodic_actions
from nebo.jobs.services import enqueue
from nebo.product.governance.models import Export
from nebo.product.governance.retention import STEPS, apply_retention, count_due
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import operator_scope, tenant_scope
from nebo.tenants.services import issue_key
from personality.models import Persona, PersonaCandidate
from search.indexing.passages import Passage, index_passages
from search.models import Chunk
from sessions.lifecycle import ageing
from sessions.models import Message, Session, SessionSummary
from tests.conftest import Team
from tests.governance.conftest import owner_rows
from tests.jobs.inline import run_jobs
from tests.memories.conftest import AGENT, JOB, remember, say

ARCHIVED, REMOVED, EXPIRED, PURGED = (
    "messages archived",
    "messages removed",
    "memories expired",
    "memories removed",
)


def keep(team: Team, **windows: int | None) -> Tenant:
    """The team with these windows."""
    with operator_scope():
        Tenant.objects.filter(pk=team.tenant.pk).update(**windows)
    return Tenant.objects.get(pk=team.tenant.pk)


def days_ago(days: float) -> Any:
    return timezone.now() - timedelta(days=days)


def age(table: str, column: str, days: float) -> None:
    """As the owner: the app's role could not."""
    owner_rows(f"UPDATE {table} SET {column} = now() - make_interval(secs => %(s)s)", s=days * 86_400)


def run(tenant: Tenant) -> dict[str, int]:
    outcome = apply_retention(tenant=tenant, actor=JOB)
    assert outcome.more is False
    return {name: count for name, count in outcome.counts.items() if count}


# --- Messages ----------------------------------------------------------------------------------------------


def converse(
    team: Team, *contents: str, days: float, compacted: bool = True, read: bool = True
) -> list[Message]:
    """Messages recorded so long ago, in a session of their own, findable."""
    with tenant_scope(team.tenant):
        messages = say(team, *contents)
        rows = Message.objects.for_tenant(team.tenant).filter(session_id=messages[0].session_id)
        rows.update(compacted=compacted)
        seen = messages[-1].seq if read else 0
        Session.objects.for_tenant(team.tenant).filter(pk=messages[0].session_id).update(extracted_seq=seen)
        passages = [
            Passage(source="session", text=m.content, session_id=m.session_id, seq_from=m.seq, seq_to=m.seq)
            for m in messages
        ]
        index_passages(tenant=team.tenant, person_id=team.person.pk, passages=passages)
    age("agent_sessions_message", "recorded_at", days)
    return messages


def left(team: Team) -> list[str]:
    with tenant_scope(team.tenant):
        return list(Message.objects.for_tenant(team.tenant).order_by("seq").values_list("content", flat=True))


@pytest.mark.parametrize(
    ("days", "window", "told"), [(91, 90, 2), (89, 90, 0), (400, None, 0), (400, 0, 0), (2, 1, 2)]
)
def test_folded_messages_are_archived_after_the_window(
    committed_db: None, acme: Team, days: float, window: int | None, told: int
) -> None:
    converse(acme, "One.", "Two.", days=days)

    assert run(keep(acme, archive_days=window)).get(ARCHIVED, 0) == told

    assert run(keep(acme, archive_days=window)).get(ARCHIVED, 0) == 0, "again it does no more"
    assert left(acme) == ["One.", "Two."], "archived is not removed"


def test_live_and_unread_messages_are_never_archived(committed_db: None, acme: Team) -> None:
    tenant = keep(acme, archive_days=1, event_days=1)

    converse(acme, "Live.", days=400, compacted=False)
    assert run(tenant) == {}
    converse(acme, "Unread.", days=400, read=False)
    assert run(tenant) == {}
    assert left(acme) == ["Live.", "Unread."]


def test_a_session_closed_with_a_summary_is_archived_too(committed_db: None, acme: Team) -> None:
    (message,) = converse(acme, "Bye.", days=400, compacted=False)
    tenant = keep(acme, archive_days=30)
    with tenant_scope(acme.tenant):
        rows = Session.objects.for_tenant(acme.tenant)
        rows.update(ended_at=days_ago(40))
    assert run(tenant) == {}, "nothing speaks for it yet"

    with tenant_scope(acme.tenant):
        SessionSummary.objects.for_tenant(acme.tenant).create(
            session_id=message.session_id, one_liner="A farewell"
        )
        rows.update(ended_at=days_ago(29))
    assert run(tenant) == {}, "it was closed too lately"

    with tenant_scope(acme.tenant):
        rows.update(ended_at=days_ago(31))
    assert run(tenant) == {ARCHIVED: 1}


def test_archived_messages_are_removed_with_their_passages(committed_db: None, acme: Team) -> None:
    (message,) = converse(acme, "I play the cello on Sundays.", days=400)
    with tenant_scope(acme.tenant):
        seen = NewObservation(
            message_id=message.pk,
            extractor="rules",
            value="Plays cello",
            quote="play the cello",
            confidence=0.9,
            trust="user",
        )
        memory = remember(acme, "Plays the cello", observations=(seen,)).memory
    tenant = keep(acme, archive_days=90, event_days=30)
    assert run(tenant) == {ARCHIVED: 1}
    assert run(tenant) == {}, "archived only now"
    age("agent_sessions_message", "archived_at", 31)

    assert run(tenant) == {REMOVED: 1}

    assert left(acme) == []
    with tenant_scope(acme.tenant):
        assert not Chunk.objects.for_tenant(acme.tenant).filter(source="session").exists()
        assert Chunk.objects.for_tenant(acme.tenant).filter(source="memory").exists()
        quotes = (
            Observation.objects.for_tenant(acme.tenant)
            .filter(memory=memory)
            .values_list("quote", "message_id")
        )
        assert ("play the cello", None) in set(quotes)


def test_a_message_archived_by_forgery_is_kept_until_it_is_old(committed_db: None, acme: Team) -> None:
    """The app's role can set `archived_at`, but not when a message was recorded."""
    converse(acme, "Young.", days=29)
    with tenant_scope(acme.tenant):
        Message.objects.for_tenant(acme.tenant).update(archived_at=days_ago(999))
    tenant = keep(acme, event_days=30)

    assert run(tenant) == {}
    assert left(acme) == ["Young."]


def test_many_messages_go_batch_by_batch(
    committed_db: None, acme: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ageing, "BATCH", 3)
    converse(acme, *[f"No. {n}" for n in range(8)], days=400)
    tenant = keep(acme, archive_days=90, event_days=30)

    assert run(tenant) == {ARCHIVED: 8}
    age("agent_sessions_message", "archived_at", 31)
    assert run(tenant) == {REMOVED: 8}


def test_a_run_that_is_stopped_is_gone_on_with(
    committed_db: None, acme: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ageing, "BATCH", 3)
    converse(acme, *[f"No. {n}" for n in range(8)], days=400)
    tenant = keep(acme, archive_days=90)

    first = apply_retention(tenant=tenant, actor=JOB, seconds=0)

    assert (first.counts[ARCHIVED], first.more) == (3, True)
    assert run(tenant) == {ARCHIVED: 5}


def test_one_team_does_not_touch_anothers(committed_db: None, acme: Team, rival: Team) -> None:
    converse(acme, "Mine.", days=400)
    converse(rival, "Theirs.", days=400)
    keep(rival, archive_days=None)

    assert run(keep(acme, archive_days=90)) == {ARCHIVED: 1}

    with tenant_scope(rival.tenant):
        assert Message.objects.for_tenant(rival.tenant).filter(archived_at=None).count() == 1


# --- Memories ----------------------------------------------------------------------------------------------


def test_expired_memories_pass_through_the_trash(committed_db: None, acme: Team) -> None:
    with tenant_scope(acme.tenant):
        memory = remember(acme, "Has a dentist's appointment", expires_at=days_ago(-1)).memory
        assert count_of(acme, EXPIRED) == 0
        Memory.objects.for_tenant(acme.tenant).filter(pk=memory.pk).update(expires_at=days_ago(1))
    tenant = keep(acme, trash_days=30)

    assert run(tenant) == {EXPIRED: 1}
    with tenant_scope(acme.tenant):
        memory.refresh_from_db()
        assert memory.status == "deleted"
    age("memories_memory", "deleted_at", 31)
    assert run(tenant) == {PURGED: 1}

    with tenant_scope(acme.tenant):
        assert not Memory.objects.for_tenant(acme.tenant).exists()
        actions = AuditEntry.objects.for_tenant(acme.tenant).filter(object_id=str(memory.pk)).order_by("at")
        assert list(actions.values_list("action", flat=True)) == [
            "memory.created",
            "memory.deleted",
            "memory.purged",
        ]


def count_of(team: Team, name: str) -> int:
    return count_due(tenant=team.tenant)[name]


def test_what_a_person_pinned_or_confirmed_does_not_expire(committed_db: None, acme: Team) -> None:
    with tenant_scope(acme.tenant):
        pinned = remember(acme, "Plays the cello").memory
        pin_memory(tenant=acme.tenant, memory=pinned, actor=AGENT)
        sure = remember(acme, "Bakes bread with rye", key="bread").memory
        confirm_memory(tenant=acme.tenant, memory=sure, actor=AGENT, seen_version=sure.version)
        Memory.objects.for_tenant(acme.tenant).update(expires_at=days_ago(400))

    assert run(keep(acme, trash_days=1)) == {}

    with tenant_scope(acme.tenant):
        pinned.refresh_from_db()
        delete_memory(tenant=acme.tenant, memory=pinned, actor=AGENT)
    age("memories_memory", "deleted_at", 2)
    assert run(keep(acme, trash_days=1)) == {PURGED: 1}, "by its own deletion it goes like any other"


@pytest.mark.parametrize("window", [None, 0])
def test_a_trash_without_a_window_is_never_emptied(
    committed_db: None, acme: Team, window: int | None
) -> None:
    with tenant_scope(acme.tenant):
        memory = remember(acme, "Plays the cello").memory
        delete_memory(tenant=acme.tenant, memory=memory, actor=AGENT)
    age("memories_memory", "deleted_at", 9_000)

    assert run(keep(acme, trash_days=window)) == {}
    with tenant_scope(acme.tenant):
        memory.refresh_from_db()
        restore_memory(tenant=acme.tenant, memory=memory, actor=AGENT)


# --- The rest ----------------------------------------------------------------------------------------------


def make_job(team: Team) -> None:
    enqueue(tenant=team.tenant, kind="echo", payload={})
    Job.objects.for_tenant(team.tenant).update(state=Job.State.SUCCEEDED, finished_at=timezone.now())


def make_candidates(team: Team) -> None:
    persona = Persona.objects.for_tenant(team.tenant).create(slug="guide")
    for decision in PersonaCandidate.Decision:
        PersonaCandidate.objects.for_tenant(team.tenant).create(
            persona=persona, field="emoji", value="x", decision=decision, reason="unclear"
        )


def make_answer(team: Team) -> None:
    key = issue_key(tenant=team.tenant).key
    IdempotencyRecord.objects.for_tenant(team.tenant).create(
        api_key=key, key="k", fingerprint="f", status=200
    )


def make_export(team: Team) -> None:
    Export.objects.for_tenant(team.tenant).create(person=team.person, requested_by="user:x")


CASES = [
    ("jobs removed", make_job, "jobs_job", "finished_at", "job_days", 14, 1),
    (
        "persona candidates removed",
        make_candidates,
        "personality_personacandidate",
        "created_at",
        "candidate_days",
        180,
        2,
    ),
    ("exports removed", make_export, "governance_export", "requested_at", "export_days", 3, 1),
    ("repeated answers removed", make_answer, "api_idempotencyrecord", "created_at", "", 1, 1),
]


@pytest.mark.parametrize(("name", "prepare", "table", "column", "window", "days", "told"), CASES)
def test_each_kind_goes_after_its_window(
    committed_db: None,
    acme: Team,
    name: str,
    prepare: Callable[[Team], None],
    table: str,
    column: str,
    window: str,
    days: float,
    told: int,
) -> None:
    with tenant_scope(acme.tenant):
        prepare(acme)
    tenant = Tenant.objects.get(pk=acme.tenant.pk)
    assert run(tenant) == {}, "by default nothing goes at once"
    age(table, column, days + 0.01)
    assert count_due(tenant=tenant)[name] == told
    if window:
        assert run(keep(acme, **{window: 0})) == {}, "kept for ever"
        assert run(keep(acme, **{window: None})) == {}, "kept for ever"
        tenant = keep(acme, **{window: days})

    assert run(tenant) == {name: told}

    assert run(tenant) == {}
    assert count_due(tenant=tenant)[name] == 0


def test_a_parked_job_waits_for_somebody(committed_db: None, acme: Team) -> None:
    with tenant_scope(acme.tenant):
        make_job(acme)
        Job.objects.for_tenant(acme.tenant).update(state=Job.State.DEAD, finished_at=days_ago(400))

    assert run(Tenant.objects.get(pk=acme.tenant.pk)) == {}


def test_sealed_entries_of_the_log_go_after_the_window(committed_db: None, acme: Team) -> None:
    with tenant_scope(acme.tenant):
        remember(acme, "Plays the cello")
        entries = AuditEntry.objects.for_tenant(acme.tenant).count()
    seal_all(tenant=acme.tenant)
    tenant = keep(acme, audit_days=10)
    owner_rows("ALTER TABLE memories_auditseal DISABLE TRIGGER USER")
    owner_rows(
        "UPDATE memories_auditseal SET last_at = now() - interval '11 days', "
        "created_at = now() - interval '11 days'"
    )
    owner_rows("ALTER TABLE memories_auditseal ENABLE TRIGGER USER")

    assert count_due(tenant=tenant)["audit entries removed"] == entries
    assert run(tenant) == {"audit entries removed": entries}


# --- As a job, and by command ------------------------------------------------------------------------------


def test_it_is_a_daily_job_that_says_what_it_removed(committed_db: None, acme: Team) -> None:
    converse(acme, "One.", "Two.", days=400)
    keep(acme, archive_days=90)
    with tenant_scope(acme.tenant):
        enqueue(tenant=acme.tenant, kind="retention", payload={})

    (job,) = run_jobs(acme.tenant, kind="retention")

    assert job.state == Job.State.SUCCEEDED, job.error
    assert job.result == {ARCHIVED: 2, "more": False}
    with tenant_scope(acme.tenant):
        entry = AuditEntry.objects.for_tenant(acme.tenant).get(action="retention.applied")
    assert entry.detail == {ARCHIVED: 2}
    assert "retention" in {round_.name for round_ in list_periodic_actions()}


def test_what_does_not_fit_into_one_run_follows_in_the_next(
    committed_db: None, acme: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ageing, "BATCH", 3)
    monkeypatch.setattr(apply_retention, "__kwdefaults__", {"seconds": 0})
    converse(acme, *[f"No. {n}" for n in range(4)], days=400)
    keep(acme, archive_days=90)
    with tenant_scope(acme.tenant):
        enqueue(tenant=acme.tenant, kind="retention", payload={}, dedupe_key="retention")

    run_jobs(acme.tenant, kind="retention")

    with tenant_scope(acme.tenant):
        runs = Job.objects.for_tenant(acme.tenant).filter(kind="retention").order_by("created_at")
        assert [run.result[ARCHIVED] for run in runs[:2]] == [3, 1]


def shell(*arguments: str) -> list[list[str]]:
    out = StringIO()
    call_command("retention", *arguments, stdout=out)
    return [line.split() for line in out.getvalue().splitlines()]


def test_the_command_counts_without_touching(committed_db: None, acme: Team) -> None:
    converse(acme, "One.", "Two.", days=400)
    keep(acme, archive_days=90)

    lines = shell("--tenant", "acme", "--dry-run")

    assert lines[0] == ["TENANT", "WHAT", "KEPT", "DUE"]
    assert ["acme", "messages", "archived", "90", "days", "2"] in lines
    assert ["acme", "messages", "removed", "for", "ever", "0"] in lines
    assert len(lines) == 2 + len(STEPS)
    with tenant_scope(acme.tenant):
        assert Message.objects.for_tenant(acme.tenant).filter(archived_at=None).count() == 2


def test_the_command_does_it_for_one_team_or_all(committed_db: None, acme: Team, rival: Team) -> None:
    for team in (acme, rival):
        converse(team, "One.", days=400)
        keep(team, archive_days=90)

    assert ["acme", "messages", "archived", "90", "days", "1"] in shell("--tenant", "acme")
    assert ["rival", "messages", "archived", "90", "days", "1"] in shell()
    with pytest.raises(CommandError, match="no tenant nobody"):
        shell("--tenant", "nobody")
