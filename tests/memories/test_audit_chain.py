"""The audit log: nobody changes it, it is sealed into a chain, and whatever was done to it past all that shows."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import Error, connections, transaction
from django.utils import timezone

from memories.audit.chain import GENESIS
from memories.audit.log import record_audit
from memories.audit.sealing import check_chain, enqueue_sealing, remove_audit, seal_all, seal_audit
from memories.models import AuditEntry, AuditGap, AuditSeal
from nebo.env import env
from nebo.jobs.models import Job
from nebo.jobs.periodic import list_periodic_actions
from nebo.tenants.models import Tenant
from nebo.tenants.scoping import operator_scope, tenant_scope
from tests.conftest import Team
from tests.jobs.inline import run_jobs
from tests.memories.conftest import AGENT, JOB, remember


def write(team: Team, *actions: str) -> list[AuditEntry]:
    """An entry an action."""
    with tenant_scope(team.tenant):
        return [
            record_audit(
                tenant=team.tenant,
                actor=AGENT,
                action=action,
                object_type="memory",
                object_id='x\n"y" ž \x01',
                person_id=team.person.pk,
                detail={"zz": 1.5, "a": ["é", None, 10**20], "nested": {"b": True}},
            )
            for action in actions
        ]


def as_owner(*statements: str, **params: Any) -> None:
    """What somebody with the keys to the whole database could do: the triggers are taken off first."""
    url = settings.DATABASE_URLS.owner
    with psycopg.connect(url, dbname=env.test_database, autocommit=True) as connection:
        for table in ("memories_auditentry", "memories_auditseal", "memories_auditgap"):
            connection.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        for statement in statements:
            connection.execute(statement, params or None)
        for table in ("memories_auditentry", "memories_auditseal", "memories_auditgap"):
            connection.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")


@pytest.fixture
def sealed(committed_db: None, acme: Team) -> list[AuditEntry]:
    """Six entries in three seals."""
    entries = write(acme, "one", "two", "three", "four", "five", "six")
    with tenant_scope(acme.tenant):
        for _ in range(3):
            assert seal_audit(tenant=acme.tenant, most=2) == 2
    return entries


def faults_of(team: Team) -> list[tuple[str, int]]:
    return [(fault.kind, fault.seal) for fault in check_chain(tenant=team.tenant).faults]


# --- Nobody changes it ------------------------------------------------------------------------------------

TABLES = ("memories_auditentry", "memories_auditseal", "memories_auditgap")
ATTEMPTS = ("UPDATE {} SET tenant_id = tenant_id", "DELETE FROM {}", "TRUNCATE {}")


@pytest.mark.parametrize("alias", ["default", "operator"])
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("attempt", ATTEMPTS)
def test_neither_web_nor_operators_may_change_the_log(
    committed_db: None, acme: Team, alias: str, table: str, attempt: str
) -> None:
    with (
        pytest.raises(Error, match="permission denied"),
        transaction.atomic(using=alias),
        connections[alias].cursor() as cursor,
    ):
        cursor.execute("SELECT set_config('nebo.tenant_id', %s, true)", [str(acme.tenant.pk)])
        cursor.execute("SELECT set_config('nebo.retention', 'on', true)")
        cursor.execute(attempt.format(table))


@pytest.mark.parametrize("table", ["memories_auditseal", "memories_auditgap"])
def test_nobody_makes_a_seal_or_a_gap_by_hand(scope: Team, table: str) -> None:
    with (
        pytest.raises(Error, match="permission denied"),
        transaction.atomic(),
        connections["default"].cursor() as cursor,
    ):
        cursor.execute(f"INSERT INTO {table} SELECT * FROM {table}")


@pytest.mark.parametrize("attempt", ATTEMPTS[:2])
def test_the_trigger_stops_the_owners_own_hand(sealed: list[AuditEntry], attempt: str) -> None:
    with (
        psycopg.connect(settings.DATABASE_URLS.owner, dbname=env.test_database) as connection,
        pytest.raises(psycopg.errors.InsufficientPrivilege, match="append-only"),
    ):
        connection.execute(attempt.format("memories_auditentry"))


def test_no_entry_is_born_sealed(scope: Team) -> None:
    entry = AuditEntry.objects.for_tenant(scope.tenant).create(
        actor="key:x", action="a", object_type="memory", seal=7
    )

    entry.refresh_from_db()
    assert entry.seal is None


# --- Sealing ----------------------------------------------------------------------------------------------


def test_seals_follow_each_other(sealed: list[AuditEntry], acme: Team) -> None:
    with tenant_scope(acme.tenant):
        seals = list(AuditSeal.objects.for_tenant(acme.tenant).order_by("number"))

    assert [seal.number for seal in seals] == [1, 2, 3]
    assert [seal.previous for seal in seals] == [GENESIS, seals[0].digest, seals[1].digest]
    assert [(seal.first_id, seal.last_id) for seal in seals] == [
        (sealed[0].pk, sealed[1].pk),
        (sealed[2].pk, sealed[3].pk),
        (sealed[4].pk, sealed[5].pk),
    ]
    report = check_chain(tenant=acme.tenant)
    assert (report.seals, report.entries, report.unsealed, report.faults) == (3, 6, 0, [])
    assert report.head == seals[2].digest


def test_each_team_has_a_chain_of_its_own(committed_db: None, acme: Team, rival: Team) -> None:
    write(acme, "one")
    write(rival, "two", "three")

    assert (seal_all(tenant=acme.tenant), seal_all(tenant=rival.tenant)) == (1, 2)

    assert check_chain(tenant=acme.tenant).seals == check_chain(tenant=rival.tenant).seals == 1
    assert seal_all(tenant=acme.tenant) == 0


def test_what_agents_and_jobs_did_is_sealed_by_a_job(committed_db: None, acme: Team) -> None:
    with tenant_scope(acme.tenant):
        remember(acme, "Plays the cello")
    with operator_scope():
        assert enqueue_sealing() == 0, "nothing has waited long enough"
    as_owner("UPDATE memories_auditentry SET at = at - interval '1 hour'")

    with operator_scope():
        assert enqueue_sealing() == 1
    (job,) = run_jobs(acme.tenant, kind="seal-audit")

    assert job.state == Job.State.SUCCEEDED, job.error
    assert job.result["sealed"] >= 1
    assert check_chain(tenant=acme.tenant).faults == []
    assert "seal-audit" in {round_.name for round_ in list_periodic_actions()}


# --- Tampering shows --------------------------------------------------------------------------------------


def test_a_changed_entry_is_named(sealed: list[AuditEntry], acme: Team) -> None:
    as_owner("UPDATE memories_auditentry SET actor = 'key:somebody-else' WHERE id = %(id)s", id=sealed[2].pk)

    (fault,) = check_chain(tenant=acme.tenant).faults

    assert (fault.kind, fault.seal, fault.entry_id) == ("changed", 2, sealed[2].pk)


@pytest.mark.parametrize(
    "column", ["at", "action", "object_type", "object_id", "person_id", "request_id", "detail"]
)
def test_no_column_can_be_changed_unseen(sealed: list[AuditEntry], acme: Team, column: str) -> None:
    values = {
        "at": "at + interval '1 microsecond'",
        "person_id": "NULL",
        "detail": "jsonb_set(detail, '{zz}', '2')",
    }
    value = values.get(column, f"{column} || '.'")
    as_owner(f"UPDATE memories_auditentry SET {column} = {value} WHERE id = %(id)s", id=sealed[0].pk)

    assert faults_of(acme) == [("changed", 1)]


def test_a_missing_entry_is_found(sealed: list[AuditEntry], acme: Team) -> None:
    as_owner("DELETE FROM memories_auditentry WHERE id = %(id)s", id=sealed[3].pk)

    assert faults_of(acme) == [("missing", 2)]


def test_an_inserted_entry_is_named(sealed: list[AuditEntry], acme: Team) -> None:
    (forged,) = write(acme, "forged")
    as_owner("UPDATE memories_auditentry SET seal = 3 WHERE id = %(id)s", id=forged.pk)

    (fault,) = check_chain(tenant=acme.tenant).faults

    assert (fault.kind, fault.seal, fault.entry_id) == ("inserted", 3, forged.pk)


def test_an_entry_of_no_seal_is_named(sealed: list[AuditEntry], acme: Team) -> None:
    as_owner("UPDATE memories_auditentry SET seal = 9 WHERE id = %(id)s", id=sealed[5].pk)

    assert faults_of(acme) == [("missing", 3), ("inserted", 9)]


@pytest.mark.parametrize(
    ("statement", "faults"),
    [
        ("DELETE FROM memories_auditseal WHERE number = 2", {("missing", 3), ("inserted", 3)}),
        ("UPDATE memories_auditseal SET digest = previous WHERE number = 1", {("broken", 1), ("broken", 2)}),
        ("UPDATE memories_auditseal SET entries = 1 WHERE number = 2", {("broken", 2)}),
        (
            "UPDATE memories_auditseal SET leaves = ''::bytea WHERE number = 3",
            {("broken", 3), ("inserted", 3)},
        ),
        (
            "UPDATE memories_auditseal SET leaves = NULL WHERE number = 3",
            {("missing", 3), ("inserted", 3), ("missing", 1)},
        ),
        (
            "DELETE FROM memories_auditentry WHERE seal = 1; "
            "UPDATE memories_auditseal SET leaves = NULL WHERE number = 1",
            {("missing", 1)},
        ),
    ],
)
def test_a_seal_can_not_be_bent(
    sealed: list[AuditEntry], acme: Team, statement: str, faults: set[tuple[str, int]]
) -> None:
    as_owner(*statement.split("; "))

    assert set(faults_of(acme)) == faults


def test_entries_can_not_be_explained_away_by_a_gap_of_ones_own(sealed: list[AuditEntry], acme: Team) -> None:
    as_owner(
        "INSERT INTO memories_auditgap (id, tenant_id, seal, entries, leaves, entry_id, created_at) "
        "SELECT gen_random_uuid(), tenant_id, seal, 1, nebo_audit_leaf(e.id, e.at, e.actor, e.action, "
        "e.object_type, e.object_id, e.person_id, e.request_id, e.detail), gen_random_uuid(), now() "
        "FROM memories_auditentry e WHERE id = %(id)s",
        "DELETE FROM memories_auditentry WHERE id = %(id)s",
        id=sealed[0].pk,
    )

    assert faults_of(acme) == [("missing", 0)]


# --- Retention keeps the chain ----------------------------------------------------------------------------


def keep_for(team: Team, days: int | None) -> None:
    with operator_scope():
        Tenant.objects.filter(pk=team.tenant.pk).update(audit_days=days)


def age(days: float) -> None:
    """Everything that is sealed so far was made and sealed earlier (no hash is over the time of sealing)."""
    as_owner(
        "UPDATE memories_auditseal SET created_at = created_at - %(by)s, last_at = last_at - %(by)s",
        by=timedelta(days=days),
    )


def remove(team: Team) -> int:
    with tenant_scope(team.tenant):
        return remove_audit(tenant=team.tenant, actor=JOB)


@pytest.mark.parametrize(("days", "removed"), [(None, 0), (0, 0), (30, 0), (9, 6)])
def test_old_entries_go_after_the_teams_window(
    sealed: list[AuditEntry], acme: Team, days: int | None, removed: int
) -> None:
    keep_for(acme, days)
    age(10)

    assert remove(acme) == removed

    report = check_chain(tenant=acme.tenant)
    assert (report.seals, report.entries, report.faults) == (3, 6 - removed, [])
    assert report.removed_seals == (3 if removed else 0)
    assert remove(acme) == 0, "again it does no more"


def test_removal_says_what_it_removed(sealed: list[AuditEntry], acme: Team) -> None:
    keep_for(acme, 9)
    age(10)
    write(acme, "young")
    seal_all(tenant=acme.tenant)

    remove(acme)

    with tenant_scope(acme.tenant):
        told = AuditEntry.objects.for_tenant(acme.tenant).get(action="audit.removed")
        assert told.detail == {"first_seal": 1, "last_seal": 3, "entries": 6}
        assert told.actor == "job:test"
        assert AuditEntry.objects.for_tenant(acme.tenant).filter(action="young").count() == 1
    seal_all(tenant=acme.tenant)
    assert check_chain(tenant=acme.tenant).faults == []


def test_an_entry_dated_back_is_kept_until_its_seal_is_old(committed_db: None, acme: Team) -> None:
    keep_for(acme, 9)
    with tenant_scope(acme.tenant):
        AuditEntry.objects.for_tenant(acme.tenant).create(
            actor="key:x", action="a", object_type="memory", at=timezone.now() - timedelta(days=99)
        )
    seal_all(tenant=acme.tenant)

    assert remove(acme) == 0


def test_the_check_goes_on_after_several_removals(sealed: list[AuditEntry], acme: Team) -> None:
    keep_for(acme, 9)
    for _ in range(3):
        age(10)
        remove(acme)
        write(acme, "later")
        seal_all(tenant=acme.tenant)

    report = check_chain(tenant=acme.tenant)

    assert report.faults == []
    assert report.removed_seals == 5


def test_one_team_can_not_remove_anothers(sealed: list[AuditEntry], acme: Team, rival: Team) -> None:
    keep_for(acme, 9)
    keep_for(rival, 9)
    age(10)

    assert remove(rival) == 0
    assert check_chain(tenant=acme.tenant).entries == 6


# --- The command ------------------------------------------------------------------------------------------


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("audit", *arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


def test_the_command_shows_a_line_a_team(sealed: list[AuditEntry]) -> None:
    lines = run("verify").splitlines()

    assert lines[0].split() == ["TENANT", "SEALS", "ENTRIES", "REMOVED", "UNSEALED", "STATE", "HEAD"]
    assert lines[2].split()[:6] == ["acme", "3", "6", "0", "0", "whole"]
    assert lines[3].split() == ["rival", "0", "0", "0", "0", "whole", "-"]


def test_the_command_fails_on_a_fault(sealed: list[AuditEntry]) -> None:
    as_owner("DELETE FROM memories_auditentry WHERE id = %(id)s", id=sealed[3].pk)

    with pytest.raises(CommandError, match="1 faults"):
        run("verify", "--tenant", "acme")
    assert "whole" in run("verify", "--tenant", "rival")


def test_a_head_noted_before_must_still_be_in_the_chain(sealed: list[AuditEntry], acme: Team) -> None:
    head = check_chain(tenant=acme.tenant).head
    write(acme, "later")
    assert "sealed" in run("seal", "--tenant", "acme")
    run("verify", "--head", head)
    as_owner(
        "DELETE FROM memories_auditentry WHERE seal >= 3",
        "DELETE FROM memories_auditseal WHERE number >= 3",
    )

    with pytest.raises(CommandError, match="newest part of its chain was replaced"):
        run("verify", "--head", head)


def test_a_team_that_does_not_exist_is_an_error(db: None) -> None:
    with pytest.raises(CommandError, match="no tenant nobody"):
        run("verify", "--tenant", "nobody")


def test_no_gaps_without_erasures(sealed: list[AuditEntry], acme: Team) -> None:
    with tenant_scope(acme.tenant):
        assert not AuditGap.objects.for_tenant(acme.tenant).exists()
