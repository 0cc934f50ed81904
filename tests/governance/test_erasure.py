"""Erasure: cut off at once, then gone from every table there is, with a receipt that counts what went."""

from __future__ import annotations

import hashlib
import json
import threading
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.db import connections

from memories.audit.sealing import check_chain, seal_all
from memories.models import AuditEntry
from nebo.env import env
from nebo.jobs.models import Job
from nebo.product.governance.belongings import personal_models
from nebo.product.governance.models import Erasure
from nebo.tenants.models import UserProfile
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.services import Speaks, issue_key
from tests.conftest import Team
from tests.governance.conftest import PERSON, fill, find_traces, messages_of, owner_rows
from tests.jobs.inline import run_jobs
from tests.memories.conftest import Call, caller


def erase(call: Call, team: Team, user: str = PERSON) -> dict[str, Any]:
    """Ask, let the job run, and ask again for the receipt."""
    asked = call("DELETE", f"users/{user}/")
    assert asked.status_code == 202, asked.content
    (job,) = run_jobs(team.tenant, kind="erase-person")
    assert job.state == Job.State.SUCCEEDED, job.error
    told = call("DELETE", f"users/{user}/")
    assert told.status_code == 200, told.content
    return dict(told.json()["receipt"])


def test_nothing_about_the_person_is_left_in_any_table(admin: Call, maya: UserProfile, acme: Team) -> None:
    made = admin("POST", f"users/{PERSON}/export/")
    assert made.status_code == 202
    run_jobs(acme.tenant)
    needles = (str(maya.pk), PERSON, "umbrella", "zebra", "Lisbon")
    before = find_traces(*needles)
    assert {"agent_sessions_message", "memories_memory", "memories_version", "memories_observation"} <= set(
        before
    )
    assert {"search_chunk", "search_posting", "api_idempotencyrecord", "tenants_apikey"} <= set(before)
    assert {"agent_sessions_snapshot", "memories_auditentry", "jobs_job", "governance_export"} <= set(before)

    erase(admin, acme)

    assert find_traces(*needles) == {}


def test_no_model_knows_the_person_any_more(admin: Call, maya: UserProfile, acme: Team) -> None:
    erase(admin, acme)

    with tenant_scope(acme.tenant):
        left = {
            model._meta.label: model.objects.for_tenant(acme.tenant).filter(**{lookup: maya.pk}).count()
            for model, lookup in personal_models().items()
        }
    assert {label: count for label, count in left.items() if count} == {}
    assert len(left) > 25


def count_postings(number: int) -> int:
    """Postings name a person by a number alone."""
    return int(
        owner_rows("SELECT count(*) FROM search_posting WHERE person_number = %(number)s", number=number)[0][
            0
        ]
    )


def test_the_receipt_counts_what_went(admin: Call, maya: UserProfile, acme: Team) -> None:
    run_jobs(acme.tenant)
    before = {
        name: owner_rows(f"SELECT count(*) FROM {name} WHERE person_id = %(id)s", id=maya.pk)[0][0]
        for name in (
            "agent_sessions_message",
            "memories_memory",
            "search_chunk",
            "memories_todo",
        )
    }
    (number,) = owner_rows("SELECT person_number FROM search_corpus WHERE person_id = %(id)s", id=maya.pk)[0]
    before["search_posting"] = count_postings(number)

    receipt = erase(admin, acme)

    assert count_postings(number) == 0

    assert {name: receipt["counts"].get(name) for name in before} == before
    assert min(before.values()) >= 1
    assert receipt["counts"]["tenants_userprofile"] == 1
    assert receipt["total"] == sum(receipt["counts"].values())
    assert receipt["requested_by"].startswith("key:")
    rest = {name: value for name, value in receipt.items() if name != "sha256"}
    canonical = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    assert receipt["sha256"] == hashlib.sha256(canonical.encode()).hexdigest()
    assert PERSON not in json.dumps(receipt)


