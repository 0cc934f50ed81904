"""What goes to a chat model and what comes back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

Task = Literal[
    "extract",
    "summarize",
    "session_summary",
    "rolling",
    "directive",
    "spine",
    "active_task",
    "fold",
    "verify",
]


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message of a conversation; `role` is user, assistant, system or tool."""

    role: str
    content: str
    name: str = ""
    id: str = ""
    created_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One question to a model.

    Models read `system` and `prompt`; `material` is the conversation itself, and `earlier` the text that is written
    on (both stand in the prompt too), for providers that work by rule.
    `over` are wordings of what held once and no longer does, `kept` of what is remembered by itself: a summary by rule
    leaves the first out and needs the second least. `json` asks for one JSON object, where the provider knows how to
    promise that.
    """

    task: Task
    system: str
    prompt: str
    material: tuple[ChatMessage, ...] = ()
    earlier: str = ""
    max_output_tokens: int = 2048
    json: bool = False
    over: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ChatReply:
    """What a model said; token counts are 0 where the provider doesn't tell them."""

    text: str
    provider: str
    model: str
    input_tokens: int
    output_tokens: int
    duration_ms: int


class ChatModel(Protocol):
    """One model of one provider."""

    @property
    def provider(self) -> str: ...

    @property
    def model(self) -> str: ...

    def complete(self, request: ChatRequest, *, timeout_s: float) -> ChatReply:
        """Answer within `timeout_s` seconds of wall clock, or raise a ProviderError."""
        ...


@dataclass(frozen=True, slots=True)
class OwnedModel:
    """A model that one team asks by a provider of its own; `owner` changes with the provider's settings."""

    asked: ChatModel
    owner: str

    @property
    def provider(self) -> str:
        return self.asked.provider

    @property
    def model(self) -> str:
        return self.asked.model

    def complete(self, request: ChatRequest, *, timeout_s: float) -> ChatReply:
        """See ChatModel."""
        return self.asked.complete(request, timeout_s=timeout_s)
