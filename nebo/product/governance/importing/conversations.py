"""Conversations as other products export them: ChatGPT's and Claude's archives, and lists of messages as OpenAI's API
takes them. What a file says is checked as a whole before anything of it is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from nebo.errors import InvalidInput
from nebo.product.governance.importing.brought import History
from nebo.product.governance.importing.exported_values import (
    add_message,
    expect,
    list_objects,
    parse_moment,
    session_key,
    text_of,
)

# --- ChatGPT ------------------------------------------------------------------------------------------------


def read_chatgpt(value: Any, name: str) -> Iterator[History]:
    """Of a conversation's tree, the branch that was shown last."""
    for place, talk in enumerate(list_objects(value, "#")):
        where = f"#/{place}"
        mapping = expect(talk.get("mapping"), dict, f"{where}/mapping")
        history = History(session_key("chatgpt", talk.get("conversation_id") or talk.get("id"), where))
        for node_id in _branch(mapping, talk.get("current_node"), f"{where}/mapping"):
            message = mapping[node_id].get("message")
            if message is not None:
                at = f"{where}/mapping/{node_id}/message"
                _add_chatgpt(history, expect(message, dict, at), node_id, at)
        yield history


def _branch(mapping: dict[str, Any], current: Any, where: str) -> list[str]:
    """Nodes from the first to the current one, or to the newest that nothing follows."""
    for node_id, node in mapping.items():
        expect(node, dict, f"{where}/{node_id}")
    if not isinstance(current, str) or current not in mapping:
        parents = {node.get("parent") for node in mapping.values() if isinstance(node.get("parent"), str)}
        current = next((node_id for node_id in reversed(mapping) if node_id not in parents), None)
    path: dict[str, None] = {}
    while isinstance(current, str) and current in mapping:
        if current in path:
            raise InvalidInput(_("The conversation runs in a circle."), field=f"{where}/{current}")
        path[current] = None
        current = mapping[current].get("parent")
    return list(path)[::-1]


def _add_chatgpt(history: History, message: dict[str, Any], node_id: str, where: str) -> None:
    author = expect(message.get("author"), dict, f"{where}/author")
    content = expect(message.get("content") or {}, dict, f"{where}/content")
    metadata = message.get("metadata")
    hidden = isinstance(metadata, dict) and bool(metadata.get("is_visually_hidden_from_conversation"))
    parts = content.get("parts")
    texts = [part for part in parts if isinstance(part, str)] if isinstance(parts, list) else []
    role = "" if hidden else author.get("role")
    said_at = parse_moment(message.get("create_time"), f"{where}/create_time")
    add_message(history, role, "\n".join(texts), message.get("id") or node_id, said_at)


# --- Claude -------------------------------------------------------------------------------------------------


def read_claude(value: Any, name: str) -> Iterator[History]:
    """A list of conversations, each with its messages in order."""
    for place, talk in enumerate(list_objects(value, "#")):
        where = f"#/{place}"
        history = History(session_key("claude", talk.get("uuid"), where))
        for number, message in enumerate(list_objects(talk.get("chat_messages"), f"{where}/chat_messages")):
            at = f"{where}/chat_messages/{number}"
            text = text_of(message.get("content"), f"{at}/content") or message.get("text") or ""
            said_at = parse_moment(message.get("created_at"), f"{at}/created_at")
            add_message(
                history, message.get("sender"), expect(text, str, f"{at}/text"), message.get("uuid"), said_at
            )
        yield history


# --- OpenAI -------------------------------------------------------------------------------------------------


def read_openai(value: Any, name: str) -> Iterator[History]:
    """One list of messages, alone or under `messages`."""
    bare = isinstance(value, list)
    root = "#" if bare else "#/messages"
    found = value if bare else expect(value, dict, "#").get("messages")
    history = History(session_key("openai", name, "#"))
    for number, message in enumerate(list_objects(found, root)):
        text = text_of(message.get("content"), f"{root}/{number}/content")
        add_message(history, message.get("role"), text, None, None, number)
    yield history
