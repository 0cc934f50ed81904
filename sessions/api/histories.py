"""Conversations as other products export them: ChatGPT's and Claude's archives, and lists of messages as OpenAI's API
takes them. What a file says is checked as a whole before anything of it is used.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, TypeVar
from zipfile import BadZipFile, ZipFile

from django.utils.dateparse import parse_datetime

from nebo.api.parsers import list_refused, parse_json, refusal_of
from nebo.errors import InvalidInput
from sessions.api.serializers import MAX_MESSAGE_BYTES
from sessions.lifecycle.identity import KEY_LIMIT
from sessions.turns.append import NewMessage

T = TypeVar("T")

MAX_FILE_BYTES = 1 << 28  # of an export, unpacked
ZIP_MAGIC = b"PK\x03\x04"
ARCHIVED_AS = "conversations.json"  # in the archives of both
ID_CHARS = 255
DIGEST_CHARS = 32  # 128 bits, where an id is missing or too long
ROLES = {"user": "user", "human": "user", "assistant": "assistant"}  # what others said is no part of the talk
TEXT_TYPES = frozenset({"text", "input_text", "output_text"})


@dataclass(slots=True)
class History:
    """A conversation to become a session. `left_out` counts messages that can't be kept, or that say nothing."""

    key: str
    messages: list[NewMessage] = field(default_factory=list)
    left_out: int = 0
    ids: set[str] = field(default_factory=set)


def read_histories(data: bytes, *, source: str, name: str) -> list[History]:
    """Every conversation of a file, in its order; `name` stands for one that has no id. Raises InvalidInput."""
    value = parse_json(_unpacked(data))
    for _ in list_refused({"": value}):  # raises where it nests too deep; texts are looked at one by one
        pass
    histories = list(SOURCES[source](value, name))
    keys: set[str] = set()
    for place, history in enumerate(histories):
        if history.key in keys:
            raise InvalidInput("Two conversations have this id.", field=f"#/{place}")
        keys.add(history.key)
    return histories


def _unpacked(data: bytes) -> bytes:
    """The file, or the conversations of an archive; never more than the bound, whatever the archive claims."""
    if data.startswith(ZIP_MAGIC):
        data = _read_archive(data)
    if len(data) > MAX_FILE_BYTES:
        raise InvalidInput(f"At most {MAX_FILE_BYTES >> 20} MB a file.", field="#")
    return data


def _read_archive(data: bytes) -> bytes:
    try:
        with ZipFile(io.BytesIO(data)) as archive:
            found = [one for one in archive.namelist() if one.rpartition("/")[2] == ARCHIVED_AS]
            if len(found) != 1:
                raise InvalidInput(f"The archive needs one {ARCHIVED_AS}.", field="#")
            with archive.open(found[0]) as file:
                return file.read(MAX_FILE_BYTES + 1)
    except (BadZipFile, NotImplementedError, RuntimeError) as error:
        raise InvalidInput("The archive can't be read.", field="#") from error


# --- ChatGPT ------------------------------------------------------------------------------------------------


def _read_chatgpt(value: Any, name: str) -> Iterator[History]:
    """Of a conversation's tree, the branch that was shown last."""
    for place, talk in enumerate(_objects(value, "#")):
        where = f"#/{place}"
        mapping = _expect(talk.get("mapping"), dict, f"{where}/mapping")
        history = History(_key("chatgpt", talk.get("conversation_id") or talk.get("id"), where))
        for node_id in _branch(mapping, talk.get("current_node"), f"{where}/mapping"):
            message = mapping[node_id].get("message")
            if message is not None:
                at = f"{where}/mapping/{node_id}/message"
                _add_chatgpt(history, _expect(message, dict, at), node_id, at)
        yield history


def _branch(mapping: dict[str, Any], current: Any, where: str) -> list[str]:
    """Nodes from the first to the current one, or to the newest that nothing follows."""
    for node_id, node in mapping.items():
        _expect(node, dict, f"{where}/{node_id}")
    if not isinstance(current, str) or current not in mapping:
        parents = {node.get("parent") for node in mapping.values() if isinstance(node.get("parent"), str)}
        current = next((node_id for node_id in reversed(mapping) if node_id not in parents), None)
    path: dict[str, None] = {}
    while isinstance(current, str) and current in mapping:
        if current in path:
            raise InvalidInput("The conversation runs in a circle.", field=f"{where}/{current}")
        path[current] = None
        current = mapping[current].get("parent")
    return list(path)[::-1]


