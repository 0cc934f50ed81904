"""Tools for conversations: what to know before an answer, and what was said."""

from __future__ import annotations

from memories.api.forgetting import ForgetRequestFields
from memories.api.search import RecallView
from memories.models import Memory
from nebo.api.agent import Agent
from nebo.product.mcp.api.inputs import AddMessagesInput, GetContextInput
from nebo.product.mcp.profile import profile_text
from nebo.product.mcp.protocol import Json
from nebo.product.mcp.tools.memories import AS_DATA, memory_line
from nebo.product.mcp.tools.shapes import Context, Kept, ToDecide, brief
from nebo.product.mcp.tools.tool import Done, Tool
from sessions.api.views import ContextView, SessionListView, TurnView

ACTIVE, DELETED = Memory.Status.ACTIVE.value, Memory.Status.DELETED.value
NOTHING_KNOWN = (
    "Nothing is remembered that matters here. Answer without it, and keep what you learn with add_memory."
)


def get_context(agent: Agent, arguments: Json) -> Done:
    """Of the conversation where one is named that has begun, else of the person."""
    session_id = _find_session(agent, arguments.get("conversation", ""))
    text = _of_session(agent, session_id, arguments) if session_id else _of_person(agent, arguments["query"])
    data: Context = {"context": text, "session_id": session_id}
    return Done(text or NOTHING_KNOWN, data)


def _find_session(agent: Agent, conversation: str) -> str | None:
    if not conversation or agent.is_new:
        return None
    query = {"user": agent.user, "key": conversation}
    rows = agent.ask(SessionListView, "GET", query=query)["results"]
    return rows[0]["id"] if rows else None


def _of_session(agent: Agent, session_id: str, arguments: Json) -> str:
    asked = {"query": arguments["query"], "token_budget": arguments["token_budget"], "format": "text"}
    return str(agent.ask(ContextView, "POST", body=asked, session_id=session_id)["text"])


def _of_person(agent: Agent, query: str) -> str:
    """Who they are, and what is remembered about the question; of somebody new nothing is."""
    if agent.is_new:
        return ""
    block = agent.ask(RecallView, "POST", body={"query": query, "limit": 12}, user=agent.user)["block"]
    known = [part for part in (profile_text(agent), block) if part]
    return "\n\n".join([AS_DATA, *known]) if known else ""


def add_messages(agent: Agent, arguments: Json) -> Done:
    """A turn of the conversation, which is opened where it is new."""
    opening = {"user": agent.user, "key": arguments["conversation"]}
    session_id = agent.ask(SessionListView, "POST", body=opening, making=True)["id"]
    body = {"messages": arguments["messages"]}
    turn = agent.ask(TurnView, "POST", body=body, making=True, session_id=session_id)
    data: Kept = {
        "session_id": session_id,
        "messages": len(turn["messages"]),
        "collected": turn["collected"],
        "learned": [brief(memory) for memory in turn["signals"] if memory["status"] == ACTIVE],
        "forgotten": [brief(memory) for memory in turn["signals"] if memory["status"] == DELETED],
        "to_decide": [_to_decide(request) for request in turn["forget_requests"]],
    }
    lines = _kept_lines(data) if data["collected"] else _paused_lines(turn["paused"]["until"])
    return Done("\n".join(lines), data)


def _paused_lines(until: str | None) -> list[str]:
    return [
        f"Not kept: collection is paused until {until or 'it is resumed'}. Nothing of this is remembered or learned.",
        "What is known already can be searched, and forget_memory works. Don't promise to remember any of this.",
    ]


def _to_decide(request: ForgetRequestFields) -> ToDecide:
    return {"asked": request["what"], "memories": [brief(memory) for memory in request["memories"]]}


def _kept_lines(kept: Kept) -> list[str]:
    count = kept["messages"]
    lines = [f"Kept {count} message{'' if count == 1 else 's'}. The rest is learned from within seconds."]
    if kept["learned"]:
        lines += ["Learned at once:", *map(memory_line, kept["learned"])]
    if kept["forgotten"]:
        lines += ["Forgotten, as was asked. Don't mention it again:", *map(memory_line, kept["forgotten"])]
    for request in kept["to_decide"]:
        lines += [
            f"“{request['asked']}” could mean several memories. Ask which, then call forget_memory with its id:",
            *map(memory_line, request["memories"]),
        ]
    return lines


TOOLS = (
    Tool(
        "get_context",
        "Get context",
        "Call this first, before you answer or begin a task: who the person is and what of the past matters for it. "
        "For single facts use search_memories.",
        GetContextInput,
        Context,
        "read",
        get_context,
    ),
    Tool(
        "add_messages",
        "Add messages",
        "Send what was said, by the person and by you, after each turn: Nebo learns from it by itself. Messages with "
        "an external_id that came before are not kept twice.",
        AddMessagesInput,
        Kept,
        "write",
        add_messages,
    ),
)
