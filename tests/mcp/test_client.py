"""The official client, in each of its modes, before a live server."""

from __future__ import annotations

import json
import shlex
from typing import Any

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from nebo.product.mcp.connecting import claude_line
from nebo.tenants.models import ApiKey
from nebo.tenants.scoping import tenant_scope
from nebo.tenants.services import revoke_key
from tests.conftest import Team
from tests.mcp.conftest import MODES, Nebo, key_of, text_of
from tests.operations.test_docs import read

TOOLS = {
    "get_context", "add_messages", "search_memories", "add_memory", "list_memories", "update_memory",
    "forget_memory", "search", "fetch",
}  # fmt: skip
SPOKEN = {"legacy": "2025-11-25", "auto": "2026-07-28", "2026-07-28": "2026-07-28"}


@pytest.mark.parametrize("mode", MODES)
def test_the_client_lists_and_calls_every_tool(nebo: Nebo, acme: Team, mode: str) -> None:
    async def act(client: Client) -> dict[str, Any]:
        seen: dict[str, Any] = {"version": client.session.protocol_version}
        seen["tools"] = {tool.name for tool in (await client.list_tools()).tools}
        called: dict[str, Any] = {}

        async def call(name: str, **arguments: Any) -> Any:
            result = await client.call_tool(name, arguments)
            assert not result.is_error, text_of(result)
            called[name] = result.structured_content
            return result.structured_content

        stored = await call("add_memory", value="Plays the cello on Sundays.")
        memory_id = stored["memory"]["id"]
        said = [{"role": "user", "content": "I live in Lisbon and I love pottery."}]
        await call("add_messages", messages=said, conversation="chat-1")
        await call("search_memories", query="cello")
        await call("get_context", query="Which instrument do I play?")
        await call("list_memories", limit=1)
        found = (await call("search", query="cello"))["results"]
        await call("fetch", id=found[0]["id"])
        await call("update_memory", memory_id=memory_id, value="Plays the cello on Mondays.")
        await call("forget_memory", memory_id=memory_id)
        return seen | {"called": called}

    seen = nebo.use(key_of(acme, "alice"), act, mode=mode)

    assert seen["version"] == SPOKEN[mode]
    assert seen["tools"] == TOOLS == set(seen["called"])
    called = seen["called"]
    assert "Plays the cello on Sundays." in [hit["text"] for hit in called["search_memories"]["results"]]
    assert "cello" in called["get_context"]["context"]
    assert called["update_memory"]["memory"]["value"] == "Plays the cello on Mondays."
    assert called["add_messages"]["messages"] == 1
    assert any("Lisbon" in memory["value"] for memory in called["add_messages"]["learned"])
    assert called["list_memories"]["next_cursor"]
    assert called["fetch"]["url"].endswith(f"/t/acme/memories/{called['fetch']['id']}/")


@pytest.mark.parametrize("mode", MODES)
def test_the_client_reads_resources_and_prompts(nebo: Nebo, acme: Team, mode: str) -> None:
    key = key_of(acme, "alice")
    memory_id = nebo.call(key, "add_memory", {"value": "Owns a green bicycle."}).structured_content["memory"][
        "id"
    ]

    async def act(client: Client) -> tuple[Any, ...]:
        resources = (await client.list_resources()).resources
        templates = (await client.list_resource_templates()).resource_templates
        profile = await client.read_resource("nebo://profile")
        memory = await client.read_resource(f"nebo://memories/{memory_id}")
        prompts = (await client.list_prompts()).prompts
        prompt = await client.get_prompt("correct_a_memory", {"what": "the bicycle is red"})
        return resources, templates, profile.contents[0].text, memory.contents[0].text, prompts, prompt

    resources, templates, profile, memory, prompts, prompt = nebo.use(key, act, mode=mode)

    assert [one.uri for one in resources] == ["nebo://profile"]
    assert [one.uri_template for one in templates] == ["nebo://memories/{memory_id}"]
    assert profile.startswith("## Profile")
    assert "Owns a green bicycle." in memory
    assert {one.name for one in prompts} == {"what_do_you_know", "remember_this", "correct_a_memory"}
    assert "the bicycle is red" in prompt.messages[0].content.text


