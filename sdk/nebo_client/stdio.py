"""MCP over pipes, for programs that start a server instead of calling one: each message is carried to Nebo's `/mcp`."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable
from typing import Any, TextIO
from urllib.parse import quote

import httpx

from nebo_client.account import Account

TIMEOUT_S = 120.0  # of one call
PARSE_ERROR = -32700  # JSON-RPC 2.0 §5.1
UNREACHABLE = -32000  # of its range for servers
VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
NAMES = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}  # what a method is about


def bridge(account: Account, lines: Iterable[str], out: TextIO) -> None:
    """Until the program closes its end."""
    headers = {
        "Authorization": f"Bearer {account.key}",
        "Accept": "application/json, text/event-stream",
        "Content-Type": "application/json",
    }
    if account.user:
        headers["Nebo-User"] = quote(account.user)
    url, agreed = f"{account.url.rstrip('/')}/mcp", ""
    with httpx.Client(timeout=TIMEOUT_S, headers=headers) as http:
        for line in filter(str.strip, lines):
            answer = _carry(http, url, line, agreed)
            if isinstance(answer, dict) and "protocolVersion" in (answer.get("result") or {}):
                agreed = str(answer["result"]["protocolVersion"])
            if answer is not None:
                out.write(json.dumps(answer, ensure_ascii=False) + "\n")
                out.flush()


def _carry(http: httpx.Client, url: str, line: str, agreed: str) -> Any:
    """What to answer; None to a notification."""
    try:
        message = json.loads(line)
    except ValueError:
        return _failure(None, PARSE_ERROR, "A line must be one JSON value.")
    asked = message.get("id") if isinstance(message, dict) else None
    try:
        response = http.post(url, content=line.encode(), headers=_headers(message, agreed))
        answer = response.json() if response.content else None
    except (httpx.HTTPError, ValueError) as error:
        return None if asked is None else _failure(asked, UNREACHABLE, f"{url}: {error}")
    if asked is None and isinstance(message, dict):  # nobody waits for it
        return None
    told = answer[0] if isinstance(answer, list) and answer else answer
    if told is None or (isinstance(told, dict) and told.get("id") is not None):
        return answer
    if isinstance(told, dict) and "jsonrpc" in told:  # refused before it was read
        return {**told, "id": asked}
    detail = told.get("detail", "") if isinstance(told, dict) else ""
    return _failure(asked, UNREACHABLE, f"{url}: HTTP {response.status_code}. {detail}".strip())


def _headers(message: Any, agreed: str) -> dict[str, str]:
    """What the body says once more, as HTTP wants it (2026-07-28, transports); else what the handshake agreed on."""
    params = message.get("params") if isinstance(message, dict) else None
    params = params if isinstance(params, dict) else {}
    meta = params.get("_meta")
    spoken = meta.get(VERSION_KEY) if isinstance(meta, dict) else None
    if not spoken:
        return {"MCP-Protocol-Version": agreed} if agreed else {}
    headers = {"MCP-Protocol-Version": str(spoken), "Mcp-Method": _encode(str(message.get("method")))}
    named = params.get(NAMES.get(str(message.get("method")), ""))
    return headers | ({"Mcp-Name": _encode(named)} if isinstance(named, str) else {})


def _encode(text: str) -> str:
    """As it is where a header can hold it, otherwise in base64 and marked so."""
    plain = text.isascii() and text.isprintable() and text == text.strip() and not text.startswith("=?")
    return text if plain else f"=?base64?{base64.b64encode(text.encode()).decode()}?="


def _failure(asked: Any, code: int, text: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": asked, "error": {"code": code, "message": text}}
