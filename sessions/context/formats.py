"""The same context in the shapes that models' APIs take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sessions.context.answer import AnthropicFields, ContextMessageFields, RenderedFields
from sessions.context.steering import SteeringMessage

FORMATS = ("sections", "text", "openai", "anthropic")


@dataclass(frozen=True, slots=True)
class Rendering:
    """What is to be rendered: the two blocks, the messages (role, content, name) and the hints."""

    stable: str
    dynamic: str
    messages: Sequence[ContextMessageFields]
    steering: Sequence[SteeringMessage]


def render_as(format: str, context: Rendering) -> RenderedFields:
    """`{}` for sections; else one key named for the format."""
    match format:
        case "text":
            return {"text": as_text(context)}
        case "openai":
            return {"openai": as_openai(context)}
        case "anthropic":
            return {"anthropic": as_anthropic(context)}
    return {}


def as_text(context: Rendering) -> str:
    """One prompt, for models that take one."""
    lines = [f"{message['name'] or message['role']}: {message['content']}" for message in context.messages]
    hints = [hint.as_user_text() for hint in context.steering]
    return "\n\n".join(part for part in (context.stable, context.dynamic, *lines, *hints) if part)


def as_openai(context: Rendering) -> list[dict[str, str]]:
    """Messages of a chat completion: the blocks as system messages, the stable one first so that it is cached."""
    system = [{"role": "system", "content": block} for block in (context.stable, context.dynamic) if block]
    return [*system, *_turns(context)]


def as_anthropic(context: Rendering) -> AnthropicFields:
    """`system` blocks with a cache mark after the stable one, and strictly alternating messages."""
    system: list[dict[str, Any]] = []
    if context.stable:
        system.append({"type": "text", "text": context.stable, "cache_control": {"type": "ephemeral"}})
    if context.dynamic:
        system.append({"type": "text", "text": context.dynamic})
    return {"system": system, "messages": _alternating(_turns(context))}


def _turns(context: Rendering) -> list[dict[str, str]]:
    """User and assistant messages; what tools and systems said is told as a user's message would be."""
    spoken = [
        {"role": "assistant" if message["role"] == "assistant" else "user", "content": message["content"]}
        for message in context.messages
    ]
    return [*spoken, *({"role": "user", "content": hint.as_user_text()} for hint in context.steering)]


def _alternating(turns: list[dict[str, str]]) -> list[dict[str, str]]:
    """Neighbours of one role joined; a conversation begins with the user."""
    joined: list[dict[str, str]] = []
    for turn in turns:
        if joined and joined[-1]["role"] == turn["role"]:
            joined[-1] = {"role": turn["role"], "content": f"{joined[-1]['content']}\n\n{turn['content']}"}
        else:
            joined.append(turn)
    if joined and joined[0]["role"] == "assistant":
        joined.insert(0, {"role": "user", "content": "(The conversation goes on.)"})
    return joined