def test_the_log_keeps_that_it_happened_and_its_chain_holds(
    admin: Call, maya: UserProfile, acme: Team
) -> None:
    assert check_chain(tenant=acme.tenant).entries > 0

    receipt = erase(admin, acme)

    with tenant_scope(acme.tenant):
        entry = AuditEntry.objects.for_tenant(acme.tenant).get(action="person.erased")
        assert not AuditEntry.objects.for_tenant(acme.tenant).filter(person_id=maya.pk).exists()
    assert (entry.actor, entry.object_id) == (receipt["requested_by"], receipt["erasure_id"])
    assert entry.detail["counts"] == receipt["counts"]
    assert entry.detail["person"] == receipt["person"]
    assert entry.detail["audit_entries"] > 0
    seal_all(tenant=acme.tenant)
    assert check_chain(tenant=acme.tenant).faults == []


def test_other_people_and_teams_keep_theirs(admin: Call, maya: UserProfile, acme: Team, rival: Team) -> None:
    fill(acme, "tom", "yellow submarine")
    fill(rival, PERSON, "yellow submarine")
    shown = {
        path: admin("GET", path).json()["results"]
        for path in ("users/tom/memories/", "users/tom/todos/", "users/tom/entities/", "sessions/?user=tom")
    }
    theirs = caller(rival, scopes=("admin",))
    assert [path for path, rows in shown.items() if not rows] == []

    erase(admin, acme)

    assert {path: admin("GET", path).json()["results"] for path in shown} == shown
    found = admin("POST", "users/tom/search/", {"query": "yellow submarine"}).json()["results"]
    assert found
    assert theirs("GET", f"users/{PERSON}/memories/").json()["results"]


def test_from_the_asking_on_nobody_reaches_the_person(admin: Call, maya: UserProfile, acme: Team) -> None:
    with tenant_scope(acme.tenant):
        UserProfile.objects.for_tenant(acme.tenant).filter(pk=maya.pk).update(login=acme.owner)
    own = caller_of(acme, maya)
    assert own("GET", "users/me/").status_code == 200

    assert admin("DELETE", f"users/{PERSON}/").status_code == 202

    assert own("GET", "users/me/").status_code == 401
    assert admin("GET", f"users/{PERSON}/").status_code == 404
    assert admin("POST", f"users/{PERSON}/search/", {"query": "umbrella"}).status_code == 404
    with tenant_scope(acme.tenant):
        assert UserProfile.objects.for_tenant(acme.tenant).get(pk=maya.pk).login_id is None


def caller_of(team: Team, person: UserProfile, **key: Any) -> Call:
    return caller(team, person=person, **key)


def test_asking_twice_is_asking_once(admin: Call, maya: UserProfile, acme: Team) -> None:
    first, second = (admin("DELETE", f"users/{PERSON}/") for _ in range(2))

    assert first.json()["job"]["id"] == second.json()["job"]["id"]
    run_jobs(acme.tenant, kind="erase-person")
    receipts = [admin("DELETE", f"users/{PERSON}/").json()["receipt"] for _ in range(2)]
    assert receipts[0] == receipts[1]
    with tenant_scope(acme.tenant):
        assert Erasure.objects.for_tenant(acme.tenant).count() == 1


def test_a_job_that_runs_twice_erases_once(admin: Call, maya: UserProfile, acme: Team) -> None:
    receipt = erase(admin, acme)
    owner_rows("UPDATE jobs_job SET state = 'queued', result = '{}' WHERE kind = 'erase-person'")

    (job,) = run_jobs(acme.tenant, kind="erase-person")

    assert job.result == receipt
    with tenant_scope(acme.tenant):
        assert AuditEntry.objects.for_tenant(acme.tenant).filter(action="person.erased").count() == 1


def test_somebody_of_the_same_name_begins_anew(admin: Call, maya: UserProfile, acme: Team) -> None:
    admin("DELETE", f"users/{PERSON}/")
    made = admin("POST", f"users/{PERSON}/memories/", {"value": "Likes tea"})
    assert made.status_code == 201

    run_jobs(acme.tenant, kind="erase-person")

    values = [memory["value"] for memory in admin("GET", f"users/{PERSON}/memories/").json()["results"]]
    assert values == ["Likes tea"]
    assert find_traces("zebra", str(maya.pk)) == {}