def _add_chatgpt(history: History, message: dict[str, Any], node_id: str, where: str) -> None:
    author = _expect(message.get("author"), dict, f"{where}/author")
    content = _expect(message.get("content") or {}, dict, f"{where}/content")
    metadata = message.get("metadata")
    hidden = isinstance(metadata, dict) and bool(metadata.get("is_visually_hidden_from_conversation"))
    parts = content.get("parts")
    texts = [part for part in parts if isinstance(part, str)] if isinstance(parts, list) else []
    role = "" if hidden else author.get("role")
    said_at = _moment(message.get("create_time"), f"{where}/create_time")
    _add(history, role, "\n".join(texts), message.get("id") or node_id, said_at)


# --- Claude -------------------------------------------------------------------------------------------------


def _read_claude(value: Any, name: str) -> Iterator[History]:
    for place, talk in enumerate(_objects(value, "#")):
        where = f"#/{place}"
        history = History(_key("claude", talk.get("uuid"), where))
        for number, message in enumerate(_objects(talk.get("chat_messages"), f"{where}/chat_messages")):
            at = f"{where}/chat_messages/{number}"
            text = _text_of(message.get("content"), f"{at}/content") or message.get("text") or ""
            said_at = _moment(message.get("created_at"), f"{at}/created_at")
            _add(
                history, message.get("sender"), _expect(text, str, f"{at}/text"), message.get("uuid"), said_at
            )
        yield history


# --- OpenAI -------------------------------------------------------------------------------------------------


def _read_openai(value: Any, name: str) -> Iterator[History]:
    """One list of messages, alone or under `messages`."""
    bare = isinstance(value, list)
    root = "#" if bare else "#/messages"
    found = value if bare else _expect(value, dict, "#").get("messages")
    history = History(_key("openai", name, "#"))
    for number, message in enumerate(_objects(found, root)):
        text = _text_of(message.get("content"), f"{root}/{number}/content")
        _add(history, message.get("role"), text, None, None, number)
    yield history


SOURCES: Mapping[str, Callable[[Any, str], Iterator[History]]] = {
    "chatgpt": _read_chatgpt,
    "claude": _read_claude,
    "openai": _read_openai,
}


# --- What they share ----------------------------------------------------------------------------------------


def _add(
    history: History, role: Any, text: str, own_id: Any, said_at: datetime | None, number: int | None = None
) -> None:
    """A message of the two who talk; of others, and of what can't be kept, only that it was there."""
    known = ROLES.get(role) if isinstance(role, str) else None
    too_much = not text.strip() or bool(refusal_of(text)) or len(text.encode()) > MAX_MESSAGE_BYTES
    if known is None or too_much:
        history.left_out += 1
        return
    place = len(history.messages) if number is None else number
    named = isinstance(own_id, str) and 0 < len(own_id) <= ID_CHARS and not refusal_of(own_id)
    external_id = own_id if named else f"{place}-{_digest(f'{known} {text}')}"
    if external_id in history.ids:
        history.left_out += 1
        return
    history.ids.add(external_id)
    history.messages.append(NewMessage(role=known, content=text, external_id=external_id, created_at=said_at))


def _text_of(content: Any, where: str) -> str:
    """Plain text, or the text among the parts of a message."""
    if content is None or isinstance(content, str):
        return content or ""
    parts = [part for part in _objects(content, where) if part.get("type") in TEXT_TYPES]
    return "\n".join(part["text"] for part in parts if isinstance(part.get("text"), str))


def _key(source: str, own_id: Any, where: str) -> str:
    if not isinstance(own_id, str) or not own_id.strip() or refusal_of(own_id):
        raise InvalidInput("A conversation needs an id.", field=where)
    key = f"import:{source}:{own_id}"
    return key if len(key) <= KEY_LIMIT else f"import:{source}:{_digest(own_id)}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:DIGEST_CHARS]


def _moment(value: Any, where: str) -> datetime | None:
    """Seconds since 1970 or ISO 8601; nothing where nothing is said."""
    if value is None or value == "":
        return None
    try:
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return datetime.fromtimestamp(value, UTC)
        found = parse_datetime(value) if isinstance(value, str) else None
    except (ValueError, OverflowError, OSError):
        found = None
    if found is None:
        raise InvalidInput("This is no time.", field=where)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _objects(value: Any, where: str) -> Sequence[dict[str, Any]]:
    """A list of objects, each of them looked at."""
    return [_expect(one, dict, f"{where}/{place}") for place, one in enumerate(_expect(value, list, where))]


WORDS: Mapping[type, str] = {dict: "an object", list: "a list", str: "a text"}


def _expect(value: Any, kind: type[T], where: str) -> T:
    if not isinstance(value, kind):
        raise InvalidInput(f"Expected {WORDS[kind]} here.", field=where)
    return value
