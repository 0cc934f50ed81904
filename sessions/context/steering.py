"""Steering: ephemeral hints to the agent, never stored and never extracted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

NUDGE_AFTER_TURNS = 10  # assistant turns; docs/design.md#conversation-numbers
NUDGE_WINDOW = 10  # turns without the memory tool, and user messages looked at

# How people begin to tell of themselves, and of what they want done; English, as the hint itself is.
SELF_DISCLOSURE = (
    "i am", "i'm", "my name", "i work", "i live", "i prefer", "i like", "i don't like", "i hate",
    "i always", "i never", "i usually", "my job", "my company", "my team", "my wife", "my husband",
    "my partner", "my email", "my phone", "my address", "call me", "i go by",
)  # fmt: skip
BEHAVIOURAL = (
    "can you always", "from now on", "don't ever", "stop using", "start using", "going forward",
    "every time", "when i ask", "please remember", "keep in mind", "for future", "note that i",
)  # fmt: skip

MEMORY_TOOLS = frozenset({"agent", "memory", "nebo", "save_memory", "nebo_memory"})

MEMORY_NUDGE = (
    "The person has told you things about themselves lately. If something of it will matter later and is not "
    "known yet, keep it with the memory tool (action: store). Keep nothing trivial, and don't mention this hint."
)
COMPACTION_RECOVERY = (
    "The earlier part of this conversation now stands in the summary. Go on naturally from there; don't ask the "
    "person to repeat what it already says, and don't mention this hint."
)
COLLECTION_PAUSED = (
    "Nothing that is said now is kept or learned: the person wants it so. Store none of it with a memory tool, and "
    "don't promise to remember it. What is known already holds. Don't mention this hint unless you are asked to "
    "remember something."
)


@dataclass(frozen=True, slots=True)
class SteeringMessage:
    """A hint by name, to be put after the last message."""

    name: str
    content: str

    def as_user_text(self) -> str:
        return f'<steering name="{self.name}">\n{self.content}\n</steering>'


@dataclass(frozen=True, slots=True)
class RecentMessage:
    """What steering needs to know of a message."""

    role: str
    name: str
    content: str
    at: datetime | None = None  # when Nebo was told


def _pattern(phrases: Sequence[str]) -> re.Pattern[str]:
    """Whole words only, so that "i am" is not found in "Miami"; straight and curly apostrophes."""
    alternatives = "|".join(re.escape(phrase).replace("'", "['’]") for phrase in phrases)
    return re.compile(rf"(?<!\w)(?:{alternatives})(?!\w)", re.IGNORECASE)


_DISCLOSING = _pattern(SELF_DISCLOSURE + BEHAVIOURAL)


def needs_memory_nudge(messages: Sequence[RecentMessage], tool_at: datetime | None = None) -> bool:
    """Ten assistant turns, no memory tool in the last ten, and the person told something of themselves.

    `tool_at` is when Nebo's own tool was last called in this session, or a memory stored through it.
    """
    assistant = [message for message in messages if message.role == "assistant"]
    if len(assistant) < NUDGE_AFTER_TURNS or _memory_tool_used(messages, tool_at):
        return False
    recent = [message.content for message in messages if message.role == "user"][-NUDGE_WINDOW:]
    return any(_DISCLOSING.search(content) for content in recent)


def _memory_tool_used(messages: Sequence[RecentMessage], tool_at: datetime | None) -> bool:
    """Whether a memory tool answered within the last ten assistant turns."""
    turns = 0
    for message in reversed(messages):
        if message.role == "tool" and message.name.casefold() in MEMORY_TOOLS:
            return True
        if tool_at is not None and message.at is not None and message.at <= tool_at:
            return True
        turns += message.role == "assistant"
        if turns >= NUDGE_WINDOW:
            return False
    return False


def steer(
    messages: Sequence[RecentMessage],
    *,
    recovering: bool,
    paused: bool = False,
    tool_at: datetime | None = None,
) -> list[SteeringMessage]:
    """The hints for this context, in order. While collection is paused, nothing is to be kept."""
    hints = []
    if recovering:
        hints.append(SteeringMessage("compactionRecovery", COMPACTION_RECOVERY))
    if paused:
        hints.append(SteeringMessage("collectionPaused", COLLECTION_PAUSED))
    elif needs_memory_nudge(messages, tool_at):
        hints.append(SteeringMessage("memoryNudge", MEMORY_NUDGE))
    return hints
