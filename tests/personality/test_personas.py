"""Personas of a team: archived and brought back, rolled back with their files, and what each mode of files allows."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import ProgrammingError, transaction

from nebo.errors import InvalidInput
from nebo.tenants.actor import Actor
from nebo.tenants.ids import default_persona_id
from nebo.tenants.scoping import tenant_scope
from personality.models import Persona, PersonaCandidate, PersonaRevision
from personality.personas.editing import create_persona, ensure_default_persona
from personality.personas.presets import PRESETS
from tests.conftest import Team
from tests.memories.conftest import Call, caller

pytestmark = pytest.mark.django_db
SOUL = "personas/coach/files/SOUL.md"


@pytest.fixture
def admin(db: None, acme: Team) -> Call:
    call = caller(acme, scopes=("read", "write", "admin"))
    assert call("POST", "personas/", {"slug": "coach", "name": "Coach"}).status_code == 201
    return call


def slugs(call: Call, query: str = "") -> list[str]:
    return [row["slug"] for row in call("GET", f"personas/{query}").json()["results"]]


def set_mode(call: Call, mode: str) -> None:
    assert call("PATCH", "personas/coach/", {"file_sync": mode}).status_code == 200


def test_an_archived_persona_opens_no_session_and_keeps_what_it_knows(admin: Call) -> None:
    body = {"user": "alice", "key": "chat", "persona": "coach"}
    session = admin("POST", "sessions/", body).json()["id"]
    admin("POST", "users/alice/memories/", {"value": "Runs at dawn", "persona": "coach"})

    gone = admin("DELETE", "personas/coach/", **{"If-Match": '"1"'})
    again = admin("DELETE", "personas/coach/")

    assert (gone.status_code, again.json()["version"]) == (200, 2)
    assert gone.json()["archived_at"]
    assert (slugs(admin), slugs(admin, "?archived=true")) == (["default"], ["coach"])
    assert admin("POST", "sessions/", {**body, "key": "new"}).status_code == 404
    said = {"messages": [{"role": "user", "content": "Still there?"}]}
    assert admin("POST", f"sessions/{session}/turns/", said).status_code == 201
    back = admin("POST", "personas/coach/restore/")
    assert back.json()["archived_at"] is None
    assert admin("POST", "sessions/", {**body, "key": "new"}).status_code == 201
    found = admin("POST", "users/alice/search/", {"query": "runs at dawn", "persona": "coach"})
    assert found.json()["results"]


def test_the_default_persona_cannot_be_archived(admin: Call) -> None:
    assert admin("DELETE", "personas/default/").status_code == 409


def test_a_rollback_is_a_new_revision_and_again_changes_nothing(admin: Call) -> None:
    admin("PATCH", "personas/coach/", {"name": "Trainer", "formality": "formal"})
    admin("PATCH", "personas/coach/", {"name": "Guru"})

    stale = admin("POST", "personas/coach/rollback/", {"to": 1}, **{"If-Match": '"2"'})
    back = admin("POST", "personas/coach/rollback/", {"to": 1}, **{"If-Match": '"3"'})
    again = admin("POST", "personas/coach/rollback/", {"to": 1})

    assert stale.status_code == 412
    assert (back.json()["name"], back.json()["formality"], back["ETag"]) == ("Coach", "adaptive", '"4"')
    assert again.json() == back.json()
    revisions = admin("GET", "personas/coach/revisions/").json()["results"]
    assert [(r["version"], r["after"]["name"]) for r in revisions] == [
        (4, "Coach"),
        (3, "Guru"),
        (2, "Trainer"),
        (1, "Coach"),
    ]
    assert admin("POST", "personas/coach/rollback/", {"to": 99}).status_code == 404
    assert admin("POST", "personas/coach/rollback/", {}).status_code == 400


def test_a_rollback_brings_the_files_of_then_back(admin: Call) -> None:
    set_mode(admin, "import_export")
    admin("PUT", SOUL, {"content": "One"})
    admin("PUT", SOUL, {"content": "Two"})
    admin("PUT", "personas/coach/files/MEMORY.md", {"content": "Likes tea"})

    admin("POST", "personas/coach/rollback/", {"to": 3})

    assert admin("GET", SOUL).json()["content"] == "One"
    assert admin("GET", "personas/coach/files/MEMORY.md").json()["content"] == ""
    admin("POST", "personas/coach/rollback/", {"to": 5})
    assert admin("GET", SOUL).json()["content"] == "Two"
    assert admin("GET", "personas/coach/files/MEMORY.md").json()["content"] == "Likes tea"


def test_only_admin_rolls_back_archives_and_restores(admin: Call, acme: Team) -> None:
    writer = caller(acme, scopes=("read", "write"))

    assert writer("POST", "personas/coach/rollback/", {"to": 1}).status_code == 403
    assert writer("DELETE", "personas/coach/").status_code == 403
    assert writer("POST", "personas/coach/restore/").status_code == 403


def test_history_cannot_be_rewritten_even_by_us(admin: Call, acme: Team) -> None:
    with tenant_scope(acme.tenant):
        rows = PersonaRevision.objects.for_tenant(acme.tenant)
        with pytest.raises(ProgrammingError, match="permission denied"), transaction.atomic():
            rows.update(reason="never happened")
        with pytest.raises(ProgrammingError, match="permission denied"), transaction.atomic():
            rows.all()._raw_delete("default")


@pytest.mark.parametrize(
    ("mode", "read", "written", "reason"),
    [
        ("export_only", 200, 409, "export_only"),
        ("import_export", 200, 200, ""),
        ("disabled", 409, 409, "disabled"),
    ],
)
def test_each_mode_of_files_holds_over_http_and_from_the_shell(
    admin: Call, tmp_path: Path, mode: str, read: int, written: int, reason: str
) -> None:
    set_mode(admin, mode)

    got, put = admin("GET", SOUL), admin("PUT", SOUL, {"content": "Be kind."})

    assert (got.status_code, put.status_code) == (read, written)
    if put.status_code == 409:
        assert (put.json()["code"], put.json()["errors"][0]["pointer"]) == ("conflict", "#/file_sync")
    (tmp_path / "SOUL.md").write_text("Be brief.")
    assert shell("import", tmp_path) == (written == 200)
    assert shell("export", tmp_path / "out") == (read == 200)
    assert (tmp_path / "out").exists() == (read == 200)
    shown = admin("PATCH", "personas/coach/", {"file_sync": "export_only"}) and admin("GET", SOUL).json()
    assert ("Be brief." in shown["content"]) == (mode == "import_export")
    assert reason in mode


def shell(action: str, directory: Path) -> bool:
    """Whether the command did it."""
    try:
        call_command(
            "persona_files", action, str(directory), tenant="acme", persona="coach", stdout=StringIO()
        )
    except CommandError:
        return False
    return True


def test_an_imported_file_is_a_candidate_that_was_accepted(admin: Call, acme: Team) -> None:
    set_mode(admin, "import_export")

    admin("PUT", SOUL, {"content": "Be kind."})

    (held,) = admin("GET", "personas/coach/candidates/").json()["results"]
    assert (held["field"], held["value"], held["decision"]) == ("SOUL.md", "Be kind.", "accepted")
    assert (held["reason"], held["source"], held["user"]) == ("file_import", "file", None)
    newest = admin("GET", "personas/coach/revisions/").json()["results"][0]
    assert newest["candidate_id"] == held["candidate_id"]
    assert admin("POST", f"personas/coach/candidates/{held['candidate_id']}/undo/").status_code == 409
    with tenant_scope(acme.tenant):
        assert PersonaCandidate.objects.for_tenant(acme.tenant).count() == 1


def test_the_default_persona_is_one_however_it_comes_to_be(admin: Call, acme: Team, rival: Team) -> None:
    theirs: Any = caller(rival, scopes=("read", "write", "admin"))
    made = theirs("POST", "personas/", {"slug": "default", "name": "Rex"}).json()
    with tenant_scope(rival.tenant):
        ensured = ensure_default_persona(tenant=rival.tenant)
        assert Persona.objects.for_tenant(rival.tenant).count() == 1

    assert made["id"] == str(ensured.pk) == str(default_persona_id(rival.tenant.pk))
    assert theirs("POST", "personas/", {"slug": "default"}).status_code == 409


# --- Ready-made personalities ---------------------------------------------------------------------------------


def opening(call: Call) -> str:
    """How a prompt of the coach begins."""
    session = call("POST", "sessions/", {"user": "alice", "key": "preset", "persona": "coach"}).json()["id"]
    stable: str = call("POST", f"sessions/{session}/context/", {"query": ""}).json()["stable"]
    return stable.split("\n\n---\n\n")[0]


def test_presets_are_listed_with_their_texts(admin: Call) -> None:
    listed = admin("GET", "presets/").json()["results"]

    assert [one["name"] for one in listed] == list(PRESETS)
    assert [one["name"] for one in listed if one["default"]] == ["balanced"]
    assert all("{name}" in one["text"] for one in listed)


def test_an_unknown_preset_is_refused_and_the_known_ones_are_named(admin: Call) -> None:
    changed = admin("PATCH", "personas/coach/", {"preset": "grumpy"})
    made = admin("POST", "personas/", {"slug": "other", "name": "Other", "preset": "custom"})

    for refused in (changed, made):
        (error,) = refused.json()["errors"]
        assert (refused.status_code, error["pointer"]) == (400, "#/preset")
        assert all(name in error["detail"] for name in PRESETS)
    assert admin("GET", "personas/coach/").json()["preset"] == ""


def test_the_services_refuse_an_unknown_preset_too(admin: Call, acme: Team) -> None:
    with tenant_scope(acme.tenant), pytest.raises(InvalidInput, match="balanced"):
        create_persona(
            tenant=acme.tenant, slug="other", fields={"preset": "grumpy"}, actor=Actor("user", "x")
        )


def test_ones_own_words_go_before_the_preset_and_the_preset_before_the_default(admin: Call) -> None:
    assert opening(admin) == PRESETS["balanced"].replace("{name}", "Coach")

    admin("PATCH", "personas/coach/", {"preset": "minimal"})
    assert opening(admin) == PRESETS["minimal"].replace("{name}", "Coach")

    admin("PATCH", "personas/coach/", {"custom_personality": "You are {name}, a grumpy gnome."})
    assert opening(admin) == "You are Coach, a grumpy gnome."

    admin("PATCH", "personas/coach/", {"custom_personality": "", "preset": ""})
    assert opening(admin) == PRESETS["balanced"].replace("{name}", "Coach")
