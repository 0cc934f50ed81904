"""Export: everything known about a person, complete, as a file that is made and read in small pieces."""

from __future__ import annotations

import hashlib
import io
import json
import tracemalloc
from typing import Any
from zipfile import ZipFile

import pytest
from django.utils import timezone

from memories.models import AuditEntry
from nebo.jobs.models import Job
from nebo.product.governance.belongings import personal_models, plural_of
from nebo.product.governance.models import Export, ExportPart
from nebo.product.governance.services.export_file import HIDDEN_COLUMNS, LEFT_OUT, PART_BYTES, exported_models
from nebo.tenants.models import UserProfile
from nebo.tenants.scoping import tenant_scope
from sessions.models import Message, Session
from tests.conftest import Team
from tests.governance.conftest import PERSON, SECRET, fill, memories_of, messages_of, owner_rows
from tests.jobs.inline import run_jobs
from tests.memories.conftest import Call, caller


def make(call: Call, team: Team, user: str = PERSON) -> dict[str, Any]:
    """Ask, and let the job run; the job's result."""
    asked = call("POST", f"users/{user}/export/")
    assert asked.status_code == 202, asked.content
    (job,) = run_jobs(team.tenant, kind="export-person")
    assert job.state == Job.State.SUCCEEDED, job.error
    return {**asked.json()["export"], **job.result}


def download(call: Call, made: dict[str, Any]) -> Any:
    return call("GET", made["download"].partition("/api/v1/")[2])


def open_zip(response: Any) -> ZipFile:
    return ZipFile(io.BytesIO(b"".join(response.streaming_content)))


def rows_of(archive: ZipFile, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in archive.read(f"{name}.jsonl").decode().splitlines()]


def test_the_file_holds_everything_that_is_known(admin: Call, maya: UserProfile, acme: Team) -> None:
    made = make(admin, acme)
    archive = open_zip(download(admin, made))

    assert archive.testzip() is None
    manifest = json.loads(archive.read("manifest.json"))
    assert manifest["records"] == made["records"]
    assert {name: len(rows_of(archive, name)) for name in made["records"]} == made["records"]
    assert json.loads(archive.read("profile.json"))["external_id"] == PERSON
    assert [row["content"] for row in rows_of(archive, "messages")] == [
        m.content for m in messages_of(acme, maya)
    ]
    assert {row["value"] for row in rows_of(archive, "memories")} == {
        m.value for m in memories_of(acme, maya)
    }
    for name in (
        "observations",
        "versions",
        "sessions",
        "session_summaries",
        "compactions",
        "snapshots",
        "todos",
    ):
        assert SECRET in json.dumps(rows_of(archive, name)) or name == "sessions", name
        assert made["records"][name] >= 1, name
    assert "entities" in made["records"]
    assert "memory.searched" in {row["action"] for row in rows_of(archive, "audit_entries")}


def test_every_table_about_people_is_in_it_or_left_out_by_name() -> None:
    written = {model._meta.model_name for model, _ in exported_models()}
    personal = {model._meta.model_name for model in personal_models()}

    assert personal - written <= LEFT_OUT
    names = [plural_of(model) for model, _ in exported_models()]
    assert len(names) == len(set(names))
    assert {"memories", "entities", "session_summaries", "audit_entries", "api_keys", "spines"} <= set(names)


def test_nothing_of_the_machinery_or_of_keys_is_in_it(admin: Call, maya: UserProfile, acme: Team) -> None:
    archive = open_zip(download(admin, make(admin, acme)))

    assert all("digest" not in row for row in rows_of(archive, "api_keys"))
    assert made_of(archive) & HIDDEN_COLUMNS == set()


def made_of(archive: ZipFile) -> set[str]:
    """Every name of a column in the archive."""
    files = [name.removesuffix(".jsonl") for name in archive.namelist() if name.endswith(".jsonl")]
    return {column for name in files for row in rows_of(archive, name) for column in row}


def test_nothing_of_anybody_else_is_in_it(admin: Call, maya: UserProfile, acme: Team, rival: Team) -> None:
    fill(acme, "tom", "yellow submarine")
    fill(rival, PERSON, "yellow submarine")

    archive = open_zip(download(admin, make(admin, acme)))

    assert not [name for name in archive.namelist() if b"submarine" in archive.read(name)]


def test_the_download_says_how_large_and_what_it_is(admin: Call, maya: UserProfile, acme: Team) -> None:
    made = make(admin, acme)

    response = download(admin, made)
    content = b"".join(response.streaming_content)

    assert response["Content-Type"] == "application/zip"
    assert response["Content-Length"] == str(len(content)) == str(made["bytes"] or len(content))
    assert (
        response["Content-Disposition"] == f'attachment; filename="nebo-export-{timezone.now():%Y-%m-%d}.zip"'
    )
    assert response["ETag"] == f'"{hashlib.sha256(content).hexdigest()}"'
    assert response["Cache-Control"] == "no-store"