@pytest.mark.parametrize("mode", MODES)
def test_bad_arguments_come_back_as_a_result_that_names_the_field(nebo: Nebo, acme: Team, mode: str) -> None:
    key = key_of(acme, "alice")

    missing = nebo.call(key, "add_memory", {}, mode=mode)
    inside = nebo.call(key, "add_messages", {"messages": [{"role": "ghost", "content": "Boo"}]}, mode=mode)

    assert missing.is_error
    assert "value: This field is required." in text_of(missing)
    assert inside.is_error
    assert "messages[0].role" in text_of(inside)


@pytest.mark.parametrize("mode", MODES)
def test_an_unknown_tool_is_an_error_of_the_protocol(nebo: Nebo, acme: Team, mode: str) -> None:
    with pytest.raises(MCPError) as raised:
        nebo.call(key_of(acme, "alice"), "make_coffee", {}, mode=mode)

    assert raised.value.code == -32602
    assert "Unknown tool: make_coffee" in str(raised.value)


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_a_revoked_key_opens_nothing(nebo: Nebo, acme: Team, mode: str) -> None:
    key = key_of(acme, "alice", name="lost")
    with tenant_scope(acme.tenant):
        revoke_key(tenant=acme.tenant, key=ApiKey.objects.for_tenant(acme.tenant).get(name="lost"))

    with pytest.raises(MCPError) as raised:
        nebo.call(key, "list_memories", {}, mode=mode)

    assert "This key opens nothing" in str(raised.value)


def test_a_foreign_person_stays_hidden_in_each_mode(nebo: Nebo, acme: Team) -> None:
    bobs = nebo.call(key_of(acme, "bob"), "add_memory", {"value": "Hides gold in the cellar."})
    memory_id = bobs.structured_content["memory"]["id"]
    nobodys = "0190a000-0000-7000-8000-000000000000"

    for mode in MODES:
        for way in ({}, {"path": "/mcp/u/bob/"}, {"Nebo_User": "bob"}):
            key = key_of(acme, "alice")
            changes = {"value": "Has no gold."}
            theirs = nebo.call(key, "update_memory", {"memory_id": memory_id, **changes}, mode=mode, **way)
            nothing = nebo.call(key, "update_memory", {"memory_id": nobodys, **changes}, mode=mode, **way)
            assert theirs.is_error
            assert text_of(theirs) == text_of(nothing)
            listed = nebo.call(key, "list_memories", {}, mode=mode, **way)
            assert "gold" not in text_of(listed)


def test_the_pages_lines_connect(nebo: Nebo, acme: Team) -> None:
    page = read("docs/mcp.md")
    cursor = json.loads(page.split("```json")[1].split("```")[0])["mcpServers"]["nebo"]
    words = shlex.split(next(line for line in page.splitlines() if line.startswith("    claude mcp add")))
    printed = shlex.split(claude_line(base_url=nebo.address, user="Jörg K", key="nebo_…").replace("\\\n", ""))
    bound, free = key_of(acme, "alice"), key_of(acme)

    for address, header, key in (
        (cursor["url"], f"Authorization: {cursor['headers']['Authorization']}", bound),
        (words[6], words[8], bound),
        (printed[6], printed[8], free),
    ):
        path = "/" + address.split("//")[1].partition("/")[2]
        name, _, value = header.partition(": ")
        assert (name, value.split()[0]) == ("Authorization", "Bearer")
        assert not nebo.call(key, "add_memory", {"value": "Owns a kite."}, path=path).is_error

    assert words[:6] == printed[:6] == ["claude", "mcp", "add", "--transport", "http", "nebo"]
