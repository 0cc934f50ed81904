"""How sure Nebo is of a memory, and from where on it may speak in a prompt.

Confidence is a share between 0 and 1; it only ever nears 1, it never reaches it.
"""

from __future__ import annotations

EXPLICIT = 0.9  # share; the person said it outright; docs/design.md#confidence-numbers
INFERRED = 0.6  # share; read between the lines
UNSTATED = 0.75  # share; the extractor didn't say which
PROMPT_GATE = 0.65  # share; below it a memory is found by search alone
BOOST = 0.2  # share of the remaining doubt that one reinforcement takes away


def from_explicit(explicit: bool | None) -> float:
    """Confidence of a fact as extracted: stated, inferred, or unsaid."""
    if explicit is None:
        return UNSTATED
    return EXPLICIT if explicit else INFERRED


def reinforce(confidence: float) -> float:
    """Confidence after one more observation: `old + (1 - old) * 0.2`."""
    return confidence + (1.0 - confidence) * BOOST


def passes_gate(confidence: float | None) -> bool:
    """Whether a memory may stand in a prompt; one without a confidence may."""
    return confidence is None or confidence >= PROMPT_GATE
