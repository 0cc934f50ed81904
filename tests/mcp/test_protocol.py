"""The protocol on the wire: versions, headers, broken messages, batches, and what HTTP says."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from nebo.product.mcp.envelope import decode, encode
from nebo.product.mcp.methods import RELEASE
from nebo.product.mcp.paging import page_of
from nebo.product.mcp.protocol import HANDSHAKE_VERSIONS, RpcError
from nebo.product.mcp.transport import MAX_BODY
from tests.conftest import Team
from tests.mcp.conftest import STATELESS, Wire, key_of
from tests.operations.test_docs import read

META = {
    "io.modelcontextprotocol/protocolVersion": STATELESS,
    "io.modelcontextprotocol/clientCapabilities": {},
}
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}


@pytest.mark.parametrize("version", HANDSHAKE_VERSIONS)
def test_the_handshake_agrees_on_each_version_it_knows(wire: Wire, version: str) -> None:
    params = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}

    result = wire.ask("initialize", params, MCP_Protocol_Version="")["result"]

    assert result["protocolVersion"] == version
    assert result["serverInfo"] == {"name": "nebo", "title": "Nebo", "version": RELEASE}
    assert set(result["capabilities"]) == {"tools", "resources", "prompts"}
    assert "get_context" in result["instructions"]


def test_the_handshake_offers_its_newest_version_for_one_it_does_not_know(wire: Wire) -> None:
    result = wire.ask("initialize", {"protocolVersion": "1999-01-01"}, MCP_Protocol_Version="")["result"]

    assert result["protocolVersion"] == HANDSHAKE_VERSIONS[-1]


def test_the_release_is_that_of_the_package() -> None:
    assert f'version = "{RELEASE}"' in read("pyproject.toml")


def test_an_unknown_version_is_told_which_there_are(wire: Wire) -> None:
    response = wire.post(PING, MCP_Protocol_Version="2031-01-01")

    assert response.status_code == 400
    error = response.json()["error"]
    assert error["code"] == -32022
    assert set(HANDSHAKE_VERSIONS) | {STATELESS} == set(error["data"]["supported"])


def test_ping_is_answered_and_a_notification_is_only_taken(wire: Wire) -> None:
    assert wire.ask("ping")["result"] == {}
    for method in ("notifications/initialized", "notifications/cancelled"):
        response = wire.post({"jsonrpc": "2.0", "method": method})
        assert (response.status_code, response.content) == (202, b"")


def test_an_answer_of_the_client_is_only_taken(wire: Wire) -> None:
    assert wire.post({"jsonrpc": "2.0", "id": 3, "result": {}}).status_code == 202


@pytest.mark.parametrize("method", ["get", "delete", "put", "options"])
def test_there_is_no_stream_and_no_session_to_end(wire: Wire, method: str) -> None:
    response = getattr(Client(), method)("/mcp", headers={"Authorization": f"Bearer {wire.key}"})

    assert response.status_code == 405
    assert response["Allow"] == "POST"


@pytest.mark.parametrize(
    "body, code",
    [
        (b"{not json", -32700),
        (b"\xff\xfe", -32700),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"a": NaN}}', -32700),
        (b"[" * 100_000, -32700),
        (b'{"a":' * 100 + b"1" + b"}" * 100, -32600),
        (b'"ping"', -32600),
        (b"{}", -32600),
        (b'{"jsonrpc": "1.0", "id": 1, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1, "method": 5}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": [1]}', -32600),
        (b'{"jsonrpc": "2.0", "id": null, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": true, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"a": "\\u0000"}}', -32600),
        (b"[]", -32600),
    ],
)
def test_a_broken_message_is_an_error_of_the_protocol(wire: Wire, body: bytes, code: int) -> None:
    response = wire.post(body)

    assert response.json()["error"]["code"] == code
    assert response.status_code == (200 if response.json()["id"] is not None else 400)


@pytest.mark.parametrize(
    "method, params, code",
    [
        ("make/coffee", {}, -32601),
        ("completion/complete", {}, -32601),
        ("server/discover", {}, -32601),
        ("tools/call", {}, -32602),
        ("tools/call", {"name": 5}, -32602),
        ("tools/call", {"name": "add_memory", "arguments": ["x"]}, -32602),
        ("tools/list", {"cursor": "nonsense"}, -32602),
        ("tools/list", {"cursor": 5}, -32602),
        ("tools/list", {"cursor": "dG9vbHM6OTk5"}, -32602),
        ("resources/read", {"uri": "file:///etc/passwd"}, -32602),
        ("resources/read", {"uri": "nebo://memories/0190a000-0000-7000-8000-000000000000"}, -32002),
        ("prompts/get", {"name": "nothing"}, -32602),
        ("prompts/get", {"name": "correct_a_memory"}, -32602),
        ("prompts/get", {"name": "correct_a_memory", "arguments": {"what": 5}}, -32602),
    ],
)
def test_what_cannot_be_answered_says_so_in_the_protocols_codes(
    wire: Wire, method: str, params: dict[str, Any], code: int
) -> None:
    assert wire.ask(method, params)["error"]["code"] == code


def test_a_batch_is_answered_where_the_version_has_batches(wire: Wire) -> None:
    batch = [PING, {"jsonrpc": "2.0", "method": "notifications/initialized"}, {**LIST, "id": "two"}, 5]

    answers = wire.post(batch, MCP_Protocol_Version="2025-03-26").json()
    later = wire.post(batch, MCP_Protocol_Version="2025-06-18")
    silent = wire.post(batch[1:2], MCP_Protocol_Version="2025-03-26")
    many = wire.post([PING] * 51, MCP_Protocol_Version="2025-03-26")

    assert [one["id"] for one in answers] == [1, "two", None]
    assert "error" in answers[2]
    assert (later.status_code, later.json()["error"]["code"]) == (400, -32600)
    assert (silent.status_code, silent.content) == (202, b"")
    assert many.status_code == 400


def test_a_stateless_request_needs_no_handshake_and_its_answer_says_that_it_is_whole(wire: Wire) -> None:
    params = {"_meta": META}
    headers = {"MCP_Protocol_Version": STATELESS}

    found = wire.ask("server/discover", params, Mcp_Method="server/discover", **headers)["result"]
    tools = wire.ask("tools/list", params, Mcp_Method="tools/list", **headers)["result"]

    assert found["resultType"] == tools["resultType"] == "complete"
    assert STATELESS in found["supportedVersions"]
    assert found["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "nebo"
    assert (tools["cacheScope"], tools["ttlMs"]) == ("private", 300_000)


@pytest.mark.parametrize(
    "params, headers, code, status",
    [
        ({}, {"Mcp_Method": "tools/list"}, -32602, 400),
        ({"_meta": {**META, "io.modelcontextprotocol/protocolVersion": "2025-11-25"}}, {}, -32020, 400),
        ({"_meta": META}, {}, -32020, 400),
        ({"_meta": META}, {"Mcp_Method": "tools/call"}, -32020, 400),
        ({"_meta": META}, {"Mcp_Method": "tools/list", "MCP_Protocol_Version": "2025-11-25"}, -32020, 200),
    ],
)
def test_headers_and_body_of_a_stateless_request_agree(
    wire: Wire, params: dict[str, Any], headers: dict[str, str], code: int, status: int
) -> None:
    response = wire.post({**LIST, "params": params}, **{"MCP_Protocol_Version": STATELESS, **headers})

    assert (response.status_code, response.json()["error"]["code"]) == (status, code)


def test_a_stateless_call_names_its_tool_in_a_header(wire: Wire) -> None:
    params = {"_meta": META, "name": "list_memories", "arguments": {}}
    headers = {"MCP_Protocol_Version": STATELESS, "Mcp_Method": "tools/call"}

    right = wire.ask("tools/call", params, Mcp_Name="list_memories", **headers)
    encoded = wire.ask("tools/call", params, Mcp_Name="=?base64?bGlzdF9tZW1vcmllcw==?=", **headers)
    wrong = wire.ask("tools/call", params, Mcp_Name="forget_memory", **headers)

    assert right["result"]["isError"] is encoded["result"]["isError"] is False
    assert wrong["error"]["code"] == -32020


def test_a_stateless_method_that_is_not_there_is_a_404(wire: Wire) -> None:
    response = wire.post(
        {**PING, "params": {"_meta": META}}, MCP_Protocol_Version=STATELESS, Mcp_Method="ping"
    )

    assert (response.status_code, response.json()["error"]["code"]) == (404, -32601)


@pytest.mark.parametrize("text", ["tool", " edge ", "Größe", "=?base64?eA==?=", "", "a b"])
def test_what_no_header_carries_is_encoded_and_comes_back(text: str) -> None:
    assert encode(text).isascii()
    assert decode(encode(text)) == text


def test_lists_go_by_cursor() -> None:
    entries = [{"name": str(number)} for number in range(5)]

    first = page_of("tools", entries, {}, size=2)
    second = page_of("tools", entries, {"cursor": first["nextCursor"]}, size=2)
    third = page_of("tools", entries, {"cursor": second["nextCursor"]}, size=2)

    assert [*first["tools"], *second["tools"], *third["tools"]] == entries
    assert "nextCursor" not in third
    with pytest.raises(RpcError):
        page_of("prompts", entries, {"cursor": first["nextCursor"]}, size=2)


@pytest.mark.parametrize(
    "origin, status",
    [
        ("https://evil.example", 403),
        ("null", 403),
        ("http://testserver:81", 403),
        ("http://testserver", 200),
        ("https://app.partner.example", 200),
        ("", 200),
    ],
)
def test_a_page_of_another_site_may_not_call(wire: Wire, settings: Any, origin: str, status: int) -> None:
    settings.CSRF_TRUSTED_ORIGINS = ["https://*.partner.example"]

    assert wire.post(PING, Origin=origin).status_code == status


def test_only_json_of_a_known_and_modest_length_is_read(wire: Wire) -> None:
    headers = {"Authorization": f"Bearer {wire.key}"}
    client = Client()

    form = client.post("/mcp", "ping", content_type="text/plain", headers=headers)
    picky = wire.post(PING, Accept="text/html")
    long = wire.post(b" " * (MAX_BODY + 1))
    endless = client.generic("POST", "/mcp", b"{}", "application/json", headers=headers, CONTENT_LENGTH="")

    assert [one.status_code for one in (form, picky, long, endless)] == [415, 406, 413, 411]
    assert all("error" in json.loads(one.content) for one in (form, picky, long, endless))


def test_a_key_that_calls_too_often_is_told_when_to_come_back(wire: Wire, monkeypatch: Any) -> None:
    monkeypatch.setattr("nebo.api.throttles.read_rate", lambda rate: (3, 60))

    statuses = [wire.post(PING).status_code for _ in range(4)]
    refused = wire.post(PING)

    assert statuses == [200, 200, 200, 429]
    assert 1 <= int(refused["Retry-After"]) <= 60
    assert "wait" in refused.json()["error"]["message"]


def test_without_a_key_the_way_to_one_is_shown(db: None, acme: Team) -> None:
    none = Wire("").post(PING, Authorization="")
    wrong = Wire("nebo_wrong", path="/mcp/u/alice/").post(PING)

    assert (none.status_code, wrong.status_code) == (401, 401)
    assert none["WWW-Authenticate"] == (
        'Bearer realm="nebo", resource_metadata="http://testserver/.well-known/oauth-protected-resource/mcp"'
    )
    assert 'error="invalid_token"' in wrong["WWW-Authenticate"]
    assert "issue_key" in none.json()["error"]["message"]
    for refused, resource in ((none, "/mcp"), (wrong, "/mcp/u/alice")):
        address = refused["WWW-Authenticate"].partition('resource_metadata="')[2].rstrip('"')
        metadata = Client().get(address.removeprefix("http://testserver")).json()
        assert metadata["resource"] == f"http://testserver{resource}"
        assert metadata["bearer_methods_supported"] == ["header"]
        assert "authorization_servers" not in metadata


def test_metadata_stands_for_our_addresses_alone(db: None) -> None:
    base = "/.well-known/oauth-protected-resource"

    assert Client().get(base).json()["resource"] == "http://testserver/mcp"
    assert Client().get(f"{base}/admin").status_code == 404
    assert Client().post(base).status_code == 405


def test_both_addresses_answer_with_and_without_a_slash(db: None, acme: Team) -> None:
    key = key_of(acme)

    statuses = [
        Wire(key, path=path).post(PING).status_code for path in ("/mcp", "/mcp/", "/mcp/u/x", "/mcp/u/x/")
    ]

    assert statuses == [200] * 4


def test_an_address_below_that_is_none_is_a_problem_document(db: None) -> None:
    response = Client().get("/mcp/nothing/here/")

    assert (response.status_code, response["Content-Type"]) == (404, "application/problem+json")