@pytest.mark.slow
def test_a_large_file_is_made_and_read_in_small_pieces(committed_db: None, acme: Team) -> None:
    """Sixteen megabytes of words that don't compress well, within a share of that."""
    with tenant_scope(acme.tenant):
        session = Session.objects.for_tenant(acme.tenant).create(person=acme.person, key="long")
    owner_rows(
        "INSERT INTO agent_sessions_message (id, tenant_id, session_id, person_id, seq, role, name, content, tokens, "
        "compacted, read_in_turn, passing, trust, created_at, recorded_at) SELECT gen_random_uuid(), %(tenant)s, "
        "%(session)s, %(person)s, "
        "n, 'user', '', (SELECT string_agg(md5(n::text || k::text), '') FROM generate_series(1, 64) k), 1, false, "
        "true, false, '', now(), now() FROM generate_series(1, 8000) n",
        tenant=acme.tenant.pk,
        session=session.pk,
        person=acme.person.pk,
    )
    admin = caller(acme, scopes=("admin",))
    make(
        admin, acme, "alice"
    )  # once before, so that what is imported and compiled on first use doesn't count
    tracemalloc.start()
    made = make(admin, acme, "alice")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert made["records"]["messages"] == 8_000
    with tenant_scope(acme.tenant):
        parts = ExportPart.objects.for_tenant(acme.tenant).filter(export_id=made["id"]).order_by("number")
        sizes = [len(bytes(data)) for data in parts.values_list("data", flat=True)]
    assert len(sizes) > 10
    assert set(sizes[:-1]) == {PART_BYTES}
    assert peak < 9_000_000, peak
    assert sum(len(piece) for piece in download(admin, made).streaming_content) == sum(sizes)


def test_a_second_attempt_begins_anew(admin: Call, maya: UserProfile, acme: Team) -> None:
    admin("POST", f"users/{PERSON}/export/")
    with tenant_scope(acme.tenant):
        export = Export.objects.for_tenant(acme.tenant).get()
        for number in (0, 7):
            ExportPart.objects.for_tenant(acme.tenant).create(export=export, number=number, data=b"half")

    run_jobs(acme.tenant, kind="export-person")

    archive = open_zip(admin("GET", f"users/{PERSON}/exports/{export.pk}/"))
    assert archive.testzip() is None


def test_asking_again_while_it_is_made_gives_the_same(admin: Call, maya: UserProfile, acme: Team) -> None:
    first, second = (admin("POST", f"users/{PERSON}/export/").json() for _ in range(2))

    assert first["export"]["id"] == second["export"]["id"]
    assert first["job"]["id"] == second["job"]["id"]
    early = admin("GET", f"users/{PERSON}/exports/{first['export']['id']}/")
    assert early.status_code == 409


def test_three_exports_are_kept(admin: Call, maya: UserProfile, acme: Team) -> None:
    made = [make(admin, acme) for _ in range(4)]

    listed = admin("GET", f"users/{PERSON}/exports/").json()["results"]

    assert [one["id"] for one in listed] == [one["id"] for one in reversed(made[1:])]
    assert all(one["ready"] for one in listed)
    assert download(admin, made[0]).status_code == 404


def test_an_export_past_its_days_is_gone(admin: Call, maya: UserProfile, acme: Team) -> None:
    made = make(admin, acme)
    owner_rows("UPDATE governance_export SET requested_at = now() - interval '3 days 1 second'")

    assert download(admin, made).status_code == 404
    assert admin("GET", f"users/{PERSON}/exports/").json()["results"] == []


def test_another_persons_export_is_not_found(admin: Call, maya: UserProfile, acme: Team, rival: Team) -> None:
    made = make(admin, acme)
    path = f"exports/{made['id']}/"
    with tenant_scope(acme.tenant):
        tom = UserProfile.objects.for_tenant(acme.tenant).create(external_id="tom")
    neighbour, stranger = caller(acme, person=tom), caller(rival, scopes=("admin",))

    assert neighbour("GET", f"users/{PERSON}/{path}").status_code == 404
    assert neighbour("GET", f"users/me/{path}").status_code == 404
    assert admin("GET", f"users/tom/{path}").status_code == 404
    assert stranger("GET", f"users/alice/{path}").status_code == 404
    assert caller(acme)("GET", f"users/{PERSON}/{path}").status_code == 403
    assert caller(acme, person=maya, scopes=("read",))("GET", f"users/me/{path}").status_code == 200


def test_the_log_tells_of_it(admin: Call, maya: UserProfile, acme: Team) -> None:
    made = make(admin, acme)
    download(admin, made)

    with tenant_scope(acme.tenant):
        rows = AuditEntry.objects.for_tenant(acme.tenant).filter(person_id=maya.pk, object_type="export")
        actions = list(rows.order_by("at").values_list("action", flat=True))
    assert actions == ["person.export_requested", "person.exported", "person.export_downloaded"]


def test_messages_are_in_their_order(admin: Call, maya: UserProfile, acme: Team) -> None:
    with tenant_scope(acme.tenant):
        session = Session.objects.for_tenant(acme.tenant).get(person=maya)
        Message.objects.for_tenant(acme.tenant).bulk_create(
            [
                Message(
                    tenant=acme.tenant,
                    session=session,
                    person=maya,
                    seq=10 + n,
                    role="user",
                    content=f"No. {n}",
                )
                for n in range(3)
            ]
        )

    archive = open_zip(download(admin, make(admin, acme)))

    assert [row["seq"] for row in rows_of(archive, "messages")][-3:] == [10, 11, 12]
