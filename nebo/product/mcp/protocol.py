"""JSON-RPC 2.0 as the Model Context Protocol uses it: versions, messages, errors."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

# Agreed on once by `initialize`, and then named in a header.
HANDSHAKE_VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
STATELESS_VERSIONS = ("2026-07-28",)  # each request says all about itself
VERSIONS = (*HANDSHAKE_VERSIONS, *STATELESS_VERSIONS)
ASSUMED_VERSION = (
    "2025-03-26"  # of a request that names none (2025-11-25, transports, protocol version header)
)
BATCH_VERSIONS = ("2024-11-05", "2025-03-26")  # later ones send one message at a time
MAX_BATCH = 50  # messages

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
RESOURCE_NOT_FOUND = -32002  # up to 2025-11-25
HEADER_MISMATCH, UNSUPPORTED_VERSION = -32020, -32022  # from 2026-07-28
HTTP_STATUS = {METHOD_NOT_FOUND: 404}  # of an error in a stateless answer; 400 for any other

PROTOCOL_VERSION = "io.modelcontextprotocol/protocolVersion"  # names in a request's `_meta`
CLIENT_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
SERVER_INFO = "io.modelcontextprotocol/serverInfo"  # in that of an answer

Json = dict[str, Any]
MessageId = str | int


class RpcError(Exception):
    """An answer that is an error of the protocol; `status` is that of HTTP, where it isn't the usual one."""

    def __init__(self, code: int, message: str, *, data: Json | None = None, status: int = 0) -> None:
        self.code = code
        self.message = message
        self.data = data
        self.status = status
        super().__init__(message)

    def as_json(self, message_id: MessageId | None) -> Json:
        """The message that says so."""
        error: Json = {"code": self.code, "message": self.message}
        if self.data is not None:
            error["data"] = self.data
        return {"jsonrpc": "2.0", "id": message_id, "error": error}


@dataclass(frozen=True, slots=True)
class Message:
    """A request, or without an id a notification."""

    method: str
    params: Json = field(default_factory=dict)
    id: MessageId | None = None

    @property
    def is_request(self) -> bool:
        return self.id is not None

    @property
    def meta(self) -> Json:
        """What a stateless request says about itself; empty where it says nothing."""
        meta = self.params.get("_meta")
        return meta if isinstance(meta, dict) else {}


def read_message(value: Any) -> Message | None:
    """A request or a notification; None for an answer, which nothing here waits for. Raises RpcError."""
    if not isinstance(value, dict) or value.get("jsonrpc") != "2.0":
        raise RpcError(INVALID_REQUEST, 'A message is a JSON object with "jsonrpc": "2.0".')
    if "method" not in value and ("result" in value or "error" in value):
        return None
    method, params = value.get("method"), value.get("params", {})
    if not isinstance(method, str) or not method:
        raise RpcError(INVALID_REQUEST, "A message names its method in a text.")
    if not isinstance(params, dict):
        raise RpcError(INVALID_REQUEST, "params must be an object.")
    return Message(method, params, _read_id(value))


def _read_id(value: Json) -> MessageId | None:
    if "id" not in value:
        return None
    message_id = value["id"]
    if isinstance(message_id, bool) or not isinstance(message_id, (str, int)):
        raise RpcError(INVALID_REQUEST, "An id is a text or a whole number.")
    return message_id


def id_of(value: Any) -> MessageId | None:
    """The id an error answers to, of a message that may be broken."""
    message_id = value.get("id") if isinstance(value, dict) else None
    is_id = isinstance(message_id, (str, int)) and not isinstance(message_id, bool)
    return message_id if is_id else None


def answer_json(message: Message, result: Json) -> Json:
    """The answer to a request."""
    return {"jsonrpc": "2.0", "id": message.id, "result": result}


def needed_text(params: Json, name: str) -> str:
    """A param that must be there. Raises RpcError."""
    value = params.get(name)
    if not isinstance(value, str) or not value:
        raise RpcError(INVALID_PARAMS, f"params.{name} must be a text.")
    return value
