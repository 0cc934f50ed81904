"""The shape of a context as an agent gets it."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from memories.team.recalling import SharedFields
from nebo.api.pausing import PausedFields
from nebo.api.shapes import Id, Moment, like
from search.answers.waiting import CompletenessFields


class ContextMessageFields(TypedDict):
    """A message that is shown word for word."""

    id: Id
    role: Annotated[str, like("user")]
    name: Annotated[str, like("")]
    content: Annotated[str, like("Which ferry should I take?")]
    created_at: Moment


class HintFields(TypedDict):
    """A hint to the agent, never stored; to be put after the last message."""

    name: Annotated[str, like("memory-nudge")]
    content: Annotated[str, like("Keep what will matter later with the memory tool.")]


class CiteFields(TypedDict, total=False):
    """What a card rests on: a memory, or messages."""

    memory_id: Id
    message_ids: list[str]


class ContextCardFields(CiteFields):
    """Something recalled."""

    text: Annotated[str, like("Lives in Lisbon.")]
    score: Annotated[float, like(0.91)]


class TokensFields(TypedDict):
    """Estimates; `total` counts the hints too."""

    stable: Annotated[int, like(210)]
    dynamic: Annotated[int, like(48)]
    messages: Annotated[int, like(120)]
    total: Annotated[int, like(378)]


class ContinuityFields(TypedDict):
    """What there is to go on from."""

    ok: Annotated[bool, like(True)]
    history: Annotated[int, like(6, "Earlier messages.")]
    summary: Annotated[bool, like(False)]
    recalled: Annotated[int, like(1)]


class AnthropicFields(TypedDict):
    """As Anthropic's messages take it."""

    system: Annotated[
        list[dict[str, Any]],
        like([{"type": "text", "text": "# What You Know", "cache_control": {"type": "ephemeral"}}]),
    ]
    messages: Annotated[list[dict[str, str]], like([{"role": "user", "content": "Which ferry?"}])]


class RenderedFields(TypedDict, total=False):
    """The same context once more, in the format asked for."""

    text: str
    openai: list[dict[str, str]]
    anthropic: AnthropicFields


class ContextFields(CompletenessFields, RenderedFields, SharedFields):
    """A context: the stable block first, so that a provider may keep it, then what this question needs."""

    stable: Annotated[str, like("# What You Know\n- Lives in Lisbon.")]
    dynamic: Annotated[str, like("")]
    messages: list[ContextMessageFields]
    steering: Annotated[list[HintFields], like([])]
    cards: list[ContextCardFields]
    tokens: TokensFields
    continuity: ContinuityFields
    onboarding_needed: bool
    paused: Annotated[
        PausedFields | None,
        like(None, "Why nothing that is said here is collected just now, and until when."),
    ]
