import re
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from nebo.env import env
from nebo.operations.checks import database, machine, service
from nebo.operations.findings import broken, note, ok, summary, table

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
        ("Walls between tenants", "ok"),
    ]
    assert re.search(r"vector \d", findings[2].detail)


def test_the_command_shows_everything_and_no_secret(committed_db: None) -> None:
    shown = StringIO()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.exit", lambda status: shown.write(f"exit {status}"))
        call_command("doctor", stdout=shown)

    for name in ("Python", "Data directory", "PostgreSQL", "Worker", "Embedding model", "Chat model"):
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
