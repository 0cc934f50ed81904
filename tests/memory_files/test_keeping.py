"""Export, erasure, retention and the log know the files."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from memories.models import AuditEntry
from nebo.product.governance.belongings import personal_models, plural_of
from nebo.product.governance.retention import apply_retention, count_due
from nebo.product.governance.services.export_file import exported_models
from nebo.product.memory_files.models import MemoryFile, MemoryFileVersion
from nebo.tenants.actor import Actor
from nebo.tenants.models import UserProfile
from nebo.tenants.scoping import tenant_scope
from tests.conftest import Team
from tests.governance.conftest import find_traces
from tests.jobs.inline import run_jobs
from tests.memories.conftest import caller
from tests.memory_files.conftest import Tool, tool_of

NOTES = "/memories/notes.txt"


def test_an_export_has_the_files_and_their_versions() -> None:
    written = [model for model, _ in exported_models()]

    assert {MemoryFile, MemoryFileVersion} <= set(written)
    assert personal_models()[MemoryFileVersion] == "file__person_id"
    assert plural_of(MemoryFile) == "memory_files"


def test_an_erased_person_leaves_no_file(committed_db: None, acme: Team) -> None:
    tool_of(acme, "maya")("create", path=NOTES, file_text="owns a zebra umbrella")
    with tenant_scope(acme.tenant):
        maya = UserProfile.objects.for_tenant(acme.tenant).get(external_id="maya")
    assert find_traces("zebra umbrella") != {}
    admin = caller(acme, scopes=("admin",))

    assert admin("DELETE", f"users/{maya.external_id}/").status_code == 202
    (job,) = run_jobs(acme.tenant, kind="erase-person")

    assert job.state == "succeeded", job.error
    assert find_traces("zebra umbrella") == {}


def test_deleted_files_go_when_the_trash_no_longer_keeps_them(committed_db: None, acme: Team) -> None:
    tool = tool_of(acme)
    for name in ("old", "young", "live"):
        tool("create", path=f"/memories/{name}", file_text="x")
    for name in ("old", "young"):
        tool("delete", path=f"/memories/{name}")
    with tenant_scope(acme.tenant):
        rows = MemoryFile.objects.for_tenant(acme.tenant)
        rows.filter(path="old").update(deleted_at=timezone.now() - timedelta(days=31))
    assert count_due(tenant=acme.tenant)["memory files removed"] == 1

    outcome = apply_retention(tenant=acme.tenant, actor=Actor("job", "retention"))

    assert outcome.counts["memory files removed"] == 1
    with tenant_scope(acme.tenant):
        assert set(MemoryFile.objects.for_tenant(acme.tenant).values_list("path", flat=True)) == {
            "young",
            "live",
        }


def test_the_log_names_what_was_done_without_the_words(tool: Tool, acme: Team) -> None:
    tool("create", path=NOTES, file_text="zebra")
    tool("view", path="/memories")
    tool("view", path=NOTES)
    tool("delete", path=NOTES)

    with tenant_scope(acme.tenant):
        entries = AuditEntry.objects.for_tenant(acme.tenant).filter(object_type="memory_file").order_by("at")
        assert [entry.action for entry in entries] == [
            "file.created", "file.listed", "file.read", "file.deleted",
        ]  # fmt: skip
        assert "zebra" not in str([entry.detail for entry in entries])
