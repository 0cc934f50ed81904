"""Everything that any route tells an agent, asked for one by one: the routes come from the table of addresses."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from django.urls import reverse

from tests.routes import list_routes
from tests.sessions.conftest import Call

USER = "alice"
# The person's own file, fetched by an admin's key alone; and the record of a memory, by which one explains and undoes.
OWN = {"export-file", "memory-history", "memory-provenance"}
NOBODYS = {"schema"}  # a document that anybody may read
# What a GET needs beside its address to tell all.
QUERIES: Mapping[str, Sequence[str]] = {
    "session-list": (f"?user={USER}",),
    "memory-list": ("", "?scope=global"),
    "todo-list": ("?status=all",),
    "forget-list": ("",),
}
FILES = ("SOUL", "AGENTS", "MEMORY", "HEARTBEAT")
FORMATS = ("sections", "text", "openai", "anthropic")
NOTES = ("/memories", "/memories/notes.md")
TOOLS = ("list", "todos", "search", "recall")
# POSTs that answer with what is known, and those that do something and answer with that alone.
TELLING = {"session-context", "search", "recall", "tool", "memory-explain", "memory-tool"}
DOING = {
    "session-list", "session-turns", "session-turns-dry-run", "session-redact", "message-redact", "session-extract",
    "session-flush", "session-compact", "session-close", "export", "memory-list", "memory-pin", "memory-unpin",
    "memory-archive",
    "memory-restore", "memory-wrong", "memory-never-mention", "todo-list", "entity-merge", "entity-split",
    "proposal-dismiss", "proposal-merge", "fold-undo", "curation", "forget-confirm", "forget-keep", "run-approve",
    "run-reject", "run-revert", "personality-rollback", "personality-candidate-accept",
    "personality-candidate-reject", "personality-candidate-undo", "persona-candidate-accept",
    "persona-candidate-reject", "persona-candidate-undo", "persona-list", "persona-rollback", "persona-restore",
    "extract-preview", "job-retry", "webhook-list", "webhook-test", "webhook-rotate", "redeliver",
    "import", "provider-test",
}  # fmt: skip


def read_every_route(call: Call, questions: Sequence[str]) -> dict[str, str]:
    """What every route tells, by its name and address."""
    things = _list_things(call)
    told: dict[str, str] = {}
    for name, names in list_routes("get").items():
        if name in OWN | NOBODYS:
            continue
        for values in product(*(things[one] for one in names)):
            address = reverse(name, kwargs=dict(zip(names, values, strict=True)), urlconf="nebo.urls")
            for query in QUERIES.get(name, ("",)):
                answer = call("GET", address.removeprefix("/api/v1/") + query)
                assert answer.status_code in (200, 404), (name, answer.status_code)
                told[f"{name} {address}{query}"] = _plain(answer)
    for question in questions:
        told.update(_ask(call, things, question))
    return told


def saying(told: Mapping[str, str], words: Sequence[str]) -> list[str]:
    """Which answers have one of the words, but for what only names the question."""
    found = []
    for name, text in told.items():
        for word in words:
            if word in text.replace(f"found for “{word}”", "").lower():
                found.append(name)
                break
    return sorted(found)


def _ask(call: Call, things: Mapping[str, Sequence[str]], question: str) -> dict[str, str]:
    told: dict[str, str] = {}
    for session_id, format in product(things["session_id"], FORMATS):
        body = {"query": question, "format": format, "token_budget": 16_000}
        answer = call("POST", f"sessions/{session_id}/context/", body)
        told[f"context {format} {session_id} {question}"] = _plain(answer)
    for name, body in (("search", {"query": question, "limit": 50}), ("recall", {"query": question})):
        told[f"{name} {question}"] = _plain(call("POST", f"users/{USER}/{name}/", body))
    for action in TOOLS:
        body = {"action": action, "query": question, "key": question if action == "recall" else ""}
        told[f"tool {action} {question}"] = _plain(call("POST", f"users/{USER}/tool/", body))
    for path in NOTES:
        answer = call("POST", f"users/{USER}/memory-tool/", {"command": "view", "path": path})
        told[f"memory-tool {path}"] = _plain(answer)
    for memory_id in things["memory_id"]:
        answer = call("POST", f"users/{USER}/memories/{memory_id}/explain/", {"query": "zzzz"})
        told[f"explain {memory_id}"] = _plain(answer)
    return told


def _list_things(call: Call) -> dict[str, list[str]]:
    """Whatever addresses name: all that there is of each, live memories alone."""

    def ids(path: str, name: str = "id") -> list[str]:
        return [str(row[name]) for row in call("GET", path).json()["results"]]

    return {
        "user": [USER],
        "session_id": ids(f"sessions/?user={USER}&limit=100"),
        "memory_id": ids(f"users/{USER}/memories/?limit=100"),
        "todo_id": ids(f"users/{USER}/todos/?status=all&limit=100"),
        "run_id": ids(f"users/{USER}/extraction-runs/?limit=100"),
        "job_id": ids("jobs/?limit=100"),
        "slug": list({"default", *ids("personas/", "slug")}),
        "name": list(FILES),
        "webhook_id": [],  # they hold ids alone
        "delivery_id": [],
        "import_id": [],  # they hold counts
        "use": [],  # providers of the team
        "key_id": [],  # what is paused of a key
    }


def _plain(answer: Any) -> str:
    """An answer's text with no letter escaped."""
    text = answer.getvalue().decode()
    kind = answer.headers.get("Content-Type", "")
    return json.dumps(json.loads(text), ensure_ascii=False) if text and "json" in kind else text
