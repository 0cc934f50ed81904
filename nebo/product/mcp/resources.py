"""What a client may read by address: the person's profile, and single memories."""

from __future__ import annotations

import json
from collections.abc import Callable
from uuid import UUID

from memories.api.memories import MemoryDetailView
from nebo.api.agent import Agent, NoPerson, Refused
from nebo.product.mcp.profile import profile_text
from nebo.product.mcp.protocol import (
    INVALID_PARAMS,
    RESOURCE_NOT_FOUND,
    STATELESS_VERSIONS,
    Json,
    RpcError,
    needed_text,
)
from nebo.product.mcp.refusals import NO_PERSON, told
from nebo.product.mcp.tools.shapes import brief

PROFILE = "nebo://profile"
MEMORY = "nebo://memories/"
RESOURCES: list[Json] = [
    {
        "uri": PROFILE,
        "name": "profile",
        "title": "Profile",
        "description": "Who the person is, as far as it is known: name, home, work, interests, goals.",
        "mimeType": "text/markdown",
    }
]
TEMPLATES: list[Json] = [
    {
        "uriTemplate": f"{MEMORY}{{memory_id}}",
        "name": "memory",
        "title": "Memory",
        "description": "One memory by its id, as JSON.",
        "mimeType": "application/json",
    }
]


def read_resource(params: Json, find_agent: Callable[[], Agent], version: str) -> Json:
    """The result of `resources/read`; raises RpcError."""
    uri = needed_text(params, "uri")
    try:
        kind, text = _read(uri, find_agent)
    except NoPerson as nobody:
        raise RpcError(INVALID_PARAMS, str(nobody) or NO_PERSON) from nobody
    except Refused as refused:
        raise _missing(uri, version, refused) from refused
    return {"contents": [{"uri": uri, "mimeType": kind, "text": text}]}


def _read(uri: str, find_agent: Callable[[], Agent]) -> tuple[str, str]:
    if uri == PROFILE:
        return "text/markdown", profile_text(find_agent()) or "## Profile\nNothing is known yet."
    memory = find_agent().ask(MemoryDetailView, "GET", memory_id=_memory_id(uri))
    return "application/json", json.dumps(brief(memory), ensure_ascii=False)


def _memory_id(uri: str) -> UUID:
    """Raises RpcError for an address that is no memory's."""
    try:
        return UUID(uri.removeprefix(MEMORY))
    except ValueError as error:
        raise RpcError(INVALID_PARAMS, f"There is {PROFILE} and {MEMORY}ID, and nothing else.") from error


def _missing(uri: str, version: str, refused: Refused) -> RpcError:
    is_missing = refused.problem["code"] == "not-found" and version not in STATELESS_VERSIONS
    code = RESOURCE_NOT_FOUND if is_missing else INVALID_PARAMS
    return RpcError(code, told(refused.problem, of_memory=uri != PROFILE), data={"uri": uri})
