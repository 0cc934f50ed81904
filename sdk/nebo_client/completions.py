"""How the completions of OpenAI's and Anthropic's SDKs are read and added to. Nothing of either is imported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from nebo_client.shapes import Context

SYSTEM_ROLES = ("system", "developer")


class Dialect(Protocol):
    """One provider's way of putting things."""

    @property
    def format(self) -> str:
        """Of a context."""

    def add(self, asked: Mapping[str, Any], context: Context) -> dict[str, Any]:
        """The arguments of the call, with what is known of the person."""

    def text_of(self, answer: Any) -> str:
        """What the model said in words; empty for a tool call alone."""

    def text_of_part(self, part: Any) -> str:
        """The same of one part of a stream."""


@dataclass(frozen=True, slots=True)
class OpenAI:
    """`client.chat.completions.create`."""

    format: str = "openai"

    def add(self, asked: Mapping[str, Any], context: Context) -> dict[str, Any]:
        """System messages behind the caller's own, which stay first; earlier turns if the caller sends none."""
        messages = list(asked["messages"])
        head = next((i for i, one in enumerate(messages) if _role(one) not in SYSTEM_ROLES), len(messages))
        known = context.get("openai", [])
        told = [one for one in known if one["role"] == "system"]
        earlier = [one for one in known if one["role"] != "system"] if _is_alone(messages[head:]) else []
        return {**asked, "messages": [*messages[:head], *told, *earlier, *messages[head:]]}

    def text_of(self, answer: Any) -> str:
        """The first choice."""
        return (answer.choices[0].message.content or "") if answer.choices else ""

    def text_of_part(self, part: Any) -> str:
        """What this chunk adds to the first choice."""
        return (part.choices[0].delta.content or "") if part.choices else ""


@dataclass(frozen=True, slots=True)
class Anthropic:
    """`client.messages.create`."""

    format: str = "anthropic"

    def add(self, asked: Mapping[str, Any], context: Context) -> dict[str, Any]:
        """Blocks of the system prompt behind the caller's own; earlier turns if the caller sends none."""
        known: dict[str, Any] = context.get("anthropic") or {"system": [], "messages": []}
        own = asked.get("system") or []
        own = [{"type": "text", "text": own}] if isinstance(own, str) else list(own)
        earlier = known["messages"] if _is_alone(asked["messages"]) else []
        return {
            **asked,
            "system": [*own, *known["system"]],
            "messages": [*earlier, *asked["messages"]],
        }

    def text_of(self, answer: Any) -> str:
        """All blocks of text."""
        return "".join(block.text for block in answer.content if block.type == "text")

    def text_of_part(self, part: Any) -> str:
        """What this event adds."""
        is_text = part.type == "content_block_delta" and part.delta.type == "text_delta"
        return part.delta.text if is_text else ""


def find_dialect(client: Any) -> tuple[Any, Dialect]:
    """What holds the SDK's `create`, and how it speaks. Raises TypeError for a client of neither."""
    if hasattr(client, "chat"):
        return client.chat.completions, OpenAI()
    if hasattr(client, "messages"):
        return client.messages, Anthropic()
    raise TypeError(f"{type(client).__name__} is neither OpenAI's nor Anthropic's client")


def is_asynchronous(client: Any) -> bool:
    """Both SDKs name them so."""
    return type(client).__name__.startswith("Async")


def question_of(messages: Sequence[Any]) -> tuple[int, str]:
    """How many messages of the user there are, and the words of the last: a tool's results have none."""
    spoken = [text for one in messages if _role(one) == "user" and (text := _text(one))]
    return len(spoken), spoken[-1] if spoken else ""


def _is_alone(messages: Sequence[Any]) -> bool:
    """Whether the caller sends a question without what came before."""
    return len(messages) == 1


def _role(message: Any) -> str:
    return str(message["role"] if isinstance(message, Mapping) else message.role)


def _text(message: Any) -> str:
    content = message["content"] if isinstance(message, Mapping) else message.content
    if isinstance(content, str):
        return content
    parts = [part for part in content or () if isinstance(part, Mapping) and part.get("type") == "text"]
    return "\n".join(str(part["text"]) for part in parts)
