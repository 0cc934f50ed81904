"""A scripted session of Claude Code: its hooks bring context, and lose nothing while Nebo is away."""

from __future__ import annotations

import io
import json
import uuid
from pathlib import Path
from typing import Any

import pytest
from nebo_client import Nebo
from nebo_client.account import Account
from nebo_client.command import main
from nebo_client.stdio import bridge

from nebo.product.governance.services.tenant_settings import change_settings
from nebo.tenants.actor import Actor
from nebo.tenants.scoping import tenant_scope
from tests.conftest import Team
from tests.sdk.conftest import Place, told

NOWHERE = "http://127.0.0.1:9"


class Script:
    """What Claude Code does: it writes a transcript, and tells its hooks."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
        self.transcript = folder / "transcript.jsonl"
        self.id = "s1"
        self._patch = monkeypatch
        self._capsys = capsys

    def writes(self, role: str, *texts: str, **fields: Any) -> None:
        content: Any = [{"type": "text", "text": text} for text in texts] if role == "assistant" else texts[0]
        entry = {
            "type": role,
            "uuid": str(uuid.uuid4()),
            "message": {"role": role, "content": content},
            **fields,
        }
        with self.transcript.open("a") as file:
            file.write(json.dumps(entry) + "\n")

    def tells(self, event: str, **fields: Any) -> str:
        told = {
            "hook_event_name": event,
            "session_id": self.id,
            "transcript_path": str(self.transcript),
            **fields,
        }
        self._patch.setattr("sys.stdin", io.StringIO(json.dumps(told)))
        assert main(["hook"]) == 0
        return str(self._capsys.readouterr().out)


@pytest.fixture
def script(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Script:
    monkeypatch.setenv("NEBO_CLIENT_DIR", str(tmp_path / "client"))
    monkeypatch.setenv("NEBO_KEY", place.key)
    monkeypatch.setenv("NEBO_URL", place.url)
    monkeypatch.setenv("NEBO_USER", "annie")
    return Script(tmp_path, monkeypatch, capsys)


def test_a_prompt_gets_context_and_both_sides_are_saved_once(script: Script, nebo: Nebo) -> None:
    nebo.user("annie").add_memory("Prefers uv to pip.", pinned=True)

    assert "Prefers uv to pip." in script.tells("UserPromptSubmit", prompt="Set up the project")
    script.writes("user", "Set up the project")
    script.writes("user", "<system-reminder>", isMeta=True)
    script.writes("assistant", "Done with uv.")
    script.writes("assistant", "A side errand.", isSidechain=True)
    script.tells("Stop")
    script.writes("user", "Thanks")
    script.writes("assistant", "You're welcome.")
    script.tells("Stop")
    script.tells("SessionEnd")

    session = nebo.user("annie").session("claude-code:s1")
    assert told(session) == ["Set up the project", "Done with uv.", "Thanks", "You're welcome."]


def test_a_prompt_gets_what_a_colleague_shared_with_the_team(script: Script, nebo: Nebo, acme: Team) -> None:
    with tenant_scope(acme.tenant):
        change_settings(tenant=acme.tenant, changes={"team_memory": True}, actor=Actor("operator", "test"))
    nebo.user("bert").add_memory("Billing runs on Postgres 16.", visibility="team")

    told = script.tells("UserPromptSubmit", prompt="Which Postgres does billing run on?")

    assert "## Decided in the Team" in told
    assert "- Billing runs on Postgres 16. [bert via key " in told


def test_nothing_is_lost_or_doubled_while_nebo_is_away(
    script: Script, nebo: Nebo, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    script.writes("user", "One")
    script.writes("assistant", "First.")
    script.tells("Stop")
    monkeypatch.setenv("NEBO_URL", NOWHERE)
    assert script.tells("UserPromptSubmit", prompt="Two") == ""
    script.writes("user", "Two")
    script.writes("assistant", "Second.")
    script.tells("Stop")
    script.tells("PreCompact")
    monkeypatch.setenv("NEBO_URL", place.url)
    script.writes("user", "Three")
    script.writes("assistant", "Third.")
    script.tells("Stop")

    session = nebo.user("annie").session("claude-code:s1")
    assert told(session) == ["One", "First.", "Two", "Second.", "Three", "Third."]


@pytest.mark.parametrize("said", ["no JSON", "{}", "[]"])
def test_an_odd_event_never_stops_the_agent(
    script: Script, monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(said))

    assert main(["hook"]) == 0


def test_the_bridge_carries_mcp_over_pipes(place: Place) -> None:
    def spoken(account: Account, *messages: object) -> list[Any]:
        out = io.StringIO()
        lines = (one if isinstance(one, str) else json.dumps(one) for one in messages)
        bridge(account, lines, out)
        return [json.loads(line) for line in out.getvalue().splitlines()]

    client = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    }
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client}
    ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    listing = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}

    welcome, tools, broken = spoken(Account(place.url, place.key, "annie"), hello, ready, listing, "{")
    assert welcome["result"]["protocolVersion"] == "2025-06-18"
    assert "search_memories" in {tool["name"] for tool in tools["result"]["tools"]}
    assert broken["error"]["code"] == -32700
    for account in (Account(NOWHERE, place.key), Account(place.url, "nebo_wrong")):
        (failed,) = spoken(account, listing, ready)
        assert failed["id"] == 2
        assert failed["error"]["message"]
