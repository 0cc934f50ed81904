"""AGENTS.md, MEMORY.md, SOUL.md and HEARTBEAT.md: over HTTP, from a folder, and in the prompt."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memories.models import AuditEntry
from nebo.tenants.scoping import tenant_scope
from personality.models import Persona, PersonaFile, PersonaRevision
from personality.personas.files import FILE_MAX_CHARS, render_files
from personality.personas.selectors import list_files, render_prompt_files
from sessions.context.layout import _fit_files
from sessions.tokens import estimate_tokens
from tests.conftest import Team
from tests.memories.conftest import Call, caller

pytestmark = pytest.mark.django_db
SOUL = "personas/coach/files/SOUL.md"


@pytest.fixture
def admin(db: None, acme: Team) -> Call:
    """A key with admin, and the persona `coach` that imports and exports."""
    call = caller(acme, scopes=("read", "write", "admin"))
    made = call("POST", "personas/", {"slug": "coach", "name": "Coach", "file_sync": "import_export"})
    assert made.status_code == 201
    return call


def put(call: Call, name: str, content: str, **headers: str) -> Any:
    return call("PUT", f"personas/coach/files/{name}.md", {"content": content}, **headers)


def stable_of(call: Call, key: str) -> str:
    """The stable prefix that an agent speaking as the coach gets."""
    body = {"user": "alice", "key": key, "persona": "coach"}
    session = call("POST", "sessions/", body).json()["id"]
    stable: str = call("POST", f"sessions/{session}/context/", {}).json()["stable"]
    return stable


def test_a_file_is_written_and_read_back(admin: Call) -> None:
    written = put(admin, "SOUL", "Be kind.\r\nBe brief.\u202e")
    read = admin("GET", SOUL)

    assert written.status_code == 200, written.content
    assert read.json()["content"] == "Be kind.\nBe brief."
    assert (read.json()["name"], read["ETag"]) == ("SOUL.md", written["ETag"])
    assert admin("GET", f"{SOUL}/").json() == read.json()


def test_writing_over_what_one_has_not_seen_is_refused(admin: Call) -> None:
    first = admin("GET", SOUL)["ETag"]
    put(admin, "SOUL", "One", **{"If-Match": first})

    stale = put(admin, "SOUL", "Two", **{"If-Match": first})

    assert stale.status_code == 412
    assert admin("GET", SOUL).json()["content"] == "One"


@pytest.mark.parametrize("name", ["README", "soul", "SOUL.md", "TOOLS"])
def test_a_file_of_another_name_does_not_exist(admin: Call, name: str) -> None:
    assert admin("GET", f"personas/coach/files/{name}.md").status_code == 404
    assert put(admin, name, "x").status_code == 404


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"content": 5},
        {"content": None},
        {"content": "x", "mode": "a"},
        {"content": "x" * (FILE_MAX_CHARS + 1)},
    ],
)
def test_a_bad_file_is_refused(admin: Call, body: dict[str, Any]) -> None:
    answer = admin("PUT", SOUL, body)

    assert answer.status_code == 400
    assert answer.json()["errors"]


def test_a_file_may_be_as_long_as_its_limit(admin: Call) -> None:
    assert put(admin, "SOUL", "x" * FILE_MAX_CHARS).status_code == 200


def test_only_admin_writes_and_only_ones_own_team_reads(admin: Call, acme: Team, rival: Team) -> None:
    put(admin, "SOUL", "Be kind.")

    assert put(caller(acme), "SOUL", "x").status_code == 403
    assert caller(acme)("GET", SOUL).json()["content"] == "Be kind."
    assert caller(rival)("GET", SOUL).status_code == 404


def test_an_export_only_persona_is_read_and_not_written(admin: Call) -> None:
    put(admin, "SOUL", "Be kind.")
    admin("PATCH", "personas/coach/", {"file_sync": "export_only"})

    refused = put(admin, "SOUL", "Be rude.")

    assert refused.status_code == 409
    assert "import_export" in refused.json()["detail"]
    assert admin("GET", SOUL).json()["content"] == "Be kind."
    assert "Be kind." in stable_of(admin, "chat")


def test_switched_off_files_are_neither_read_nor_written_nor_shown(admin: Call) -> None:
    put(admin, "SOUL", "Be kind.")
    admin("PATCH", "personas/coach/", {"file_sync": "disabled"})

    assert admin("GET", SOUL).status_code == 409
    assert put(admin, "SOUL", "x").status_code == 409
    assert "Be kind." not in stable_of(admin, "chat")


def test_where_nothing_was_written_the_persona_itself_speaks(admin: Call) -> None:
    rules = {
        "version": 1,
        "sections": [{"name": "Code", "items": [{"text": "Use tabs"}, {"text": "No", "enabled": False}]}],
    }
    admin("PATCH", "personas/coach/", {"creature": "patient owl", "rules": json.dumps(rules)})

    soul, agents, memory = (
        admin("GET", f"personas/coach/files/{name}.md").json() for name in ("SOUL", "AGENTS", "MEMORY")
    )

    assert "- Creature: patient owl" in soul["content"]
    assert agents["content"] == "# Rules\n\n## Code\n- Use tabs"
    assert (memory["content"], memory["updated_at"]) == ("", None)


def test_writing_back_what_was_exported_changes_nothing(admin: Call, acme: Team) -> None:
    exported = admin("GET", SOUL).json()["content"]

    put(admin, "SOUL", exported)

    with tenant_scope(acme.tenant):
        assert not PersonaFile.objects.for_tenant(acme.tenant).exists()
        assert Persona.objects.for_tenant(acme.tenant).get(slug="coach").version == 1


def test_each_content_stays_in_a_revision_and_the_log_has_no_text(admin: Call, acme: Team) -> None:
    put(admin, "SOUL", "First")
    put(admin, "SOUL", "Second")
    put(admin, "SOUL", "")

    with tenant_scope(acme.tenant):
        rows = PersonaRevision.objects.for_tenant(acme.tenant).filter(number__gt=1).order_by("number")
        told = [(row.before["files"]["SOUL.md"], row.after["files"]["SOUL.md"]) for row in rows]
        audit = AuditEntry.objects.for_tenant(acme.tenant).filter(action="persona.files_written")
        assert "First" not in str(list(audit.values_list("detail", flat=True)))
        assert audit.count() == 3
        assert not PersonaFile.objects.for_tenant(acme.tenant).exists()
    assert told[0][1:] == ("First",)
    assert told[1:] == [("First", "Second"), ("Second", "")]


def test_files_stand_in_the_prompt_behind_the_database_each_under_its_heading() -> None:
    contents = {
        "HEARTBEAT.md": "Check mail",
        "MEMORY.md": "Likes tea",
        "AGENTS.md": " ",
        "SOUL.md": "Be kind.\n",
    }

    assert render_files(contents) == [
        "# Personality (SOUL.md)\nBe kind.",
        "# User Memory (MEMORY.md)\nLikes tea",
    ]


def test_a_context_holds_the_files_of_its_persona_alone(admin: Call) -> None:
    before = stable_of(admin, "before")
    put(admin, "AGENTS", "Answer in French.")
    put(admin, "SOUL", "Be kind.")
    put(admin, "HEARTBEAT", "Check mail every hour.")

    stable = stable_of(admin, "after")

    added = "\n\n---\n\n# Personality (SOUL.md)\nBe kind.\n\n---\n\n# Agent Instructions (AGENTS.md)\nAnswer in French."
    assert stable == before + added
    plain = admin("POST", "sessions/", {"user": "alice", "key": "plain"}).json()["id"]
    assert "SOUL.md" not in admin("POST", f"sessions/{plain}/context/", {}).json()["stable"]


def test_reading_the_files_of_a_prompt_costs_one_query(admin: Call, acme: Team) -> None:
    for name in ("SOUL", "AGENTS", "MEMORY"):
        put(admin, name, f"{name} says so.")

    with tenant_scope(acme.tenant):
        coach = Persona.objects.for_tenant(acme.tenant).get(slug="coach")
        with CaptureQueriesContext(
            connection,
        ) as queries:
            sections = render_prompt_files(coach, list_files(tenant=acme.tenant, persona_id=coach.pk))

    assert (len(sections), len(queries)) == (3, 1)


def test_long_files_keep_to_their_share() -> None:
    long = "word " * 1_000

    kept = _fit_files([long, "short", "other"], room=100)

    assert len(kept) == 1
    assert estimate_tokens(kept[0]) <= 101
    assert _fit_files(["short", "other"], room=100) == ["short", "other"]


# --- manage.py persona_files ------------------------------------------------------------------------------


def run(action: str, directory: Path, **options: str) -> str:
    out = StringIO()
    call_command(
        "persona_files", action, str(directory), tenant="acme", stdout=out, **{"persona": "coach", **options}
    )
    return out.getvalue()


def test_a_folder_goes_out_and_comes_back(admin: Call, tmp_path: Path) -> None:
    put(admin, "MEMORY", "Likes tea.")
    run("export", tmp_path / "out")

    (tmp_path / "out" / "MEMORY.md").write_text("Likes coffee.\n", encoding="utf-8")
    (tmp_path / "out" / "README.md").write_text("not ours", encoding="utf-8")
    told = run("import", tmp_path / "out")

    assert (tmp_path / "out" / "SOUL.md").exists()
    assert not (tmp_path / "out" / "HEARTBEAT.md").exists()
    assert told.strip() == "Imported MEMORY.md; unchanged: SOUL.md."
    assert admin("GET", "personas/coach/files/MEMORY.md").json()["content"] == "Likes coffee."


@pytest.mark.parametrize(
    ("write", "options", "words"),
    [
        (lambda d: None, {}, "holds none of"),
        (lambda d: (d / "SOUL.md").write_text("x" * 100_000), {}, "larger than"),
        (lambda d: (d / "SOUL.md").write_text("x" * (FILE_MAX_CHARS + 5)), {}, "at most"),
        (lambda d: (d / "SOUL.md").write_bytes(b"\xff\xfe\x00"), {}, "utf-8"),
        (lambda d: (d / "SOUL.md").write_text("x"), {"persona": "nobody"}, "No persona"),
        (lambda d: (d / "SOUL.md").write_text("x"), {"persona": "default"}, "only exported"),
        (lambda d: (d / "SOUL.md").write_text("x"), {"tenant": "nobody"}, "no tenant"),
    ],
)
def test_a_folder_that_cannot_be_imported_says_why(
    admin: Call, tmp_path: Path, write: Callable[[Path], Any], options: dict[str, str], words: str
) -> None:
    write(tmp_path)

    with pytest.raises(CommandError, match=words):
        call_command(
            "persona_files", "import", str(tmp_path), **{"tenant": "acme", "persona": "coach", **options}
        )
