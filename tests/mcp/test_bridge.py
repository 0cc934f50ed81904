"""`manage.py mcp` before a live server: the official client over pipes, and what goes wrong."""

from __future__ import annotations

import asyncio
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from nebo.product.mcp.bridge import Bridge, open_http
from tests.conftest import Team
from tests.mcp.conftest import MODES, Nebo, key_of, text_of
from tests.operations.test_docs import read

ROOT = Path(__file__).parents[2]
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


def program(folder: Path, url: str, key: str) -> StdioServerParameters:
    """As the page for Claude Desktop has it; it finds no data and no database."""
    config = json.loads(read("docs/mcp.md").split("```json")[2].split("```")[0])["mcpServers"]["nebo"]
    assert config["command"].endswith("/.venv/bin/python")
    arguments = [one.replace("/path/to/nebo", str(ROOT)) for one in config["args"]]
    settings = {"NEBO_MCP_URL": url, "NEBO_MCP_KEY": key}
    assert settings.keys() == config["env"].keys()
    return StdioServerParameters(
        command=sys.executable, args=arguments, env={**settings, "NEBO_DATA_DIR": str(folder)}, cwd=folder
    )


@pytest.mark.worker
@pytest.mark.parametrize("mode", MODES)
def test_the_client_remembers_over_pipes(nebo: Nebo, acme: Team, tmp_path: Path, mode: str) -> None:
    server = program(tmp_path, f"{nebo.address}/mcp", key_of(acme, "alice"))

    async def act() -> Any:
        async with Client(server, mode=mode) as client:
            tools = {tool.name for tool in (await client.list_tools()).tools}
            await client.call_tool("add_memory", {"value": "Mag Käse aus Größau."})
            found = await client.call_tool("search_memories", {"query": "Käse"})
            refused = await client.call_tool("add_memory", {})
            profile = await client.read_resource("nebo://profile")
            return tools, text_of(found), refused, profile

    tools, found, refused, profile = asyncio.run(act())

    assert "get_context" in tools
    assert "Mag Käse aus Größau." in found
    assert refused.is_error
    assert profile.contents[0].text.startswith("## Profile")
    assert {path.name for path in tmp_path.iterdir()} <= {"secret_key"}


def carried(url: str, key: str, *lines: bytes, user: str = "") -> list[Any]:
    out = io.BytesIO()
    with open_http(key, user) as http:
        Bridge(url, http).carry(lines, out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_it_carries_line_by_line_for_the_person_named(nebo: Nebo, acme: Team) -> None:
    call = {
        **PING,
        "method": "tools/call",
        "params": {"name": "add_memory", "arguments": {"value": "Owns a kite."}},
    }
    note = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    lines = [json.dumps(one).encode() for one in (PING, note, call)]

    answers = carried(
        f"{nebo.address}/mcp", key_of(acme), lines[0], b"\n", lines[1], b"{broken", lines[2], user="Jörg"
    )

    assert answers[0] == {"jsonrpc": "2.0", "id": 1, "result": {}}
    assert answers[1]["error"]["code"] == -32700
    assert answers[2]["result"]["isError"] is False
    assert len(answers) == 3


def test_what_goes_wrong_on_the_way_answers_the_request(nebo: Nebo) -> None:
    line = json.dumps(PING).encode()
    note = json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}).encode()

    [refused] = carried(f"{nebo.address}/mcp", "nebo_wrong", line)
    [page] = carried(f"{nebo.address}/accounts/login/", "nebo_wrong", line)
    [nothing] = carried("http://127.0.0.1:9/mcp", "nebo_wrong", line, note)

    assert refused["id"] == page["id"] == nothing["id"] == 1
    assert "opens nothing" in refused["error"]["message"]
    assert "which is not MCP" in page["error"]["message"]
    assert "Is it running?" in nothing["error"]["message"]


def test_without_a_key_the_command_says_which_variable_it_wants(tmp_path: Path) -> None:
    environment = {"NEBO_DATA_DIR": str(tmp_path), "PATH": "/usr/bin:/bin"}

    ended = subprocess.run(
        [sys.executable, "manage.py", "mcp"], cwd=ROOT, env=environment, capture_output=True, text=True
    )

    assert ended.returncode == 1
    assert "NEBO_MCP_KEY" in ended.stderr
    assert ended.stdout == ""
