"""Between a client that speaks over a pipe and the endpoint that speaks HTTP: a line in, a POST, a line out."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, BinaryIO
from urllib.parse import quote

import httpx

from nebo.product.mcp.envelope import METHOD_HEADER, NAME_HEADER, NAMES, VERSION_HEADER, encode
from nebo.product.mcp.protocol import PARSE_ERROR, PROTOCOL_VERSION, STATELESS_VERSIONS, Json, RpcError, id_of

TIMEOUT_S = 120.0  # of one call
UNREACHABLE = -32000  # of JSON-RPC's range for servers


@dataclass
class Bridge:
    """One client's connection; `version` is what its handshake has agreed on."""

    url: str
    http: httpx.Client
    version: str = ""

    def carry(self, lines: Iterable[bytes], out: BinaryIO) -> None:
        """Until the client closes its end."""
        for line in lines:
            if not line.strip():
                continue
            for answer in self.answers_to(line):
                out.write(json.dumps(answer, ensure_ascii=False).encode() + b"\n")
                out.flush()

    def answers_to(self, line: bytes) -> list[Json]:
        """What comes back for one line: nothing for a notification, several for a batch."""
        try:
            message = json.loads(line)
        except ValueError:
            return [RpcError(PARSE_ERROR, "A line must be one JSON value.").as_json(None)]
        answer = self._send(message, line.strip())
        self._note_handshake(message, answer)
        return answer if isinstance(answer, list) else [answer] if answer else []

    def _send(self, message: Any, body: bytes) -> Any:
        try:
            response = self.http.post(self.url, content=body, headers=self._headers(message))
        except httpx.HTTPError as error:
            return _failure(
                message, f"Nebo doesn't answer at {self.url} ({type(error).__name__}). Is it running?"
            )
        if response.status_code == httpx.codes.ACCEPTED:
            return None
        if not response.headers.get("Content-Type", "").startswith("application/json"):
            return _failure(
                message, f"{self.url} answered with HTTP {response.status_code}, which is not MCP."
            )
        return _of_message(message, response.json())

    def _headers(self, message: Any) -> dict[str, str]:
        """What the body says once more, as HTTP wants it."""
        params = message.get("params") if isinstance(message, dict) else None
        params = params if isinstance(params, dict) else {}
        meta = params.get("_meta")
        spoken = meta.get(PROTOCOL_VERSION) if isinstance(meta, dict) else None
        if spoken not in STATELESS_VERSIONS:
            return {VERSION_HEADER: self.version} if self.version else {}
        named = params.get(NAMES.get(str(message.get("method")), ""))
        headers = {VERSION_HEADER: spoken, METHOD_HEADER: encode(str(message.get("method")))}
        return headers | ({NAME_HEADER: encode(named)} if isinstance(named, str) else {})

    def _note_handshake(self, message: Any, answer: Any) -> None:
        if isinstance(message, dict) and message.get("method") == "initialize" and "result" in (answer or {}):
            self.version = str(answer["result"]["protocolVersion"])


def open_http(key: str, user: str) -> httpx.Client:
    """A client that carries the key, and whom it is about."""
    named = {"Nebo-User": quote(user)} if user else {}
    headers = {
        "Authorization": f"Bearer {key}",
        "Accept": "application/json",
        "Content-Type": "application/json",
        **named,
    }
    return httpx.Client(headers=headers, timeout=TIMEOUT_S)


def _failure(message: Any, reason: str) -> Json | None:
    """An error for a request; nothing where nothing is waited for."""
    message_id = id_of(message)
    return None if message_id is None else RpcError(UNREACHABLE, reason).as_json(message_id)


def _of_message(message: Any, answer: Any) -> Any:
    """An error from before the message was read answers to it all the same."""
    if isinstance(answer, dict) and "error" in answer and answer.get("id") is None:
        return {**answer, "id": id_of(message)}
    return answer
