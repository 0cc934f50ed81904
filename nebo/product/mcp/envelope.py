"""What a request's headers say: which version it speaks, and whether they agree with its body."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping

from nebo.product.mcp.protocol import (
    ASSUMED_VERSION,
    CLIENT_CAPABILITIES,
    HEADER_MISMATCH,
    INVALID_PARAMS,
    PROTOCOL_VERSION,
    STATELESS_VERSIONS,
    UNSUPPORTED_VERSION,
    VERSIONS,
    Message,
    RpcError,
)

VERSION_HEADER, METHOD_HEADER, NAME_HEADER = "MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"
NAMES = {
    "tools/call": "name",
    "prompts/get": "name",
    "resources/read": "uri",
}  # which param the name header repeats
ENCODED = re.compile(r"=\?base64\?(.*)\?=")
PLAIN = re.compile(r"[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?")


def version_of(headers: Mapping[str, str]) -> str:
    """The version a request speaks. Raises RpcError for one that isn't spoken here."""
    version = headers.get(VERSION_HEADER, ASSUMED_VERSION)
    if version not in VERSIONS:
        raise RpcError(
            UNSUPPORTED_VERSION,
            f"This server doesn't speak version {version[:40]}.",
            data={"supported": list(VERSIONS), "requested": version[:40]},
            status=400,
        )
    return version


def check_envelope(message: Message, version: str, headers: Mapping[str, str]) -> None:
    """A stateless request says in `_meta` what it speaks and can, and its headers repeat it. Raises RpcError."""
    if version not in STATELESS_VERSIONS:
        _check_not_stateless(message)
        return
    missing = [name for name in (PROTOCOL_VERSION, CLIENT_CAPABILITIES) if name not in message.meta]
    if missing:
        raise RpcError(INVALID_PARAMS, f"params._meta lacks {' and '.join(missing)}.")
    _check_same(VERSION_HEADER, version, message.meta[PROTOCOL_VERSION])
    _check_same(METHOD_HEADER, headers.get(METHOD_HEADER), message.method)
    named = message.params.get(NAMES.get(message.method, ""))
    if isinstance(named, str):
        _check_same(NAME_HEADER, decode(headers.get(NAME_HEADER)), named)


def _check_not_stateless(message: Message) -> None:
    if message.meta.get(PROTOCOL_VERSION) in STATELESS_VERSIONS:
        raise RpcError(HEADER_MISMATCH, f"The header {VERSION_HEADER} names another version than the body.")


def _check_same(header: str, sent: str | None, expected: object) -> None:
    if sent != expected:
        raise RpcError(HEADER_MISMATCH, f"The header {header} doesn't agree with the body.")


def decode(value: str | None) -> str | None:
    """A header's value, which may be `=?base64?…?=`; None for one that is broken."""
    encoded = ENCODED.fullmatch(value or "")
    if encoded is None:
        return value
    try:
        return base64.b64decode(encoded[1], validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None


def encode(value: str) -> str:
    """The same the other way: what no header could carry as it is."""
    if PLAIN.fullmatch(value) and not ENCODED.fullmatch(value):
        return value
    return f"=?base64?{base64.b64encode(value.encode()).decode()}?="
