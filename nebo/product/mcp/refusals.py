"""What the API refuses, told so that a model can act on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

NO_PERSON = (
    "This key is not bound to one person, and none was named. Whoever set up this server adds the person's id: as the "
    "header Nebo-User, or as the address /mcp/u/ID/. Until then no tool works; tell the person so."
)
TWO_PERSONS = "The address and the header Nebo-User name different persons. Name one."
ADVICE = {
    "invalid-input": "Correct this and call again.",
    "forbidden": "Calling again won't help: whoever set up this server can use a key with more scopes.",
    "collection-paused": "Calling again won't help before then. Tell the person if they asked you to keep it.",
    "conflict": "Read it again with search_memories, then decide.",
    "unprocessable": "Call again with other values.",
    "too-large": "Send less at once.",
    "unavailable": "Call again in a moment.",
}
NO_MEMORY = "No memory of this person has that id. Get a current one with search_memories or list_memories."
NOT_KNOWN = (
    "Nobody is known by this name, or this key is another person's. Nothing is remembered, then: don't guess. "
    "add_memory and add_messages begin to remember."
)


def told(problem: Mapping[str, Any], *, of_memory: bool) -> str:
    """A problem document as sentences: which field, what is wrong, what to do. `of_memory`: one was named by its id."""
    code = str(problem["code"])
    if code == "not-found":
        return NO_MEMORY if of_memory else NOT_KNOWN
    fields = [f"{field_of(one['pointer'])}: {one['detail']}" for one in problem["errors"]]
    return "\n".join([*(fields or [str(problem["detail"])]), *([ADVICE[code]] if code in ADVICE else [])])


def field_of(pointer: str) -> str:
    """`messages[0].content` for `#/messages/0/content`, `limit` for `?limit`."""
    steps = pointer.lstrip("?#").strip("/").split("/")
    name = "".join(f"[{step}]" if step.isdigit() else f".{step}" for step in steps)
    return name.lstrip(".").replace("~1", "/").replace("~0", "~") or "arguments"
