"""Single values in the files of other products: each is what it should be, or refused by its place."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar

from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from nebo.api.parsers import refusal_of
from nebo.errors import InvalidInput
from nebo.product.governance.importing.brought import History
from sessions.api.serializers import MAX_MESSAGE_BYTES
from sessions.lifecycle.identity import KEY_LIMIT
from sessions.turns.append import NewMessage

T = TypeVar("T")

ID_CHARS = 255
DIGEST_CHARS = 32  # 128 bits, where an id is missing or too long
ROLES = {
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "ai": "assistant",
}  # what others said is no part of the talk
TEXT_TYPES = frozenset({"text", "input_text", "output_text"})
WORDS: Mapping[type, str] = {dict: _("an object"), list: _("a list"), str: _("a text")}


def expect(value: Any, kind: type[T], where: str) -> T:
    """The value, of that type. Raises InvalidInput."""
    if not isinstance(value, kind):
        raise InvalidInput(f"Expected {WORDS[kind]} here.", field=where)
    return value


def list_objects(value: Any, where: str) -> Sequence[dict[str, Any]]:
    """A list of objects, each of them looked at."""
    return [expect(one, dict, f"{where}/{place}") for place, one in enumerate(expect(value, list, where))]


def add_message(
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
    external_id = own_id if named else f"{place}-{short_digest(f'{known} {text}')}"
    if external_id in history.ids:
        history.left_out += 1
        return
    history.ids.add(external_id)
    history.messages.append(NewMessage(role=known, content=text, external_id=external_id, created_at=said_at))


def text_of(content: Any, where: str) -> str:
    """Plain text, or the text among the parts of a message."""
    if content is None or isinstance(content, str):
        return content or ""
    parts = [part for part in list_objects(content, where) if part.get("type") in TEXT_TYPES]
    return "\n".join(part["text"] for part in parts if isinstance(part.get("text"), str))


def session_key(source: str, own_id: Any, where: str) -> str:
    """The key of the session that a conversation becomes. Raises InvalidInput for one without an id."""
    if not isinstance(own_id, str) or not own_id.strip() or refusal_of(own_id):
        raise InvalidInput(gettext("A conversation needs an id."), field=where)
    key = f"import:{source}:{own_id}"
    return key if len(key) <= KEY_LIMIT else f"import:{source}:{short_digest(own_id)}"


def origin_of(source: str, own_id: Any, text: str) -> str:
    """What a note is called in its source: its own id, or a digest of what it says."""
    named = isinstance(own_id, str) and 0 < len(own_id) <= ID_CHARS // 2 and not refusal_of(own_id)
    return f"{source}:{own_id if named else short_digest(text)}"


def short_digest(text: str) -> str:
    """Names a text that has no id."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:DIGEST_CHARS]


def parse_moment(value: Any, where: str) -> datetime | None:
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
        raise InvalidInput(gettext("This is no time."), field=where)
    return found if found.tzinfo else found.replace(tzinfo=UTC)
