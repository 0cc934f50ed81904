"""Whose word weighs more, and how sure one may be of what only the assistant said."""

from __future__ import annotations

from memories.confidence import EXPLICIT, INFERRED
from memories.models import Memory
from nebo.tenants.actor import Actor

ARTIFACTS = "tacit/artifacts"  # what the assistant wrote; its own word is enough for that
TRUST_ORDER = ("web", "tool", "assistant", "agent", "user")  # from the least to the most
ASSISTANT_CONFIDENCE = (
    INFERRED  # at most, for what only the assistant said (docs/design.md#confidence-numbers)
)


def is_weaker(one: str, other: str) -> bool:
    """Whether the first is trusted less than the second."""
    return TRUST_ORDER.index(one) < TRUST_ORDER.index(other)


def lowest(*trusts: str) -> str:
    """The least of them; empty ones say nothing, and neither does the answer where all are."""
    return min(filter(None, trusts), key=TRUST_ORDER.index, default="")


def trust_of(actor: Actor) -> str:
    """As whose words counts what somebody stores on purpose: a person's are their own, a key's those of an agent."""
    if actor.kind == "user":
        return Memory.Trust.USER
    return actor.trust or Memory.Trust.AGENT


def capped(confidence: float, trust: str, namespace: str) -> float:
    """A confidence that what only the assistant said doesn't exceed, artifacts excepted."""
    if trust == Memory.Trust.ASSISTANT and namespace != ARTIFACTS:
        return min(confidence, ASSISTANT_CONFIDENCE)
    return confidence


def is_less_sure(one: float, other: float) -> bool:
    """Whether the first of two confidences is lower, however often the second was heard again since it was stated."""
    return one < min(other, EXPLICIT)
