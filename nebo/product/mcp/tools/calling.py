"""All tools, and what comes of a call: an answer, or a sentence that a model can act on."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from nebo.api.agent import Agent, NoPerson, Refused
from nebo.product.mcp.protocol import INVALID_PARAMS, Json, RpcError, needed_text
from nebo.product.mcp.refusals import NO_PERSON, told
from nebo.product.mcp.tools import connectors, conversations, memories
from nebo.product.mcp.tools.tool import Tool

TOOLS: Mapping[str, Tool] = {
    tool.name: tool for tool in (*conversations.TOOLS, *memories.TOOLS, *connectors.TOOLS)
}


def list_tools(scopes: frozenset[str]) -> list[Json]:
    """Those that a key with these scopes may call."""
    return [tool.as_json() for tool in TOOLS.values() if tool.scope in scopes]


def call_tool(params: Json, find_agent: Callable[[], Agent]) -> Json:
    """The result of `tools/call`; raises RpcError where no tool is named, or one that isn't there."""
    name, arguments = needed_text(params, "name"), params.get("arguments")
    if arguments is not None and not isinstance(arguments, dict):
        raise RpcError(INVALID_PARAMS, "params.arguments must be an object.")
    if name not in TOOLS:
        raise RpcError(INVALID_PARAMS, f"Unknown tool: {name[:80]}. There are {', '.join(TOOLS)}.")
    try:
        done = TOOLS[name].call(find_agent(), arguments or {})
    except NoPerson as nobody:
        return _failed(str(nobody) or NO_PERSON)
    except Refused as refused:
        of_memory = bool({"id", "memory_id"} & (arguments or {}).keys())
        return _failed(f"{name} did nothing. {told(refused.problem, of_memory=of_memory)}")
    return {"content": [_text(done.text)], "structuredContent": dict(done.data), "isError": False}


def _failed(text: str) -> Json:
    return {"content": [_text(text)], "isError": True}


def _text(text: str) -> Json:
    return {"type": "text", "text": text}
