"""Zep's sessions (threads, in its newer versions) with their messages, and the facts that it drew from them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from nebo.api.parsers import refusal_of
from nebo.errors import InvalidInput
from nebo.product.governance.importing.brought import Brought, History, Note
from nebo.product.governance.importing.exported_values import (
    add_message,
    expect,
    list_objects,
    origin_of,
    parse_moment,
    session_key,
)
from nebo.product.governance.importing.mem0 import check_one_user, is_over

SESSIONS = ("sessions", "threads")
FACTS = ("facts", "edges", "relevant_facts")
IDS = ("session_id", "thread_id", "uuid", "id")


def read_zep(value: Any, name: str) -> Brought:
    """Sessions become sessions, facts notes. Raises InvalidInput, also for a file about several people."""
    brought, users = Brought(), set[str]()
    bare = isinstance(value, list)
    top = {} if bare else expect(value, dict, "#")
    for session, where in _list_sessions(value if bare else top, bare):
        check_one_user(users, session.get("user_id"), f"{where}/user_id")
        brought.histories.append(_read_session(session, where))
        _add_facts(brought, session, where)
    if not _is_session(top):
        _add_facts(brought, top, "#")
    return brought


def _list_sessions(value: Any, bare: bool) -> Iterator[tuple[dict[str, Any], str]]:
    """With the place of each: a list, a list by name, or one session alone."""
    if not bare and _is_session(value):
        yield value, "#"
        return
    lists = [(value, "#")] if bare else [(value[one], f"#/{one}") for one in SESSIONS if one in value]
    if not lists and not any(one in value for one in FACTS):
        raise InvalidInput(_("Expected “sessions”, “threads” or “facts” here."), field="#")
    for found, root in lists:
        for number, session in enumerate(list_objects(found, root)):
            yield session, f"{root}/{number}"


def _is_session(value: dict[str, Any]) -> bool:
    return "messages" in value


def _read_session(session: dict[str, Any], where: str) -> History:
    own_id = next((session[one] for one in IDS if session.get(one)), None)
    history = History(session_key("zep", own_id, where))
    for number, message in enumerate(list_objects(session.get("messages") or [], f"{where}/messages")):
        at = f"{where}/messages/{number}"
        text = expect(message.get("content") or "", str, f"{at}/content")
        said_at = parse_moment(message.get("created_at"), f"{at}/created_at")
        role = message.get("role_type") or message.get("role")
        add_message(history, role, text, message.get("uuid") or message.get("message_id"), said_at)
    return history


def _add_facts(brought: Brought, holder: dict[str, Any], where: str) -> None:
    for name in FACTS:
        for number, fact in enumerate(expect(holder.get(name) or [], list, f"{where}/{name}")):
            _add_fact(brought, fact, f"{where}/{name}/{number}")


def _add_fact(brought: Brought, fact: Any, where: str) -> None:
    """A text, or an object with one; what has ended since is no fact any more."""
    fields = {"fact": fact} if isinstance(fact, str) else expect(fact, dict, where)
    text = expect(fields.get("fact"), str, f"{where}/fact")
    if not text.strip() or refusal_of(text):
        brought.left_out["empty"] += 1
    elif any(is_over(fields.get(end), f"{where}/{end}") for end in ("invalid_at", "expired_at")):
        brought.left_out["no longer true"] += 1
    else:
        noted_at = parse_moment(fields.get("valid_at") or fields.get("created_at"), f"{where}/created_at")
        brought.notes.append(Note(origin_of("zep", fields.get("uuid"), text), text, noted_at=noted_at))