def test_the_caller_can_wait_for_the_receipt(
    admin: Call, maya: UserProfile, acme: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker's part is done by hand, in the middle of the wait."""

    def run_then_wait(**asked: Any) -> Job:
        run_jobs(acme.tenant, kind="erase-person")
        with tenant_scope(acme.tenant):
            return Job.objects.for_tenant(acme.tenant).get(pk=asked["job_id"])

    monkeypatch.setattr("nebo.product.governance.api.views.wait_for_job", run_then_wait)

    answer = admin("DELETE", f"users/{PERSON}/?wait=5")

    assert answer.status_code == 200
    assert answer.json()["receipt"]["counts"]["tenants_userprofile"] == 1


# --- Who may -----------------------------------------------------------------------------------------------


def test_only_the_persons_own_key_or_an_admins_may(admin: Call, maya: UserProfile, acme: Team) -> None:
    writer, reader = caller(acme), caller_of(acme, maya, scopes=("read",))
    with tenant_scope(acme.tenant):
        tom = UserProfile.objects.for_tenant(acme.tenant).create(external_id="tom")
    neighbour = caller_of(acme, tom)

    for call, status in ((writer, 403), (reader, 403), (neighbour, 404)):
        for method, path in (("DELETE", f"users/{PERSON}/"), ("POST", f"users/{PERSON}/export/")):
            assert call(method, path).status_code == status
    assert writer("DELETE", "users/nobody/").status_code == 403, "and learns nothing of who exists"
    assert admin("DELETE", "users/nobody/").status_code == 404
    assert admin("DELETE", "users/shared/").status_code == 404
    assert caller_of(acme, maya)("DELETE", "users/me/").status_code == 202


def test_a_key_of_one_persona_may_not(admin: Call, maya: UserProfile, acme: Team) -> None:
    made = admin("POST", "personas/", {"slug": "guide", "name": "Guide"})
    assert made.status_code == 201
    with tenant_scope(acme.tenant):
        from personality.models import Persona

        persona = Persona.objects.for_tenant(acme.tenant).get(slug="guide")
    bound = caller_of(acme, maya, speaks=Speaks(persona.pk))

    for method, path in (
        ("DELETE", "users/me/"),
        ("POST", "users/me/export/"),
        ("GET", "users/me/exports/"),
    ):
        assert bound(method, path).status_code == 403


def test_another_team_gets_no_receipt(admin: Call, maya: UserProfile, acme: Team, rival: Team) -> None:
    erase(admin, acme)

    assert caller(rival, scopes=("admin",))("DELETE", f"users/{PERSON}/").status_code == 404


# --- Writers at the same moment -----------------------------------------------------------------------------


def test_writers_that_were_under_way_find_nobody(admin: Call, maya: UserProfile, acme: Team) -> None:
    """Turns, memories and readings go on from four threads while the person is erased in the midst of them."""
    session = messages_of(acme, maya)[0].session_id
    stop, statuses = threading.Event(), set()
    turn = {"messages": [{"role": "user", "content": "Remember that I lost another umbrella."}]}
    memory = owner_rows("SELECT id FROM memories_memory WHERE person_id = %(id)s LIMIT 1", id=maya.pk)[0][0]

    def write(method: str, path: str, body: dict[str, Any]) -> None:
        call = caller(acme, scopes=("admin",))
        while not stop.is_set():
            statuses.add(call(method, path, body).status_code)
        connections.close_all()

    threads = [
        threading.Thread(target=write, args=("POST", f"sessions/{session}/turns/", turn)),
        threading.Thread(target=write, args=("POST", f"sessions/{session}/context/", {"query": "umbrella"})),
        threading.Thread(target=write, args=("PATCH", f"memories/{memory}/", {"importance": 2})),
        threading.Thread(target=write, args=("POST", f"sessions/{session}/flush/", {})),
    ]
    for thread in threads:
        thread.start()
    asked = admin("DELETE", f"users/{PERSON}/")
    (job,) = run_jobs(acme.tenant, kind="erase-person")
    stop.set()
    for thread in threads:
        thread.join()

    assert asked.status_code == 202
    assert job.state == Job.State.SUCCEEDED, job.error
    assert statuses <= {200, 201, 202, 404}, statuses
    assert 404 in statuses
    traces = find_traces("umbrella", "zebra", PERSON)
    assert traces == {}


# --- Doors -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM tenants_userprofile",
        "DELETE FROM agent_sessions_session",
        "DELETE FROM agent_sessions_message",
        "UPDATE agent_sessions_message SET content = ''",
        "UPDATE agent_sessions_message SET recorded_at = now() - interval '9 years'",
        "DELETE FROM memories_observation",
        "UPDATE memories_observation SET quote = ''",
        "DELETE FROM memories_version",
        "UPDATE memories_version SET reason = ''",
        "DELETE FROM agent_sessions_compaction",
        "UPDATE agent_sessions_compaction SET summary_after = ''",
        "UPDATE tenants_tenant SET event_days = 1",
        "TRUNCATE agent_sessions_message CASCADE",
    ],
)
def test_the_apps_role_can_neither_delete_nor_rewrite_what_was_said(acme: Team, statement: str) -> None:
    with psycopg.connect(settings.DATABASE_URLS.app, dbname=env.test_database) as connection:
        connection.execute("SELECT set_config('nebo.tenant_id', %s, true)", [str(acme.tenant.pk)])
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(statement)


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM tenants_userprofile",
        "DELETE FROM agent_sessions_session",
        "DELETE FROM agent_sessions_message",
        "UPDATE agent_sessions_message SET archived_at = now()",
        "UPDATE memories_observation SET quote = ''",
        "DELETE FROM memories_version",
        "DELETE FROM agent_sessions_compaction",
    ],
)
def test_operators_can_not_either(django_db_setup: None, statement: str) -> None:
    with (
        psycopg.connect(settings.DATABASE_URLS.operator, dbname=env.test_database) as connection,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        connection.execute(statement)


def test_the_doors_work_for_one_tenant_alone(admin: Call, maya: UserProfile, acme: Team, rival: Team) -> None:
    admin("DELETE", f"users/{PERSON}/")
    (erasure,) = owner_rows("SELECT id FROM governance_erasure")[0]

    with psycopg.connect(settings.DATABASE_URLS.app, dbname=env.test_database) as connection:
        connection.execute(f"SET LOCAL nebo.tenant_id = '{rival.tenant.pk}'")
        found = connection.execute("SELECT nebo_erase_person(%s, %s)", [rival.tenant.pk, erasure]).fetchone()
        assert found == (None,)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("SELECT nebo_erase_person(%s, %s)", [acme.tenant.pk, erasure])
    assert len(owner_rows("SELECT 1 FROM tenants_userprofile WHERE id = %(id)s", id=maya.pk)) == 1


def test_the_parts_of_a_door_are_not_for_the_app(django_db_setup: None) -> None:
    for question in ("SELECT nebo_personal_tables()", "SELECT nebo_owned_by('jobs_job'::regclass)"):
        with (
            psycopg.connect(settings.DATABASE_URLS.app, dbname=env.test_database) as connection,
            pytest.raises(psycopg.errors.InsufficientPrivilege),
        ):
            connection.execute(question)


def test_models_and_catalog_name_the_same_tables(committed_db: None) -> None:
    """What the export finds by the models, the erasure finds by the foreign keys."""
    by_catalog = {name for (name,) in owner_rows("SELECT rel::text FROM nebo_personal_tables()")}
    by_models = {model._meta.db_table for model in personal_models()}

    assert by_models - by_catalog == {"memories_auditentry"}
    assert by_catalog - by_models == set()


def test_a_bare_key_of_the_person_is_cut_off_with_them(admin: Call, maya: UserProfile, acme: Team) -> None:
    with tenant_scope(acme.tenant):
        key = issue_key(tenant=acme.tenant, person=maya).key

    admin("DELETE", f"users/{PERSON}/")

    assert owner_rows("SELECT revoked_at IS NOT NULL FROM tenants_apikey WHERE id = %(id)s", id=key.pk) == [
        (True,)
    ]
