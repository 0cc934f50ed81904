"""`nebo connect` and `disconnect`: what agents' settings look like before and after."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from nebo_client.agents import AGENTS
from nebo_client.command import main

from nebo.product.workspace.connect_codes import make_code
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.selectors import find_caller
from tests.conftest import Team
from tests.sdk.conftest import Place

FILES = {
    "claude-code": ".claude.json",
    "claude-desktop": ".config/Claude/claude_desktop_config.json",
    "cursor": ".cursor/mcp.json",
    "vscode": ".config/Code/User/mcp.json",
    "windsurf": ".codeium/windsurf/mcp_config.json",
}
OWN_HOOK = {"hooks": [{"type": "command", "command": "make format"}]}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("NEBO_KEY", "NEBO_URL", "NEBO_USER", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("sys.platform", "linux")
    return tmp_path


@pytest.fixture
def connect(home: Path, place: Place) -> list[str]:
    return ["--url", place.url, "--key", place.key, "--user", "annie"]


def snapshot(home: Path) -> dict[str, str]:
    files = (path for path in home.rglob("*") if path.is_file() and ".config/nebo" not in str(path))
    return {str(path.relative_to(home)): path.read_text() for path in files}


@pytest.mark.parametrize("agent", FILES)
def test_an_entry_is_added_once_and_all_else_is_kept(
    home: Path, place: Place, connect: list[str], agent: str
) -> None:
    file = home / FILES[agent]
    file.parent.mkdir(parents=True, exist_ok=True)
    servers = "servers" if agent == "vscode" else "mcpServers"
    own = {"theme": "dark", servers: {"other": {"command": "x"}}, "ünï": [1, 2]}
    file.write_text(json.dumps(own, indent=4, ensure_ascii=False))
    first = file.read_text()

    assert main(["connect", agent, *connect]) == 0
    once = file.read_text()
    assert main(["connect", agent, *connect]) == 0

    assert file.read_text() == once
    settings = json.loads(once)
    entry = settings[servers].pop("nebo")
    assert settings == own
    assert place.key in json.dumps(entry)
    assert "annie" in json.dumps(entry)
    assert file.with_name(file.name + ".before-nebo").read_text() == first
    assert '\n    "theme"' in once  # indented as before
    assert main(["disconnect", agent]) == 0
    assert json.loads(file.read_text()) == own


def test_codex_keeps_its_settings_and_comments(home: Path, place: Place, connect: list[str]) -> None:
    file = home / ".codex" / "config.toml"
    file.parent.mkdir()
    own = '# mine\nmodel = "o9"\n\n[mcp_servers.other]\ncommand = "x"\n\n[projects."/a"]\ntrust = true\n'
    file.write_text(own)

    assert main(["connect", "codex", *connect]) == 0
    assert main(["connect", "codex", *connect]) == 0

    settings = tomllib.loads(file.read_text())
    headers = {"Authorization": f"Bearer {place.key}", "Nebo-User": "annie"}
    assert settings["mcp_servers"].pop("nebo") == {"url": f"{place.url}/mcp", "http_headers": headers}
    assert settings == tomllib.loads(own)
    assert file.read_text().startswith("# mine\n")
    assert main(["disconnect", "codex"]) == 0
    assert file.read_text() == own


def test_claude_code_has_hooks_beside_those_it_had(home: Path, connect: list[str]) -> None:
    file = home / ".claude" / "settings.json"
    file.parent.mkdir()
    own = {"hooks": {"Stop": [OWN_HOOK]}, "model": "opus"}
    file.write_text(json.dumps(own))

    assert main(["connect", "claude-code", *connect]) == 0
    assert main(["connect", "claude-code", *connect]) == 0

    hooks = json.loads(file.read_text())["hooks"]
    assert set(hooks) == {"UserPromptSubmit", "Stop", "PreCompact", "SessionEnd"}
    assert hooks["Stop"][0] == OWN_HOOK
    assert [len(entries) for entries in hooks.values()] == [2, 1, 1, 1]
    assert hooks["Stop"][1]["hooks"][0]["command"].endswith(" hook")
    assert main(["disconnect", "claude-code"]) == 0
    assert json.loads(file.read_text()) == own


@pytest.mark.parametrize("agent", AGENTS)
def test_a_dry_run_changes_nothing_and_shows_what_would(
    home: Path, connect: list[str], agent: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["connect", agent, *connect, "--dry-run"]) == 0

    assert snapshot(home) == {}
    assert "nebo" in capsys.readouterr().out


@pytest.mark.parametrize("agent", AGENTS)
def test_new_settings_hold_a_key_that_nobody_else_can_read(
    home: Path, connect: list[str], agent: str
) -> None:
    assert main(["connect", agent, *connect]) == 0

    modes = [path.stat().st_mode & 0o077 for path in home.rglob("*") if path.is_file()]
    assert modes
    assert not any(modes)


def test_settings_that_cannot_be_read_are_left_alone(
    home: Path, connect: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    file = home / ".cursor" / "mcp.json"
    file.parent.mkdir()
    file.write_text('{\n  // my servers\n  "mcpServers": {]\n}\n')
    before = file.read_text()

    assert main(["connect", "cursor", *connect]) == 1

    assert file.read_text() == before
    assert "by hand" in capsys.readouterr().out


@pytest.mark.parametrize("wrong", ["key", "url", "user"])
def test_nothing_is_written_where_the_key_does_not_serve(
    home: Path, place: Place, wrong: str, capsys: pytest.CaptureFixture[str]
) -> None:
    given = {"url": place.url, "key": place.key, "user": "annie"}
    given |= {wrong: {"key": "nebo_wrong", "url": "http://127.0.0.1:9", "user": ""}[wrong]}

    arguments = [part for name, value in given.items() for part in (f"--{name}", value)]
    assert main(["connect", "cursor", *arguments]) == 1

    assert snapshot(home) == {}
    assert capsys.readouterr().out.startswith("nebo: ")


@pytest.fixture
def code(place: Place, acme: Team) -> str:
    """As the page *Connect an agent* shows it."""
    with tenant_scope(acme.tenant):
        return make_code(tenant=acme.tenant, person=acme.person, user=acme.owner)


def test_a_code_is_exchanged_for_a_key_of_its_person(home: Path, place: Place, acme: Team, code: str) -> None:
    assert main(["connect", "cursor", "--url", place.url, "--code", code]) == 0

    account = json.loads((home / ".config" / "nebo" / "account.json").read_text())
    caller = find_caller(account["key"])
    assert caller is not None
    assert (caller.person_id, caller.scopes) == (acme.person.pk, {"read", "write"})
    assert account["key"] in (home / ".cursor" / "mcp.json").read_text()
    assert account["key"] != place.key
    assert main(["search", "anything"]) == 0


def test_a_code_works_once_and_says_so(
    home: Path, place: Place, code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["connect", "cursor", "--url", place.url, "--code", code]
    assert main(arguments) == 0
    before = snapshot(home)

    assert main(arguments) == 1

    assert "opens nothing" in capsys.readouterr().out
    assert snapshot(home) == before


def test_a_dry_run_does_not_use_the_code_up(home: Path, place: Place, code: str) -> None:
    arguments = ["connect", "cursor", "--url", place.url, "--code", code.lower()]

    assert main([*arguments, "--dry-run"]) == 0
    assert snapshot(home) == {}

    assert main(arguments) == 0


def test_whoever_disconnects_may_end_the_key_too(home: Path, place: Place, code: str) -> None:
    assert main(["connect", "cursor", "--url", place.url, "--code", code]) == 0
    key = json.loads((home / ".config" / "nebo" / "account.json").read_text())["key"]

    assert main(["disconnect", "cursor"]) == 0
    assert find_caller(key) is not None
    assert main(["connect", "cursor"]) == 0
    assert main(["disconnect", "cursor", "--revoke"]) == 0

    assert find_caller(key) is None
    assert not (home / ".config" / "nebo" / "account.json").exists()
