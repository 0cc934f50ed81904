"""A whole tenant taken along and brought back: its settings, its personas, and each of its people."""

from __future__ import annotations

import io
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.core.management import CommandError, call_command

from memories.models import Memory
from nebo.product.governance.services.tenant_settings import settings_of
from nebo.tenants.models import Tenant, UserProfile
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.selectors import find_tenant, get_shared_person
from personality.models import Persona, PersonaFile
from tests.conftest import Team
from tests.governance.conftest import PERSON, SECRET, fill
from tests.governance.everything import write_everything
from tests.governance.test_import_archive import erase, tables_of
from tests.jobs.inline import run_jobs
from tests.memories.conftest import caller


@pytest.fixture
def full(committed_db: None, acme: Team) -> Team:
    """Two people, a persona with a file, something that everybody is told, a setting of its own."""
    write_everything(acme, fill(acme, PERSON, SECRET))
    call = caller(acme, scopes=("read", "write", "admin"))
    call("POST", "users/bob/memories/", {"value": "Likes tea"})
    call("POST", "users/bob/memories/", {"value": "The office closes at six", "scope": "global"})
    call("PATCH", "settings/", {"trash_days": 77})
    with tenant_scope(acme.tenant):
        coach = Persona.objects.for_tenant(acme.tenant).get(slug="coach")
        PersonaFile.objects.for_tenant(acme.tenant).create(persona=coach, name="SOUL", content="Be kind.")
    run_jobs(acme.tenant)
    return acme


def export(folder: Path, slug: str = "acme", name: str = "acme.zip") -> Path:
    file = folder / name
    call_command("export_tenant", str(file), tenant=slug, stdout=io.StringIO())
    return file


def bring(file: Path, slug: str, *flags: str) -> str:
    out = io.StringIO()
    call_command("import_tenant", str(file), *flags, tenant=slug, stdout=out)
    return out.getvalue().strip()


def person_file(folder: Path, slug: str, user: str) -> Path:
    file = folder / f"{slug}-{user}.zip"
    call_command("export_person", str(file), tenant=slug, user=user, stdout=io.StringIO())
    return file


def tenant_called(slug: str) -> Tenant:
    found = find_tenant(slug=slug)
    assert found is not None
    return found


def test_a_tenant_comes_back_with_all_its_people(full: Team, tmp_path: Path) -> None:
    told = bring(export(tmp_path), "copy", "--create")

    copy = tenant_called("copy")
    assert "came in" in told
    assert settings_of(copy) == settings_of(tenant_called("acme"))
    for user in (PERSON, "bob"):
        there = tables_of(person_file(tmp_path, "copy", user))
        assert there == tables_of(person_file(tmp_path, "acme", user))
    with tenant_scope(copy):
        coach = Persona.objects.for_tenant(copy).get(slug="coach")
        assert PersonaFile.objects.for_tenant(copy).get(persona=coach).content == "Be kind."
        shared = get_shared_person(tenant=copy)
        told_to_all = Memory.objects.for_tenant(copy).get(person=shared)
    assert (told_to_all.value, told_to_all.scope) == ("The office closes at six", "global")


def test_importing_a_tenant_twice_doubles_nothing(full: Team, tmp_path: Path) -> None:
    file = export(tmp_path)
    bring(file, "copy", "--create")

    assert bring(file, "copy").startswith("0 rows")
    assert bring(file, "acme").startswith("0 rows")


def test_who_was_erased_since_stays_so(full: Team, rival: Team, tmp_path: Path) -> None:
    file = export(tmp_path)
    erase(full)

    for slug in ("acme", "rival"):
        assert "1 were erased since and stay so" in bring(file, slug)

    for team in (full, rival):
        with tenant_scope(team.tenant):
            people = UserProfile.objects.for_tenant(team.tenant).values_list("external_id", flat=True)
            assert PERSON not in set(people)
            assert "bob" in set(people)


def test_a_dry_run_looks_at_every_line(full: Team, rival: Team, tmp_path: Path) -> None:
    file = export(tmp_path)

    told = bring(file, "rival", "--dry-run")

    assert told.endswith("people are whole.")
    with tenant_scope(rival.tenant):
        assert not UserProfile.objects.for_tenant(rival.tenant).filter(external_id="bob").exists()


def test_a_broken_file_brings_nothing(full: Team, rival: Team, tmp_path: Path) -> None:
    file, broken = export(tmp_path), tmp_path / "broken.zip"
    with ZipFile(file) as old, ZipFile(broken, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            last = name.endswith("messages.jsonl") and content
            new.writestr(name, content.replace(b'"seq": 1', b'"seq": -1') if last else content)

    with pytest.raises(CommandError, match=r"people/\d+/messages.jsonl:1:seq: This number is out of range"):
        bring(broken, "rival")

    with tenant_scope(rival.tenant):
        assert not UserProfile.objects.for_tenant(rival.tenant).filter(external_id="bob").exists()
