"""A backup made while Nebo runs, brought back elsewhere, and what is refused."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from nebo.database import database_urls, ensure_server
from nebo.env import env
from nebo.product.operations.backup.archive import (
    DUMP,
    KEY,
    MANIFEST,
    BackupFailed,
    Manifest,
    TableCount,
    read_archive,
    write_archive,
    written_archive,
)

ROOT = Path(__file__).parents[2]
DATABASE = f"{env.test_database}_backup"
ROLES = ("owner", "app", "operator")

MANIFEST_OF_ONE = Manifest(
    made_at="2026-01-01 00:00:00+00",
    tables={"memories_memory": TableCount(3, "77")},
    migrations=("memories.0001_initial",),
    roles={"app": "nebo_app"},
    audit_heads={},
)
TELL = """
from nebo.tenants.models import Tenant, UserProfile
from nebo.tenants.scoping import tenant_scope
from tests.memories.conftest import remember
from tests.conftest import Team
tenant = Tenant.objects.get(slug="acme")
with tenant_scope(tenant):
    for name in ("kept", "erased"):
        person = UserProfile.objects.for_tenant(tenant).create(external_id=name)
        remember(Team(tenant, None, person, person), f"The canary of {name} likes figs")
"""
ERASE = """
from nebo.jobs.worker.running import run_job
from nebo.product.governance.services.erasure import request_erasure
from nebo.tenants.actor import Actor
from nebo.tenants.models import Tenant, UserProfile
from nebo.tenants.scoping import tenant_scope
tenant = Tenant.objects.get(slug="acme")
with tenant_scope(tenant):
    person = UserProfile.objects.for_tenant(tenant).get(external_id="erased")
    job = request_erasure(tenant=tenant, person=person, actor=Actor("key", "test")).job
run_job(str(tenant.pk), str(job.pk))
"""


@dataclass
class Place:
    """A database and a data directory of their own."""

    folder: Path
    admin: str

    @property
    def url(self) -> str:
        return self.admin.rpartition("/")[0] + f"/{DATABASE}"

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        settings = {
            "NEBO_DATA_DIR": str(self.folder),
            "DATABASE_URL": self.url,
            "NEBO_EMBEDDING_MODEL": "hashing/384",
            "SECRET_KEY": "",
        }
        return subprocess.run(
            [sys.executable, str(ROOT / "manage.py"), *command],
            env={**os.environ, **settings},
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )

    def must(self, *command: str) -> str:
        done = self.run(*command)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def count(self, words: str) -> int:
        with psycopg.connect(self.url) as connection:
            found = connection.execute(
                "SELECT count(*) FROM memories_memory WHERE value LIKE %s", [f"%{words}%"]
            ).fetchone()
            return found[0] if found else 0

    def drop(self) -> None:
        with psycopg.connect(self.admin, dbname="postgres", autocommit=True) as connection:
            name = sql.Identifier(DATABASE)
            connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(name))
            for purpose in ROLES:
                role = sql.Identifier(f"{DATABASE}_{purpose}")
                connection.execute(sql.SQL("DROP ROLE IF EXISTS {}").format(role))


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    ensure_server()
    place = Place(tmp_path / "data", database_urls(env).admin)
    place.drop()
    with psycopg.connect(place.admin, dbname="postgres", autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(DATABASE)))
    yield place
    place.drop()


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_what_was_backed_up_comes_back_and_who_was_erased_since_does_not(
    place: Place, tmp_path: Path
) -> None:
    place.must("migrate", "--verbosity=0")
    place.must("issue_key", "--tenant", "acme", "--create")
    place.must("shell", "-c", TELL)
    backup = tmp_path / "nebo.backup"

    place.must("backup", str(backup))
    place.must("shell", "-c", ERASE)
    assert (place.count("canary of kept"), place.count("canary of erased")) == (1, 0)
    refused = place.run("restore", str(backup))
    assert "There are tables in this database already" in refused.stderr

    key = (place.folder / "secret_key").read_text()
    place.drop()
    (place.folder / "secret_key").unlink()
    said = place.must("restore", str(backup))

    assert (place.folder / "secret_key").read_text() == key
    assert "tables are the same" in said
    assert "1 people erased since then are erased again" in said
    assert (place.count("canary of kept"), place.count("canary of erased")) == (1, 0)
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data", "nebo.backup"]


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_a_row_that_did_not_come_back_is_noticed(place: Place, tmp_path: Path) -> None:
    place.must("migrate", "--verbosity=0")
    place.must("issue_key", "--tenant", "acme", "--create")
    place.must("shell", "-c", TELL)
    backup = tmp_path / "nebo.backup"
    place.must("backup", str(backup))
    archive = read_archive(backup)
    tables = {**archive.manifest.tables}
    tables["memories_memory"] = replace(tables["memories_memory"], checksum="1")
    told_otherwise = tmp_path / "other.backup"
    write_archive(
        told_otherwise,
        manifest=replace(archive.manifest, tables=tables),
        dump=archive.extract_dump(tmp_path),
        key=archive.key,
    )

    refused = place.run("restore", str(told_otherwise), "--replace")

    assert refused.returncode == 1
    assert "memories_memory: 2 rows were dumped, 2 came back, or not the same ones." in refused.stderr


def test_an_archive_reads_as_it_was_written(tmp_path: Path) -> None:
    dump = tmp_path / "dump"
    dump.write_bytes(b"PGDMP")

    write_archive(tmp_path / "b", manifest=MANIFEST_OF_ONE, dump=dump, key="a key")
    found = read_archive(tmp_path / "b")

    assert (found.manifest, found.key) == (MANIFEST_OF_ONE, "a key")
    assert found.extract_dump(tmp_path).read_bytes() == b"PGDMP"


def test_the_key_may_be_kept_elsewhere(tmp_path: Path) -> None:
    dump = tmp_path / "dump"
    dump.write_bytes(b"PGDMP")

    write_archive(tmp_path / "b", manifest=MANIFEST_OF_ONE, dump=dump, key="")

    assert read_archive(tmp_path / "b").key == ""
    assert KEY not in zipfile.ZipFile(tmp_path / "b").namelist()


def write_zip(path: Path, **members: str) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in members.items():
            archive.writestr({"manifest": MANIFEST, "dump": DUMP}[name], text)
    return path


def test_what_is_no_backup_is_refused_with_the_reason(tmp_path: Path) -> None:
    newer = json.dumps({**json.loads(MANIFEST_OF_ONE.to_json()), "format": 2})
    cases = {
        "is no backup": write_zip(tmp_path / "a", manifest="{}"),
        "manifest can't be read": write_zip(tmp_path / "b", manifest="[]", dump=""),
        "has format 2": write_zip(tmp_path / "c", manifest=newer, dump=""),
        "can't be read": tmp_path / "missing",
    }
    for reason, path in cases.items():
        with pytest.raises(BackupFailed, match=reason):
            read_archive(path)


def test_a_backup_that_fails_leaves_the_one_before(tmp_path: Path) -> None:
    path = tmp_path / "nebo.backup"
    path.write_text("of yesterday")

    with pytest.raises(RuntimeError, match="halfway"), written_archive(path) as scratch:
        scratch.write_text("half of")
        raise RuntimeError("halfway")

    assert path.read_text() == "of yesterday"
    assert list(tmp_path.iterdir()) == [path]
