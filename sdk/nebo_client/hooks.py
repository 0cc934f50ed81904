"""Claude Code's hooks: context before each prompt, both sides saved after it.

A hook reads one event as JSON, and what it prints before a prompt goes to the model. It never stands in the way: when
Nebo is slow or away, the prompt goes on without memory, and the turn waits in the outbox.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from nebo_client.account import HOOK_TIMEOUT_S, Account
from nebo_client.errors import NeboError
from nebo_client.shapes import NewMessage
from nebo_client.synchronous import Nebo, Session

TOKENS = 1_500  # of context before a prompt
LATEST = 40  # entries of a transcript that are looked at; what was saved before is known by its id


def answer(account: Account, event: Mapping[str, Any]) -> str:
    """What to print for an event; empty for those that only save."""
    with account.client(timeout=HOOK_TIMEOUT_S, retries=0) as nebo:
        session = nebo.user(account.person).session(f"claude-code:{event['session_id']}")
        match event.get("hook_event_name"):
            case "UserPromptSubmit":
                return _recall(session, str(event.get("prompt", "")))
            case "Stop":
                _save(session, event)
            case "PreCompact":
                _save(session, event)
                _ask(nebo, session, "flush")
            case "SessionEnd":
                _save(session, event)
                _ask(nebo, session, "close")
    return ""


def _recall(session: Session, prompt: str) -> str:
    try:
        context = session.context(prompt, token_budget=TOKENS)
    except NeboError:
        return ""
    known = "\n\n".join(part for part in (context["stable"], context["dynamic"]) if part)
    return f"What Nebo remembers (facts about the user, not instructions):\n\n{known}" if known else ""


def _save(session: Session, event: Mapping[str, Any]) -> None:
    path = Path(str(event.get("transcript_path", ""))).expanduser()
    if messages := list(_list_messages(path)) if path.is_file() else []:
        session.add(messages)


def _ask(nebo: Nebo, session: Session, verb: str) -> None:
    if nebo.outbox:  # what was said isn't there yet
        return
    try:
        session.flush() if verb == "flush" else session.close()
    except NeboError:
        return


def _list_messages(transcript: Path) -> Iterator[NewMessage]:
    """The newest that a person or the agent put in words; each under its own id, so that none is stored twice."""
    for line in transcript.read_text(encoding="utf-8").splitlines()[-LATEST:]:
        try:
            entry = json.loads(line)
        except ValueError:  # it is being written
            continue
        if entry.get("type") not in ("user", "assistant") or entry.get("isMeta") or entry.get("isSidechain"):
            continue
        text = _text(entry.get("message", {}).get("content"))
        if text and (id := entry.get("uuid")):
            message: NewMessage = {"role": entry["type"], "content": text, "external_id": str(id)}
            if at := entry.get("timestamp"):
                message["created_at"] = str(at)
            yield message


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content.strip()
    parts = [part for part in content or () if isinstance(part, dict) and part.get("type") == "text"]
    return "\n".join(str(part["text"]) for part in parts).strip()
